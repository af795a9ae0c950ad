/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Ordinal numbers: "3rd", "third", "the twenty-third term". */
#include <rederive/base.h>

/* The ordinal that begins at byte `i` into *value; the byte behind it, or `i`. */
size_t ordinal_end(rdv_str s, size_t i, unsigned *value);
/* The only number of a text, where it is an ordinal and no word beside it changes it, as "last" and
 * "not" do. *alone: only articles and "place" stand beside it. False: there is none. */
bool ordinal_of(rdv_str s, unsigned *value, bool *alone);
