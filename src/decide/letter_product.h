/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Products of letters, which look like words: "4 bc", "mgh". */
#include "claims/find.h"
#include "expression/knowledge.h"

/* Does one stand in a side of the link, or beside it in its formula? Its value is not known, so
 * that of the side is not either. A word is a product if each of its letters stands for something
 * in the chain. */
bool letter_product_in(const knowledge *k, const equality *chain, size_t i);
/* Does the formula that ended before token `i` go on with one: " - bc", "(bc)", " a^2 b"? */
bool letter_product_after(const tokens *t, size_t i);
