/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A method that asks a model, as data: its stages, and how it concludes from their results
 * (docs/methods.md). Tables are files NAME.method beside their prompts. The tables in prompts/ are
 * compiled in by tools/embed_methods.c; a user's tables are read at run time by the same parser. */
#include <rederive/base.h>
#include <rederive/score.h>

#include "base/str.h"

#include <string.h>

/* The request of a stage. */
typedef enum request_form {
    REQUEST_CHAT,  /* a filled-in prompt; a continuation if it ends in the assistant's turn */
    REQUEST_SCORE, /* the log-probabilities of the steps after the prompt of `solve` */
    REQUEST_REWARD_PAIRS,  /* a reward for each step, in the form of --prm-pairs */
    REQUEST_REWARD_VALUES, /* a reward for each step, as values of tokens */
    REQUEST_TURNS,         /* the steps as user turns; each but the last is answered by "+" */
    N_REQUEST_FORMS
} request_form;

/* The unit that a stage asks about. */
typedef enum stage_per {
    PER_CHAIN,
    PER_STEP,
    PER_LATER_STEP,  /* every step but the first, which is given */
    PER_STEP_IN_TURN /* step by step until one is contradicted; --lookahead steps at once */
} stage_per;

/* How a reply is read: a closed list; docs/methods.md has the rules. */
typedef enum reader_kind {
    READER_TEXT,
    READER_DEFINITIONS,
    READER_ITEMS,
    READER_CHOICE, /* one of the words that the table names */
    READER_CHOICE_COMPARISON,
    READER_CHOICE_CORRECTNESS,
    READER_CHOICE_YES_NO,
    READER_CHOICE_RELEVANCE,
    READER_CHOICE_CONSISTENCY,
    READER_NUMBER, /* in a range that the table names */
    READER_CLAIMS,
    READER_LOCATION_THOUGHT,
    READER_LOCATION_BOX,
    READER_SCORE_REWARDS,
    READER_SCORE_SIGN,
    READER_SCORE_LOGPROBS,
    N_READERS
} reader_kind;

/* How verdicts and a confidence follow from the last stage's results: a closed list. */
typedef enum conclusion_kind {
    CONCLUDE_VERDICT,      /* its verdict on each step or on the chain */
    CONCLUDE_LOCATION,     /* its location of the first error */
    CONCLUDE_THRESHOLD,    /* its score of each step, compared with --prm-threshold */
    CONCLUDE_MEAN,         /* the share of its samples that support a step, or the chain */
    CONCLUDE_CALCULATIONS, /* the same, for the calculations that it lists, decided exactly */
    CONCLUDE_PERPLEXITY,   /* the perplexity of each step */
    N_CONCLUSIONS
} conclusion_kind;

#define TABLE_MAX_STAGES 8
#define TABLE_MAX_CHOICES 8
#define TABLE_MAX_SAMPLES 100
#define TABLE_MAX_BYTES ((size_t)64 << 10)

/* Characters that may surround a word or number on its line without being part of it. */
#define TABLE_MARKS " \t*_`'\"()[]{}$"

static inline bool table_is_mark(char c)
{
    return c && strchr(TABLE_MARKS, c);
}

/* The text without such marks, and without full stops at its end. */
static inline rdv_str table_bare(rdv_str text)
{
    while (text.len && table_is_mark(text.p[0]))
        text = rdv_slice(text, 1, text.len);
    while (text.len && (text.p[text.len - 1] == '.' || table_is_mark(text.p[text.len - 1])))
        text.len--;
    return text;
}

typedef struct stage_choice {
    rdv_str word; /* as written in a reply, in any letter case */
    rdv_verdict_kind verdict;
} stage_choice;

typedef struct stage {
    rdv_str name;
    size_t line;     /* of its heading in the file, from 1 */
    rdv_str label;   /* "selfcheck/target": the request's stage; METHOD alone for its namesake */
    rdv_str prompt;  /* id; one that ends in '/' is a folder with a prompt for each task */
    rdv_str as;      /* the name of its result in the evidence and in later prompts */
    rdv_str example; /* a plausible reply of ordinary length, for estimates */
    size_t example_line;
    request_form request;
    stage_per per;
    bool of_question; /* PER_CHAIN, and about the question alone: its chains share the request */
    size_t samples;   /* number of samples; 0: as the option --samples says */
    reader_kind read;
    stage_choice choices[TABLE_MAX_CHOICES]; /* READER_CHOICE */
    size_t n_choices;
    double low, high;               /* READER_NUMBER */
    size_t after[TABLE_MAX_STAGES]; /* the earlier stages that it waits for */
    bool needs[TABLE_MAX_STAGES];   /* for each of those: if that stage fails, this one is unknown,
                                       too */
    size_t n_after;
} stage;

typedef struct method_table {
    rdv_str name, summary;
    conclusion_kind conclude;
    stage stages[TABLE_MAX_STAGES]; /* each after the stages that it waits for */
    size_t n_stages;
} method_table;

/* Reads the text of a file NAME.method into *out, everything in `arena`; *out is untouched on
 * failure. Errors: RDV_E_NOMEM; RDV_E_INPUT and RDV_E_LIMIT with a message that begins
 * with "LINE: ". */
int method_table_read(method_table *out, rdv_str text, rdv_arena *arena, rdv_error *err);
