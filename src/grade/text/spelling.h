/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Texts that are no values: names, words, signs. */
#include <rederive/answer.h>

/* Is an answer that is read as text the same as gold? *same*: but for points, commas, articles,
 * blanks between signs, the short names of days, months and directions, or in a sentence that says
 * nothing else but words of the question. *different*: both are read whole, as names of which no
 * two words are alike, or the question asks for letters or an order, which spelling shows. Else it
 * cannot be told: grey and gray, the USA and the United States. `answer`, `gold`: as they were
 * given; as and gs: both as texts are compared, without quotes and LaTeX; `question` may be empty.
 */
rdv_same spelling_compare(rdv_str answer, rdv_str as, rdv_str gold, rdv_str gs, rdv_str question);
/* "the 1890s" and "the 1990s": the same words with two whole numbers of as many digits. */
bool spelling_differs_by_number(rdv_str a, rdv_str g);
/* Are they two names or words that cannot be one, and no values? */
bool spelling_are_apart(rdv_str a, rdv_str b);
