/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Prompts: what is said to a model, as files (docs/prompts.md has the language). Those of prompts/
 * are compiled in; a file of the same id may replace one at run time. Values are inserted as they
 * are: nothing in a value is ever read as part of the language. */
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

/* As rdv_prompts_new(), but made in `arena` and never freed; *out is untouched on failure. */
int prompts_new(const rdv_prompt_text *texts, size_t n, rdv_arena *arena, rdv_prompts **out,
                rdv_error *err);
/* The prompt of that id ("selfcheck/target"), borrowed from the set, or NULL. */
const prompt *prompt_named(const rdv_prompts *set, rdv_str id);
/* The i-th variable that it declares; false: it has fewer. *list: it is a list, whose items have a
 * field "number" where *numbered. */
bool prompt_variable_at(const prompt *p, size_t i, rdv_str *name, bool *list, bool *numbered);
/* The line on which its variables are declared, from 1; *added: it is no compiled-in prompt, nor
 * one that replaces it. */
size_t prompt_variables_line(const prompt *p, bool *added);
/* How its reply is to be sampled, as its head says; borrowed from the set. What the head leaves out
 * is the server's own. Token probabilities are never asked for: the caller sets that. */
const rdv_sampling *prompt_sampling(const prompt *p);
/* What the conclusion of its reply may be, as its head says; "@0" and "@1" in an answer stand for
 * the number of each step, counted from 0 or from 1. *n is 0 where anything may be said. *reasoned:
 * the reply reasons first. Borrowed from the set. */
void prompt_answers(const prompt *p, const rdv_str **answers, size_t *n, bool *reasoned);
/* The messages with the values put in, made in `arena`. Values that the prompt does not use are
 * ignored; a variable without a value is a fault of the caller. *messages and *n_messages are
 * untouched on failure. Faults: RDV_E_NOMEM; RDV_E_ARGUMENT (a value is missing, or is a list where
 * a text is asked for, or the other way round); RDV_E_LIMIT (the messages are larger than
 * docs/prompts.md states). */
int prompt_render(const prompt *p, const prompt_value *values, size_t n_values, rdv_arena *arena,
                  rdv_message **messages, size_t *n_messages, rdv_error *err);
