/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Statements of a number that no calculation has: "3 + 4 = 7, so he has 9 left". Nobody decides
 * them, so a step with one does not support (docs/adr/0084). A number that was given is no news:
 * one of the question, of an earlier step or of a calculation that was read, as it stands there,
 * rounded, or as a percentage. */
#include "method/unread/unread_calculation.h"

typedef struct given_numbers given_numbers;

/* NULL: out of memory. */
given_numbers *given_numbers_new(rdv_arena *arena);
/* The numbers of the text, a question or a whole step, are given from here on. They are read when a
 * statement is looked up among them, so the text must live as long. RDV_E_NOMEM. */
int given_numbers_add(given_numbers *given, rdv_str text);
/* The first statement of the step that none of its calculations covers, which are in the order
 * of the text and are given then; the step must live as long as `given`. RDV_OK, RDV_NONE: there is
 * none, or RDV_E_NOMEM. Linear in the step and in the texts that were not read yet. */
int unread_statement(given_numbers *given, rdv_str step, calc_list *calcs, unread_calculation *out);
/* The same as the one item of *unread, in `arena`, of a step of which nothing else was left unread;
 * none there is RDV_OK too. */
int unread_statement_list(given_numbers *given, rdv_str step, calc_list *calcs, rdv_arena *arena,
                          unread_calculation **unread, size_t *n_unread);
