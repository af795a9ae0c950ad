/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A check of a reply by a method that asks a model: one run for it. It blocks the thread that makes
 * it. */
#include "judge/judgement.h"
#include "server/model_run.h"

typedef struct model_check model_check;

/* NULL: out of memory. */
model_check *model_check_new(const model_run_options *options);
/* Not while it checks. NULL and *NULL are accepted. */
void model_check_free(model_check **m);
/* Forget the results so far, before another judgement of the same reply. */
void model_check_again(model_check *m);
/* As judge_asker.check, with the check as `of`; the results are valid until then, or until it is
 * freed. */
int model_check_chain(void *of, const rdv_method *method, rdv_chain *chain, rdv_check *out,
                      rdv_str *unknown, rdv_error *err);
/* For several chains, all by one method: a plan, the caller's, of one with the type of its
 * question; p == NULL: not known. */
int model_check_plan(model_check *m, const rdv_method *method, rdv_chain *chain, rdv_str type,
                     rdv_plan **plan, rdv_error *err);
/* Why not all was answered, in words without addresses of servers; p == NULL: all was. */
rdv_str model_check_why(const model_check *m);
/* Its run, to stop it and to count; borrowed. */
model_run *model_check_run(model_check *m);
