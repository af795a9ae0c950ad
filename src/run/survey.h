/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Finding out what a server can do, one exchange after the other. No I/O: rdv_run_probe() asks
 * about everything and waits for each answer, a run asks about what it is going to need
 * (survey_call.c).
 *
 *     survey_begin(&s, model, &abilities, items, arena);
 *     while ((rc = survey_next(&s, &path, &body, err)) == RDV_OK)
 *         (send it)  survey_took(&s, status, body, err)
 *                    or, where no response comes: survey_skip(&s)
 */
#include "model/wire.h"

/* In the order in which they are asked about. */
typedef enum survey_item {
    SURVEY_MODELS, /* what the server serves, and which program it is */
    SURVEY_PROPS,  /* llama.cpp: how many replies at a time, and whether there is a chat template */
    SURVEY_CHAT,
    SURVEY_TEMPERATURE,
    SURVEY_TOP_P,
    SURVEY_STOP,
    SURVEY_SYSTEM,
    SURVEY_FREE_TURNS,
    SURVEY_LOGPROBS,
    SURVEY_PREFIX, /* is an assistant's turn continued, and is it given back? */
    SURVEY_MANY,
    SURVEY_SCHEMA,
    SURVEY_CHOICE,
    SURVEY_STREAM,
    SURVEY_COMPLETIONS,
    SURVEY_ECHO, /* the ways to score a given text */
    SURVEY_PROMPT_LOGPROBS,
    SURVEY_TOKEN_GRAMMAR,
    N_SURVEY_ITEMS
} survey_item;

#define SURVEY_BIT(item) (1u << (item))
#define SURVEY_ALL (SURVEY_BIT(N_SURVEY_ITEMS) - 1)
#define SURVEY_SERVER (SURVEY_BIT(SURVEY_MODELS) | SURVEY_BIT(SURVEY_PROPS))
#define SURVEY_SCORES                                                                              \
    (SURVEY_BIT(SURVEY_TOKEN_GRAMMAR) | SURVEY_BIT(SURVEY_ECHO) |                                  \
     SURVEY_BIT(SURVEY_PROMPT_LOGPROBS))

typedef struct survey {
    /* what was found, beside the abilities */
    wire_about about;
    wire_props props;
    rdv_str refused; /* what came in answer to the first chat; p == NULL: it was not refused */
    /* of the latest exchange */
    bool asks;                                 /* the model had to write something */
    uint64_t prompt_tokens, completion_tokens; /* as far as the server said */
    /* kept by survey.c */
    rdv_str model;
    rdv_abilities *abilities, asked;
    unsigned left;
    bool one_score; /* one way to score is enough */
    bool open;
    survey_item item;
    rdv_arena *arena;
    rdv_request request;
    wire wire;
    rdv_str tokenized, refusal;
} survey;

/* Ask about these items (bits); the rest is left as it is. Everything that is found goes to
 * *abilities at once, and texts of it to `arena`; all are borrowed. */
void survey_begin(survey *s, rdv_str model, rdv_abilities *abilities, unsigned items,
                  rdv_arena *arena);
/* What to send next: to the server's address with that path; body.p == NULL: a GET. RDV_NONE:
 * nothing is left. Faults: RDV_E_NOMEM. */
int survey_next(survey *s, const char **path, rdv_str *body, rdv_error *err);
/* The response to it. Faults: RDV_E_NOMEM. */
int survey_took(survey *s, long status, rdv_str body, rdv_error *err);
/* Is a way known to score a given text? */
bool survey_can_score(const rdv_abilities *a);
/* None came, or none that says anything: it is taken for a no. */
void survey_skip(survey *s);
