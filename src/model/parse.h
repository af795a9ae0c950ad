/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* JSON from outside, parsed by jansson: depth is limited by jansson's 2048 levels, length by the
 * caller. */
#include "base/buf.h"

#include <jansson.h>
#include <rederive/base.h>

/* *out: owned by the caller, released with json_decref(); NULL on failure. Whole numbers of any
 * size are read as doubles, unless `exact`: then they stay whole numbers and must fit 64 bits.
 * Faults: RDV_E_INPUT: not JSON in UTF-8, err says where; RDV_E_NOMEM. */
int parse_json(rdv_str text, bool exact, json_t **out, rdv_error *err);
/* The string in `value`, borrowed; p == NULL: not a string. */
rdv_str parse_text(const json_t *value);
/* The number in `value`, or NaN. */
double parse_double(const json_t *value);
/* The number in `value` as a count; 0 if it is not a number. */
uint64_t parse_count(const json_t *value);
/* The object whose "index" is 0 in a list of objects; if none has an index, the first. NULL: there
 * is none. */
const json_t *parse_numbered(const json_t *list);
/* Append a content to *text: a string, or parts such as {"type":"text","text":"..."}. Parts with a
 * model's reasoning are not part of its reply; a part without a type is text, as in the oldest
 * form. False: one of the parts says that the model refused. */
bool parse_content(const json_t *content, rdv_buf *text);
