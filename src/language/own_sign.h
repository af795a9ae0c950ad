/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Signs that a text redefines. */
#include <rederive/base.h>

/* Does the text give a sign that stands in `sides` a meaning of its own: "a * b = 2a + 3b", "the
 * operation *", "+ means x"? Looks at 1600 bytes. */
bool own_sign_in(rdv_str text, rdv_str sides);

/* Does a sign stand in them that has no usual meaning between numbers, "5 \\star 3"? */
bool own_sign_is_unusual(rdv_str sides);
