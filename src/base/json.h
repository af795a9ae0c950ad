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
/* true, false, or null for -1. */
void rdv_json_flag(rdv_buf *b, int is);
/* A comma before the next item of a list, unless the item follows '['. */
void rdv_json_item(rdv_buf *b);
/* A list. */
void rdv_json_texts(rdv_buf *b, const rdv_str *texts, size_t n);
void rdv_json_numbers(rdv_buf *b, const double *numbers, size_t n);
/* A member of an object: rdv_json_name() and its value, or the '{' or '[' that begins the value. */
void rdv_json_put_text(rdv_buf *b, const char *name, rdv_str text);
void rdv_json_put_number(rdv_buf *b, const char *name, double x);
void rdv_json_put_count(rdv_buf *b, const char *name, uint64_t n);
void rdv_json_put_flag(rdv_buf *b, const char *name, int is);
void rdv_json_put_null(rdv_buf *b, const char *name);
void rdv_json_open(rdv_buf *b, const char *name, char bracket);
