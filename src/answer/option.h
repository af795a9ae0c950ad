/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Letters that name an answer option. */
#include <rederive/answer.h>

/* Options named by letters are at most these, A to Z; where their number is not known, A to J. */
#define RDV_OPTIONS_MAX 26
#define RDV_OPTIONS_UNKNOWN 10

/* The last option named in `text` and not denied, compared with another, left out or chosen by
 * others ("B over A", "many choose A"), out of the first `n_options` letters (0:
 * RDV_OPTIONS_UNKNOWN), as written without its brackets. None where all of them are named equally
 * often: a list of options chooses nothing, and none where the last one ends a list, "A and C", or
 * stands beside another and nothing says which is chosen, "C trumps D". Small letters count where a
 * bracket makes them a name: "(b)", "b)". */
bool answer_last_option(rdv_str text, size_t n_options, rdv_str *out);
/* Does `span` name two options as one answer: "A and C", "both (A) and (C)", "A or C",
 * "A, C", "A B"? Boxes and brackets do not matter. */
bool answer_joins_options(rdv_str span, size_t n_options);
/* Is an option named anywhere in `s`, chosen or not: by a letter, or by its place? */
bool answer_names_option(rdv_str s, size_t n_options);
/* Are two different options named by letters in `s`? */
bool answer_names_several(rdv_str s, size_t n_options);
/* The option that is named by its place, "the second option", as written; its index in *index. */
bool answer_counted_option(rdv_str span, size_t n_options, rdv_str *out, size_t *index);
/* The option named at the very beginning of an announced answer: "(B)", "b.", "B because ...". */
bool answer_first_option(rdv_str span, size_t n_options, rdv_str *out);
/* Does the sentence of the letter at byte `i` say that nobody or others choose it, or what would
 * be: "none of the options fits, though somebody may pick A", "if x were 3, it would be A"? */
bool answer_option_supposed(rdv_str s, size_t i);
/* Do the words after the letter at byte `i` say that it is not the answer: "B is wrong"? */
bool answer_option_refuted(rdv_str s, size_t i);
/* The only option whose text `s` has as whole words, and does not deny: where it stands last. One
 * within a longer one, "red" in "dark red", does not count. */
bool answer_option_said(rdv_str s, const rdv_answer_form *form, rdv_str *out);
/* Does the text of another option follow the letter at byte `i`, "(B) red" where green is B? */
bool answer_option_mismatched(rdv_str s, size_t i, const rdv_answer_form *form);
