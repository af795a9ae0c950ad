/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The "type of question" in SelfCheck's prompts (section 3.1): the variable `kind`. */
#include <rederive/method.h>
#include <rederive/plan.h>

#define QUESTION_TYPE_MAX 60 /* bytes */

/* The type of the questions of the data set or task of that name, whatever its letter case and what
 * stands between its words; p == NULL: it is none of those whose questions are not mathematical. */
rdv_str question_type_named(rdv_str name);
/* The type of a question of one of the tasks that are recognised by their form: "word sorting";
 * "math" for arithmetic expressions, and for every other question: the paper's data sets are
 * mathematical, its prompts say "math", and the answer's type does not tell otherwise (MathQA's
 * options may be texts, and a question about a sum may be answered by yes or no). */
rdv_str question_type_by_form(const rdv_question *question);
/* Whether a prompt of any of these methods states the type. */
bool question_type_is_asked(const rdv_method *const *methods, size_t n, const rdv_prompts *prompts);
