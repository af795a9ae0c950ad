/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What surveys found out about servers, for later runs that ask the same ones with the same keys.
 * A server is surveyed by one run at a time; others wait for what it finds. Any thread. */
#include "run/survey/survey.h"
#include <rederive/run.h>

typedef struct survey_memory survey_memory;

/* Without texts, which a run's own survey keeps. */
typedef struct survey_found {
    unsigned items; /* of survey_item, as bits: what was asked */
    rdv_abilities abilities;
    rdv_software software;
    wire_props props;
} survey_found;

/* NULL: out of memory. */
survey_memory *survey_memory_new(void);
/* NULL and *NULL are accepted. No run may use it any more. */
void survey_memory_free(survey_memory **m);
/* What is remembered of servers counts no more, nor what runs find that survey one now. */
void survey_memory_forget(survey_memory *m);

/* What is known of the model at that address; without items: nothing. RDV_OK; RDV_LATER: another
 * run surveys it. */
int survey_memory_look(survey_memory *m, rdv_str url, rdv_str model, survey_found *found);
/* Before a survey: no other run begins one until survey_memory_end(). *turn: for that. RDV_OK;
 * RDV_LATER: another run surveys it. Where memory runs out, nothing will be remembered. */
int survey_memory_begin(survey_memory *m, rdv_str url, rdv_str model, uint64_t *turn);
/* The survey has ended. found: NULL: without a result that is to be remembered. */
void survey_memory_end(survey_memory *m, rdv_str url, rdv_str model, uint64_t turn,
                       const survey_found *found);
