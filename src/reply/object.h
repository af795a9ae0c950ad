/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* JSON objects of a reply, laid out as sentences: {"is_correct": true, "reason": "Both say 5."}
 * becomes "is correct : true; reason : Both say 5.;". */
#include <rederive/base.h>

/* Lay out each whole object of the text in its place, which keeps its length. What is no whole
 * object, holds names of other signs than letters, digits, "_", "-" and blanks, or is more than
 * eight levels deep stays as it is. */
void object_lay_out(char *text, size_t len);
