/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A check of a reply by a method that asks a model: one run for it, with its own limits. It blocks
 * the thread that makes it. */
#include "judge/judgement.h"
#include <rederive/run.h>

typedef struct model_check model_check;

/* The model that is asked, and how long and how much. Borrowed until the check is freed. */
typedef struct model_check_options {
    const rdv_model_spec *servers; /* n of them; 0: the built-in model */
    size_t n;
    rdv_str key;                /* for these servers alone; p == NULL: none */
    const rdv_builtin *builtin; /* NULL: it has servers */
    const rdv_prompts *prompts;
    struct survey_memory *surveys; /* of these servers; NULL: each check surveys them */
    uint64_t tokens;  /* most, of requests and replies */
    uint32_t seconds; /* most, of a call, */
    uint32_t all_seconds; /* and of all: then it is stopped */
} model_check_options;

struct relay_ctx;
/* Options for asking one of the models that are served about one reply. */
model_check_options model_check_of(const struct relay_ctx *ctx, size_t model,
                                   const judge_asking *asking);
/* Its name, as its servers and records have it. */
rdv_str model_check_name(const model_check_options *options);

/* NULL: out of memory. */
model_check *model_check_new(const model_check_options *options);
/* Not while it checks. NULL and *NULL are accepted. */
void model_check_free(model_check **m);
/* As judge_asker.check, with the check as `of`; the results are valid until it is freed. */
int model_check_chain(void *of, const rdv_method *method, rdv_chain *chain, rdv_check *out,
                      rdv_str *unknown, rdv_error *err);
/* For several chains, by one method: a plan, the caller's, of one with the type of its question
 * (p == NULL: not known); and all of them carried out. *why: it is not complete; p == NULL: it is.
 */
int model_check_plan(model_check *m, const rdv_method *method, rdv_chain *chain, rdv_str type,
                     rdv_plan **plan, rdv_error *err);
int model_check_run(model_check *m, const rdv_plan_source *source, rdv_str *why, rdv_error *err);
/* After that, whether it is not complete since the model could not be asked. */
bool model_check_failed(const model_check *m);
/* End it soon; what was not answered is unknown. From any thread. */
void model_check_stop(model_check *m);
/* What the model was asked for, after the check: as its server counted, or bytes / 4. */
void model_check_tokens(const model_check *m, uint64_t *in, uint64_t *out);
