/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* NaN, Infinity and -Infinity, which are no JSON, but which Python's json.dumps() writes. */
#include "base/buf.h"

/* Replace each of these words outside of strings by null. *out: `text` itself where there are none,
 * else a copy in *room, valid until *room is used again. Returns how many were replaced; lack of
 * memory sticks in *room. */
size_t rdv_nonfinite_to_null(rdv_str text, rdv_buf *room, rdv_str *out);
