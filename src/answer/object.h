/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Whole mathematical objects in prose: tuples, intervals, sets, vectors, matrices, calls. */
#include <rederive/base.h>

/* The object that a number of the text is in, or the last one behind it: "(0, 3)" for the 3 of "the
 * interval is (0, 3)", with a union's other parts, all of a list of them, a matrix with its
 * "\begin". False: the number stands by itself. Looks 400 bytes back and 2,000 on. *out may be
 * `number`'s. */
bool object_with(rdv_str text, rdv_str number, rdv_str *out);
