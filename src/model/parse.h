/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* JSON from outside, by jansson: depth is limited by its own 2048 levels, length by the caller. */
#include "base/buf.h"

#include <jansson.h>
#include <rederive/base.h>

/* *out: the caller's, released with json_decref(); NULL on failure. Whole numbers are read as
 * doubles, of any size, unless `exact`: then they keep their form, and must fit 64 bits.
 * Faults: RDV_E_INPUT: it is not JSON in UTF-8, err says where; RDV_E_NOMEM. */
int parse_json(rdv_str text, bool exact, json_t **out, rdv_error *err);
/* The string in `value`, borrowed; p == NULL: it is none. */
rdv_str parse_text(const json_t *value);
/* The number in `value`, or NaN. */
double parse_double(const json_t *value);
/* The number in `value` as a count; 0 where it is none. */
uint64_t parse_count(const json_t *value);
/* Of a list of objects the one whose "index" is 0, wherever it stands; where none has an index, the
 * first. NULL: there is none. */
const json_t *parse_numbered(const json_t *list);
/* Append a content to *text: a string, or parts such as {"type":"text","text":"..."}. What a model
 * thought is no part of its reply; a part without a type is text, as in the oldest form. False: one
 * of the parts says that the model refused. */
bool parse_content(const json_t *content, rdv_buf *text);
