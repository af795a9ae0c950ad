/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Values of JSON, decoded. */
#include <jansson.h>
#include <rederive/base.h>

/* Decode one JSON value, without white space around it. Its grammar must be right already
 * (data/scan.h), so that only what is not grammar can fail: Unicode, the size of numbers, names
 * that stand twice. Texts and lists of texts, which most of a record is, are decoded here; jansson
 * decodes everything else, and says what is wrong. RDV_OK with *out the caller's; RDV_E_INPUT with
 * the reason in err; RDV_E_NOMEM. */
int rdv_decode(rdv_str text, json_t **out, rdv_error *err);
