/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A survey determines a server's abilities, one exchange after another. No I/O: rdv_run_probe()
 * surveys everything and waits for each response; a run surveys what it will need (survey_call.c).
 *
 *     survey_begin(&s, model, &abilities, items, arena);
 *     while ((rc = survey_next(&s, &path, &body, err)) == RDV_OK)
 *         (send it)  survey_took(&s, status, body, err)
 *                    or, where no response comes: survey_skip(&s) */
#include "model/wire.h"

/* In the order of the survey. */
typedef enum survey_item {
    SURVEY_MODELS, /* the server's models and software */
    SURVEY_PROPS,  /* llama.cpp: replies at a time, and whether there is a chat template */
    SURVEY_CHAT,
    SURVEY_TEMPERATURE,
    SURVEY_TOP_P,
    SURVEY_STOP,
    SURVEY_SYSTEM,
    SURVEY_FREE_TURNS,
    SURVEY_LOGPROBS,
    SURVEY_PREFIX, /* is an assistant's turn continued, and is its text given back? */
    SURVEY_MANY,
    SURVEY_SCHEMA,
    SURVEY_CHOICE,
    SURVEY_STREAM,
    SURVEY_FINISH, /* does it say how a reply ended? Known from any other reply */
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
    /* results besides the abilities */
    wire_about about;
    wire_props props;
    rdv_str refused; /* the response to the first chat request; p == NULL: not refused */
    /* of the latest exchange */
    bool asks; /* the model generated text */
    /* private to survey.c */
    rdv_str model;
    rdv_abilities *abilities, asked;
    unsigned left;
    bool one_score; /* stop after the first way to score */
    bool open;
    survey_item item;
    rdv_arena *arena;
    rdv_request request;
    wire wire;
    rdv_str tokenized, refusal;
} survey;

/* Survey these items (bits); other abilities are left as they are. Results go to *abilities at
 * once, and their texts to `arena`; all arguments are borrowed. */
void survey_begin(survey *s, rdv_str model, rdv_abilities *abilities, unsigned items,
                  rdv_arena *arena);
/* The next request: to the server's address with that path; body.p == NULL: a GET. RDV_NONE: the
 * survey is complete. Faults: RDV_E_NOMEM. */
int survey_next(survey *s, const char **path, rdv_str *body, rdv_error *err);
/* Take in the response to it. Faults: RDV_E_NOMEM. */
int survey_took(survey *s, long status, rdv_str body, rdv_error *err);
/* Whether a way to score a given text is known. */
bool survey_can_score(const rdv_abilities *a);
/* No response came, or an unusable one: the item is taken as unsupported. */
void survey_skip(survey *s);
