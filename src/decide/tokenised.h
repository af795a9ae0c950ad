/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Tokenised texts: lower case, every mark and sign between blanks. What stood above or below a line
 * stands in it, brackets and signs are lost, and so are the ends of sentences and of lines. */
#include "decide/calculator.h"

/* Of the results from `first` on, in the text that begins `offset` bytes into the step: where the
 * text is tokenised, those that are wrong become undecided, but for whole claims of one operation
 * on two numbers that no lost typesetting explains. */
void tokenised_withhold(rdv_str text, size_t offset, size_t first, calc_list *found);
