/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The parts of a report, each written into a buffer, and what a report keeps of its chains. */
#include "report/figure.h"
#include "report/html.h"
#include "report/words.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "score/interner.h"

/* ---- what is kept ---------------------------------------------------------------------------- */

/* What the filters of a report ask. The script has the same numbers. */
enum html_flag {
    HTML_WRONG = 1,         /* a step is contradicted */
    HTML_DISAGREES = 2,     /* its answer is another than that of most solutions of its question */
    HTML_UNDECIDED = 4,     /* a step, or something in one, was not decided */
    HTML_FAILED = 8,        /* unread, failed or not finished */
    HTML_ANSWER_WRONG = 16, /* by the gold answer */
    HTML_ANSWER_RIGHT = 32,
    HTML_CHANGED = 64,    /* by a repair */
    HTML_TURNED = 128,    /* the vote chose another answer than the majority */
    HTML_UNREAD = 256,    /* a text that looks like a calculation was not read */
    HTML_RIGHT = 512,     /* no wrong step, and all was decided of what there is to check */
    HTML_NOTHING = 1024,  /* nothing to check */
    HTML_CORRECTED = 2048, /* a step was wrong, and the chain corrects it */
    HTML_UNUSED = 4096 /* a step of the reasoning was wrong, and the reply uses nothing of it */
};

#define HTML_NONE UINT32_MAX

/* A piece of the temporary file. */
typedef struct html_piece {
    uint64_t at;
    uint32_t size;
} html_piece;

typedef struct html_entry {
    uint64_t at;     /* in the temporary file: its anchor, its HTML and its text for searches */
    uint64_t answer; /* a hash of the answer as shown; 0: none */
    uint32_t anchor, html, text; /* their sizes in bytes */
    uint32_t next;               /* the next chain of the question, or HTML_NONE */
    uint16_t dataset, method;
    uint16_t flags;
    int8_t correct;
} html_entry;

typedef struct html_question {
    html_piece head, result;
    uint32_t first, last; /* its chains; HTML_NONE: none */
    uint32_t n;
    bool turned;
} html_question;

/* What a check found in a chain. */
typedef enum html_finding {
    HTML_UNCHECKED,
    HTML_UNFINISHED,
    HTML_SKIPPED,
    HTML_IS_WRONG,
    HTML_IS_RIGHT,
    HTML_IS_GAPS, /* no wrong step, and some right, but not all was read, decided or used */
    HTML_IS_UNREAD,
    HTML_IS_UNDECIDED,
    HTML_IS_CORRECTED,
    HTML_IS_UNUSED,
    HTML_IS_NOTHING,
    HTML_N_FINDINGS
} html_finding;

typedef struct html_found {
    html_finding is;
    bool proves;            /* its method decides exactly */
    bool unread, undecided; /* something in it was not read, or not decided */
    size_t words[N_WORDS];  /* verdicts by their word */
} html_found;

#define HTML_STEPS 20 /* steps with a bar of their own; the last counts later ones too */
#define HTML_BINS 10  /* of confidences */

typedef struct html_counts {
    uint64_t chains, partial;
    uint64_t found[HTML_N_FINDINGS];
    word_counts words; /* of steps */
    uint64_t by_step[N_WORDS][HTML_STEPS];
    uint64_t answer_right, answer_wrong, answer_untold, answer_unknown;
    uint64_t unread, failed;
    uint64_t bin[HTML_BINS], bin_right[HTML_BINS];
    double bin_sum[HTML_BINS];
    uint64_t prompt_tokens, completion_tokens, checked_calls;
    uint64_t tokens_by_step[HTML_STEPS], chains_by_step[HTML_STEPS]; /* by the number of steps */
    /* votes */
    uint64_t results, result_right, result_graded, result_answered, majority_right, majority_graded,
        turned_right, turned_wrong, turned;
    uint64_t no_answer, no_reply; /* no_reply: because calls failed */
    /* repairs */
    uint64_t repaired, changed, before_right, after_right, won, lost, repair_graded;
} html_counts;

#define HTML_STAGES 12 /* of which tokens are counted; more share the last */

typedef struct html_usage {
    uint64_t calls, prompt_tokens, completion_tokens;
} html_usage;

struct rdv_html {
    rdv_arena *arena, *scratch;
    rdv_html_options options;
    html_entry *entries;
    size_t n, cap;
    html_question *questions;
    size_t n_questions, cap_questions;
    interner ids, datasets, methods, anchors, stages;
    html_usage usage[HTML_STAGES]; /* by stage */
    uint32_t failures; /* the question that stands for failed records; HTML_NONE: none */
    uint64_t spilled;  /* bytes in the temporary file */
    bool has_formulas; /* in what is shown */
    html_counts count;
    rdv_study *study;        /* the evaluation that the figures show */
    rdv_study_tables tables; /* n == 0: none */
};

/* ---- findings -------------------------------------------------------------------------------- */

/* What the last check of a chain found. */
html_found html_found_of(const rdv_html_chain *of);
/* The filters that such a chain is in. */
unsigned html_found_flags(const html_found *found);
/* The finding as a badge. anchor: of the chain. */
void html_badge(rdv_buf *b, const html_found *found, const rdv_chain *chain, rdv_str anchor);

/* ---- counting -------------------------------------------------------------------------------- */

/* Count a chain, its last check, what this found, and the grade of its answer. RDV_OK or
 * RDV_E_NOMEM. */
int html_count_chain(rdv_html *html, const rdv_html_chain *chain, const html_found *found,
                     const rdv_grade *grade);
/* Count a repair; after: the grade of the repaired chain. Faults: as rdv_grade_chain(). */
int html_count_repair(rdv_html *html, const rdv_html_chain *chain, const rdv_grade *after,
                      rdv_arena *scratch, rdv_error *err);
/* Count the result of a vote; majority and right: as for html_result(). */
void html_count_result(rdv_html *html, const rdv_result *result, size_t majority,
                       const int8_t *right, bool turned);

/* ---- chains and questions -------------------------------------------------------------------- */

/* The inside of a chain's <article>. anchor: of the chain; grade: of its answer. */
void html_chain(rdv_buf *b, const rdv_html_chain *chain, const html_found *found,
                const rdv_grade *grade, rdv_str anchor, rdv_arena *scratch);
/* The evidence of one verdict as a tree. */
void html_evidence(rdv_buf *b, const rdv_evidence *evidence);
/* Whether there are requests about a step (RDV_WHOLE_CHAIN: about the chain). */
bool html_asked(const rdv_exchange *exchanges, size_t n, size_t step);
/* These requests and their replies, folded. */
void html_exchanges(rdv_buf *b, const rdv_exchange *exchanges, size_t n, size_t step);
/* A repair as a difference. */
void html_repair(rdv_buf *b, const rdv_html_chain *chain);
/* The head of a question. */
void html_question_head(rdv_buf *b, const rdv_question *question);
/* The result of a vote: majority: the index of the most frequent answer, or SIZE_MAX. right: for
 * each answer 1, 0, or -1 for not known. */
void html_result(rdv_buf *b, const rdv_result *result, size_t majority, const int8_t *right);
/* A share in [0,1] as a bar; nothing for NaN. `class`: of the bar, for the style sheet. */
void html_share(rdv_buf *b, double share, const char *class);

/* ---- the document ---------------------------------------------------------------------------- */

/* The tables of a study. */
void html_tables(rdv_buf *b, const rdv_study_tables *tables);
/* All figures of the run with their data. RDV_E_NOMEM. */
int html_figures(rdv_html *html, rdv_buf *b, rdv_error *err);
/* One picture with its data as a table and as a file. `arena` is for temporary data. */
void html_figure_grid(rdv_buf *b, const rdv_figure_grid *grid, rdv_arena *arena);
/* What was found, in a sentence, and what was not checked. */
void html_headline(const rdv_html *html, const rdv_html_run *run, rdv_buf *b);
/* The same in numbers, and the run. */
void html_summary(const rdv_html *html, const rdv_html_run *run, rdv_buf *b);
/* The chains with that flag. */
size_t html_count_flag(const rdv_html *html, int flag);
/* Read a piece of the temporary file into `arena`. RDV_E_IO or RDV_E_NOMEM. */
int html_read(const rdv_html *html, html_piece piece, rdv_arena *arena, rdv_str *out,
              rdv_error *err);
/* Write all chains as data for the script. RDV_E_IO, RDV_E_NOMEM, or as the sink. */
int html_pack(rdv_html *html, const rdv_html_sink *sink, rdv_error *err);
/* The tags around a chain. */
void html_article_open(rdv_buf *b, const html_entry *entry, rdv_str anchor, size_t question);

/* ---- what the build embeds ------------------------------------------------------------------- */

/* report.css, report.js, and KaTeX with its licence: empty where the build had none. */
extern const char html_css[], html_js[], html_katex[];
/* "sha256-..." as in a security policy */
extern const char html_css_hash[], html_js_hash[], html_katex_hash[];
