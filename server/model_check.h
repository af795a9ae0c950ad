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
    uint32_t seconds; /* then it is stopped */
} model_check_options;

/* NULL: out of memory. */
model_check *model_check_new(const model_check_options *options);
/* Not while it checks. NULL and *NULL are accepted. */
void model_check_free(model_check **m);
/* As judge_asker.check, with the check as `of`; the results are valid until it is freed. */
int model_check_chain(void *of, const rdv_method *method, rdv_chain *chain, rdv_check *out,
                      rdv_str *unknown, rdv_error *err);
/* End it soon; what was not answered is unknown. From any thread. */
void model_check_stop(model_check *m);
/* What the model was asked for, after the check: as its server counted, or bytes / 4. */
void model_check_tokens(const model_check *m, uint64_t *in, uint64_t *out);
