/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Several values that a reply states as one answer: "x = 2 or x = 3", "the roots are 2 and 3", and
 * a ratio, "3 : 4". The last of them alone is not the answer. */
#include <rederive/base.h>

/* The list or ratio that ends with `value`, a number or a formula of `text`; false: there is none.
 */
bool solutions_with(rdv_str text, rdv_str value, rdv_str *out);
