/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Writing JSON into a buffer. (Reading is in data/, with jansson.) */
#include "base/buf.h"

/* A quoted, escaped string. Bytes that are not UTF-8 become U+FFFD; '<', '>' and '&' stay as they
 * are: pages escape for themselves. p == NULL writes null. */
void rdv_json_text(rdv_buf *b, rdv_str s);
/* The shortest decimal that reads back as the same double, whole numbers below 10^15 without an
 * exponent; NaN and infinities write null. */
void rdv_json_number(rdv_buf *b, double x);
/* `"name":`, with a comma before it unless it follows '{'. */
void rdv_json_name(rdv_buf *b, rdv_str name);
/* `"name":x`, with a comma before it where it needs one. */
void rdv_json_field(rdv_buf *b, const char *name, double x);
