/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Prompts: the messages for a model, as files (docs/prompts.md defines the language). Those of
 * prompts/ are compiled in; a file of the same id may replace one at run time. Values are inserted
 * unchanged: nothing in a value is ever interpreted as part of the language. */
#include <rederive/plan.h>

/* One value of a template: a text, or (`list`) a list of items that each have values of their own.
 * A text with p == NULL, an empty text and an empty list are all "empty". Borrowed. */
typedef struct prompt_value {
    rdv_str name;
    rdv_str text;
    const struct prompt_item *items;
    size_t n_items;
    bool list;
} prompt_value;

typedef struct prompt_item {
    const prompt_value *values;
    size_t n_values;
} prompt_item;

typedef struct prompt prompt;

#define PROMPT_MAX_VARIABLES 32

/* As rdv_prompts_new(), but allocated in `arena` and never freed; *out is untouched on failure. */
int prompts_new(const rdv_prompt_text *texts, size_t n, rdv_arena *arena, rdv_prompts **out,
                rdv_error *err);
/* The prompt of that id ("selfcheck/target"), borrowed from the set, or NULL. */
const prompt *prompt_named(const rdv_prompts *set, rdv_str id);
/* The i-th variable that the prompt declares; false: it declares fewer. *list: it is a list.
 * *numbered: the list's items have a field "number". */
bool prompt_variable_at(const prompt *p, size_t i, rdv_str *name, bool *list, bool *numbered);
/* Whether the profile `paper` leaves that variable empty. */
bool prompt_variable_is_robust_only(const prompt *p, size_t i);
/* The line on which its variables are declared, from 1. *added: it is neither a compiled-in prompt
 * nor a replacement of one. */
size_t prompt_variables_line(const prompt *p, bool *added);
/* The sampling settings in the prompt's head; borrowed from the set. A setting that the head omits
 * is left to the server. Token probabilities are never requested here; the caller sets that. */
const rdv_sampling *prompt_sampling(const prompt *p);
/* The allowed conclusions of the reply, from the prompt's head; "@0" and "@1" in an answer stand
 * for the number of each step, counted from 0 or from 1. *n is 0 if any conclusion is allowed.
 * *reasoned: the reply reasons before its conclusion. Borrowed from the set. */
void prompt_answers(const prompt *p, const rdv_str **answers, size_t *n, bool *reasoned);
/* Whether the prompt is compiled in and not replaced. */
bool prompt_is_compiled_in(const prompt *p);
/* The messages with the values inserted, allocated in `arena`. Values that the prompt does not use
 * are ignored; a variable without a value is a fault of the caller. *messages and *n_messages are
 * untouched on failure. Faults: RDV_E_NOMEM; RDV_E_ARGUMENT (a value is missing, or is a list
 * instead of a text, or a text instead of a list); RDV_E_LIMIT (the messages are larger than
 * docs/prompts.md states). */
int prompt_render(const prompt *p, const prompt_value *values, size_t n_values, rdv_arena *arena,
                  rdv_message **messages, size_t *n_messages, rdv_error *err);
