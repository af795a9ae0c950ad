/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Products of letters, which look like words: "4 bc", "mgh". */
#include "claims/find.h"

/* Does one stand in a side of the link, or beside it in its formula? Its value is not known, so
 * that of the side is not either. A word is a product if each of its letters stands for something
 * in the chain. */
bool letter_product_in(const tokens *t, const equality *chain, size_t i);
/* Does one of two letters, taken for a thing that is counted, stand in one side alone? "2 bc + 3 bc
 * = 5 bc" is right whatever it is. */
bool letter_product_on_one_side(const tokens *t, const equality *chain, size_t i);
/* Does the formula go on with one behind the side: " - bc", "(bc)", " a^2 b", " bc"? Behind a
 * number, letters may be things that it counts; alone: two are taken for a product there, too. */
bool letter_product_after(const tokens *t, const expression *side, bool alone);
