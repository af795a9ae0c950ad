/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/chain.h - a question, a chain of steps that answers it, and the checks of the chain.
 *
 * Plain data. Everything a struct points to lives in the arena it was made in (or is borrowed from
 * the caller where a function says so); nothing here is freed piece by piece. Steps are numbered
 * from 0 everywhere inside Rederive. docs/records.md describes each part in a record. */
#include <rederive/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How an answer is read and compared (spec section 2). */
typedef enum rdv_kind {
    RDV_KIND_AUTO = 0, /* not stated: derived from the options and the gold answer */
    RDV_KIND_NUMBER,
    RDV_KIND_OPTION, /* a letter that names one of the options */
    RDV_KIND_YESNO,
    RDV_KIND_TEXT,           /* exact after white space */
    RDV_KIND_LATEX,          /* \boxed{...}, equal as mathematics */
    RDV_KIND_DATE,           /* 05/01/2021 is May 1st, unless only the other order is a date */
    RDV_KIND_DATE_DAY_FIRST, /* 05/01/2021 is January 5th, likewise */
    RDV_KIND_TIME,           /* of day */
    RDV_KIND_MONEY,          /* a currency and an amount */
    RDV_KIND_YESNO_MAYBE,    /* yes, no, or that it cannot be known */
    RDV_KIND_PHRASE          /* a text without its case, punctuation and articles */
} rdv_kind;

/* "number", "option", ... ; "auto" for RDV_KIND_AUTO. A static string. */
RDV_API const char *rdv_kind_name(rdv_kind kind);
/* The kind of that name into *out; RDV_NONE (and *out untouched) when there is no such kind. */
RDV_API int rdv_kind_named(rdv_str name, rdv_kind *out);

typedef struct rdv_question {
    rdv_str id;       /* groups the chains of one question; default: the question's text */
    rdv_str text;     /* p == NULL: not known */
    rdv_str *options; /* without their letters: options[0] is (A) */
    size_t n_options;
    rdv_kind kind;
    rdv_str gold;   /* the right answer; p == NULL: not known */
    rdv_str *golds; /* all ways of writing the right answer, of which any is right; the first is
                       `gold`. NULL: `gold` alone */
    size_t n_golds;
} rdv_question;

/* What is known about the first wrong step of a chain. */
typedef enum rdv_label_kind {
    RDV_LABEL_UNKNOWN = 0,
    RDV_LABEL_NO_MISTAKE, /* known to have none */
    RDV_LABEL_AT          /* the first wrong step is `step` */
} rdv_label_kind;

typedef struct rdv_label {
    rdv_label_kind kind;
    size_t step; /* valid for RDV_LABEL_AT */
} rdv_label;

/* One judge's opinion of each step on one criterion. */
typedef struct rdv_step_labels {
    rdv_str by; /* the annotator */
    rdv_str of; /* the criterion, "correct" for instance */
    int8_t *is; /* per step: 1 yes, 0 no, -1 undecided or missing */
    size_t n;
} rdv_step_labels;

/* A named list of one score per step from another source (a process reward model), in the model's
 * units. */
typedef struct rdv_scores {
    rdv_str name;
    double *step; /* NaN where the score is missing */
    size_t n;     /* equal to the chain's n_steps, or 1 for a score of the whole chain */
} rdv_scores;

/* Natural-log probabilities of the tokens of one step. */
typedef struct rdv_logprobs {
    double *token;
    size_t n;
} rdv_logprobs;

/* ---- verdicts ------------------------------------------------------------------------------- */

typedef enum rdv_verdict_kind {
    RDV_CONTRADICT = -1, /* wrong */
    RDV_UNRELATED = 0,   /* not sure, or nothing to say */
    RDV_SUPPORT = 1,     /* right */
    RDV_UNKNOWN = 2      /* could not be decided, with a reason in `why`; never counts as support */
} rdv_verdict_kind;

/* "contradict", "unrelated", "support", "unknown": a static string. */
RDV_API const char *rdv_verdict_name(rdv_verdict_kind is);
/* The verdict of that name into *out; RDV_NONE when there is no such verdict. */
RDV_API int rdv_verdict_named(rdv_str name, rdv_verdict_kind *out);

/* The evidence for a verdict: a small tree of named texts, numbers, flags and lists, created with
 * rdv_note_*() in an arena and written as JSON under "evidence". */
typedef enum rdv_evidence_type {
    RDV_EVIDENCE_MAP,
    RDV_EVIDENCE_LIST,
    RDV_EVIDENCE_TEXT,
    RDV_EVIDENCE_NUMBER,
    RDV_EVIDENCE_FLAG,
    RDV_EVIDENCE_NULL
} rdv_evidence_type;

typedef struct rdv_evidence rdv_evidence;
/* The notes of a map or list, in order. */
typedef struct rdv_evidence_children {
    rdv_evidence *first, *last;
} rdv_evidence_children;

struct rdv_evidence {
    rdv_evidence_type type;
    rdv_str name;                       /* within a map; p == NULL in a list and at the top */
    union {                             /* by `type`; of RDV_EVIDENCE_NULL there is none */
        rdv_str text;                   /* RDV_EVIDENCE_TEXT */
        double number;                  /* RDV_EVIDENCE_NUMBER; RDV_EVIDENCE_FLAG: 0 or 1 */
        rdv_evidence_children children; /* RDV_EVIDENCE_MAP, RDV_EVIDENCE_LIST */
    };
    rdv_evidence *next; /* in the same map or list */
};

/* Make a note in `arena` and append it to `parent` (NULL: the note is a new top). `name` and `text`
 * are borrowed: they must live as long as the note. NULL when out of memory. */
RDV_API rdv_evidence *rdv_evidence_map(rdv_arena *arena, rdv_evidence *parent, rdv_str name);
/* A list of notes; its children have no name. As rdv_evidence_map(). */
RDV_API rdv_evidence *rdv_evidence_list(rdv_arena *arena, rdv_evidence *parent, rdv_str name);
/* A text, borrowed. As rdv_evidence_map(). */
RDV_API rdv_evidence *rdv_evidence_text(rdv_arena *arena, rdv_evidence *parent, rdv_str name,
                                        rdv_str text);
/* A number; NaN is written as null. As rdv_evidence_map(). */
RDV_API rdv_evidence *rdv_evidence_number(rdv_arena *arena, rdv_evidence *parent, rdv_str name,
                                          double number);
/* True or false. As rdv_evidence_map(). */
RDV_API rdv_evidence *rdv_evidence_flag(rdv_arena *arena, rdv_evidence *parent, rdv_str name,
                                        bool flag);
/* The first child of a map or list; NULL: it has none, or the note is another or NULL. */
RDV_API const rdv_evidence *rdv_evidence_first(const rdv_evidence *note);
/* The child of that name in a map, or NULL. */
RDV_API const rdv_evidence *rdv_evidence_get(const rdv_evidence *map, rdv_str name);

#define RDV_WHOLE_CHAIN ((size_t)-1)
#define RDV_NO_STEP ((size_t)-1)
#define RDV_STEP_UNKNOWN ((size_t)-2) /* of a first error: not known */

typedef struct rdv_verdict {
    size_t step; /* RDV_WHOLE_CHAIN: the verdict is on the chain as a whole */
    rdv_verdict_kind kind;
    double score;           /* in [0,1]; NaN ("null") where unknown */
    rdv_str why;            /* one line for people; p == NULL: nothing to add */
    rdv_evidence *evidence; /* a map, or NULL */
} rdv_verdict;

/* Why a text that looks like a calculation was not read (docs/calculations.md). */
typedef enum rdv_unread_reason {
    RDV_UNREAD_DECIMAL_COMMA = 0, /* 4,50 */
    RDV_UNREAD_UNIT,              /* a unit of several parts or with a sign: km/h, m² */
    RDV_UNREAD_APPROXIMATE,       /* "about", ≈ */
    RDV_UNREAD_ARROW,             /* → in place of the equals sign */
    RDV_UNREAD_MARKUP,            /* LaTeX */
    RDV_UNREAD_LETTERS,           /* a single letter among the numbers */
    RDV_UNREAD_WORDS,             /* words among the numbers, or in place of a sign */
    RDV_UNREAD_OTHER,
    RDV_N_UNREAD_REASONS
} rdv_unread_reason;

/* How much a check could read of the calculations of a chain. */
typedef struct rdv_coverage {
    size_t checked;                      /* right, rounded or wrong */
    size_t undecided;                    /* read, and not decided */
    size_t unread[RDV_N_UNREAD_REASONS]; /* texts that look like calculations, by reason */
} rdv_coverage;

/* What one method said of one chain. */
typedef struct rdv_check {
    rdv_str method;
    rdv_verdict *verdicts; /* one per step in order, or a single one with RDV_WHOLE_CHAIN */
    size_t n_verdicts;
    double confidence;  /* in [0,1]; NaN ("null") if nothing was read or, by a method that computes,
                           decided; docs/voting.md says what such a chain weighs in a vote */
    size_t first_error; /* the first contradict, or by the method's own rule; RDV_NO_STEP: none;
                           RDV_STEP_UNKNOWN: none was found, but not everything was read */
    size_t n_unknown;   /* verdicts that are unknown */
    uint64_t calls;     /* model calls that the result needed */
    uint64_t prompt_tokens, completion_tokens;
    bool skipped; /* not checked because it could no longer change the vote; has no verdicts */
    rdv_coverage *coverage;   /* NULL: the method reads no calculations by itself */
    rdv_str checker, profile; /* the model that was asked and the profile, where they are not those
                                 that the record names, since a later check replaced these;
                                 p == NULL: those of the record */
} rdv_check;

typedef struct rdv_chain {
    rdv_str id; /* p == NULL: none given */
    rdv_question question;
    rdv_str *steps;
    size_t n_steps;
    rdv_str answer; /* the final answer as given or read; p == NULL: none */
    rdv_str
        unfinished; /* why the steps are not the whole solution ("the reply was cut off before its
                       end"); then there is no answer. p == NULL: the solution is complete */
    int correct; /* whether the answer is correct according to the source: 1 yes, 0 no, -1 unknown
                  */
    rdv_label label;
    rdv_step_labels *step_labels;
    size_t n_step_labels;
    rdv_scores *scores;
    size_t n_scores;
    rdv_logprobs *logprobs; /* n_steps of them, or NULL */
    rdv_check *checks;      /* those that stand in the record, the last one last */
    size_t n_checks;
    size_t n_reasoning_steps; /* how many of the first steps are reasoning that the model gave apart
                                 from its answer; at most n_steps */
    rdv_str raw; /* the JSON object the chain came from, so that unknown members are carried
                    through byte for byte; p == NULL: made by the program */
    const struct rdv_raw_members *raw_members; /* the library's own: where the members of `raw`
                                                  are; NULL: they are looked for when asked for */
    bool answer_sought; /* the source says nothing of an answer: it was looked for in the steps */
} rdv_chain;

/* One answer of a question and what stood after it. */
typedef struct rdv_answer_count {
    rdv_str answer;
    double weight; /* sum of the weights of the chains that gave it */
    size_t chains; /* how many gave it */
} rdv_answer_count;

/* What `vote` and `solve` conclude for one question. */
typedef struct rdv_result {
    rdv_str question_id;
    rdv_str answer;      /* p == NULL ("null"): no chain had one */
    double weight_share; /* of the winner, in [0,1]; NaN: no weight was cast */
    rdv_answer_count *answers;
    size_t n_answers;
    rdv_str *tied; /* the answers that share the first place, when more than one does */
    size_t n_tied;
    int correct;             /* 1 right, 0 wrong, -1 not known, or no answer */
    double expected_correct; /* a tie counted as its chance, no answer as 0; NaN: not known */
    size_t unread;           /* chains without a readable answer */
    size_t chains, chains_used;
    uint64_t calls;
    size_t unanswered; /* chains that failed: a call got no reply, or one that the server does not
                          call whole; not in `unread` */
} rdv_result;

/* The score list of that name, or NULL. Borrowed from the chain. */
RDV_API const rdv_scores *rdv_chain_scores(const rdv_chain *chain, rdv_str name);
/* The latest check by that method (p == NULL: by any), or NULL. Borrowed from the chain. */
RDV_API const rdv_check *rdv_chain_check(const rdv_chain *chain, rdv_str method);

#ifdef __cplusplus
}
#endif
