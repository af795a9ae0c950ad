/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A fast test before tokens are made: most texts hold no calculation. */
#include <rederive/base.h>

/* May the text hold a calculation, or a statement about numbers or units? False only where
 * nothing can be found: there is no sign of equality or order, no word of equality, no number right
 * after a word that claims a result, no word right after a number, no word of WORD_DIVISIBILITY,
 * and no command or character that only the lexer knows. Takes linear time. */
bool prefilter_may_hold(rdv_str text);
