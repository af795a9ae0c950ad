/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/text.h - splitting a solution into steps and a question into sentences (spec section 2).
 *
 * Results are slices: they borrow from the text given (or, where thinking or marks were taken out,
 * from a copy in the arena), so the text must live as long as they do. Any bytes are accepted,
 * UTF-8 or not. Time is linear in the text. The rules are ours; the papers leave them open. */
#include <rederive/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- headings -------------------------------------------------------------------------------- */

/* The families of headings, from the most to the least distinctive. One family applies to a text:
 * the first in this order that opens a step in it. Letter case, emphasis marks (** __) and
 * Markdown's "### " around a heading do not matter, except where they make the heading
 * (RDV_HEADING_MARKDOWN). */
typedef enum rdv_heading_kind {
    RDV_HEADING_NONE = 0,
    RDV_HEADING_STEP,    /* "Step 1:", "Step :", "Step ::", "**Step 1:**", "### Step 1: Title",
                            "Step 1 - ...", "(Step 1)" */
    RDV_HEADING_THOUGHT, /* "Thought 1:" */
    RDV_HEADING_HASH,    /* "#5. (by #1 #2)", also with "Step 3:" after it */
    RDV_HEADING_NUMBER,  /* "1. ", "1) ", "**1.** " at the margin, counting up */
    RDV_HEADING_MARKDOWN /* "## Any title" */
} rdv_heading_kind;

#define RDV_NO_NUMBER ((size_t)-1)

typedef struct rdv_heading {
    rdv_heading_kind kind;
    size_t number; /* as written; RDV_NO_NUMBER if there is none ("Step ::") */
    rdv_str mark; /* the text that was removed from the step ("**Step 1:** "); p == NULL: nothing */
    size_t *premises; /* the ids in "(by #1 #2)" in their order, as written; NULL: none */
    size_t n_premises;
} rdv_heading;

/* ---- steps ----------------------------------------------------------------------------------- */

typedef enum rdv_split_mode {
    RDV_SPLIT_STEPS = 0, /* headings, else paragraphs, else lines */
    RDV_SPLIT_LINES      /* a step is a line (general-purpose verification, section 4) */
} rdv_split_mode;

#define RDV_SPLIT_MAX_STEPS 4096
#define RDV_SPLIT_MAX_BYTES ((size_t)4 << 20)

/* Zero but for `size`: the defaults. */
typedef struct rdv_split_options {
    size_t size; /* sizeof(rdv_split_options) */
    rdv_split_mode mode;
    size_t max_steps; /* refuse more; 0 = RDV_SPLIT_MAX_STEPS */
    size_t max_bytes; /* refuse longer texts; 0 = RDV_SPLIT_MAX_BYTES */
} rdv_split_options;

typedef struct rdv_steps {
    rdv_str *text;         /* n of them, without their headings, trimmed, never empty */
    rdv_heading *headings; /* n of them; is == RDV_HEADING_NONE where a step has none of its own */
    size_t n;
    rdv_heading_kind by; /* the family that applies; RDV_HEADING_NONE: paragraphs or lines */
} rdv_steps;

/* Cut a solution into steps.
 * - "<think>...</think>" is taken out first.
 * - Code fences (``` ~~~) and display maths (\[ \], $$ $$, \begin{X} \end{X}) are never cut, and
 *   nothing inside them is a heading. One that is never closed is an ordinary line. Nor is inline
 *   maths cut ($ $, \( \)), which may hold line breaks but no blank line; a price, and a "$"
 *   without its partner in the paragraph, open nothing.
 * - With headings, blank lines never split, and a heading of another family ("1." under "Step 1:")
 *   is text. Numbers must count up by one from 0 or 1, at least two of them; so must there be two
 *   titles, and titles go before numbers that begin anew under them. Text before the first heading
 * is a step of its own if it contains reasoning: a digit, an equals sign, LaTeX, a single letter,
 * or three sentences; else it is a greeting or an announcement and is dropped.
 * - Without headings a step is a paragraph, where there is a blank line to cut at, else a line.
 *   What ends in ':' is joined with what follows, and a paragraph that begins with a block of
 *   display maths or code with what is before it.
 * - A heading with nothing after it, not even in the following lines, makes no step. The marks that
 *   close "**Step 1: Title**" go with its heading.
 * - RDV_SPLIT_LINES: every line that is not blank, headings taken off, blocks whole, nothing joined
 *   or dropped.
 *
 * options: NULL = defaults. *out: arrays in `arena`, text borrowed (see above), n 0 for
 * an empty text; untouched on failure. Faults: RDV_E_NOMEM, RDV_E_LIMIT, RDV_E_ARGUMENT
 * (an option). */
RDV_API int rdv_split_steps(rdv_str text, const rdv_split_options *options, rdv_arena *arena,
                            rdv_steps *out, rdv_error *err);

/* ---- sentences ------------------------------------------------------------------------------- */

#define RDV_SENTENCES_MAX 4096

/* Cut a question into its sentences, "Information j" of SelfCheck (section 3.1 leaves the splitting
 * open). A sentence ends at . ! ? or their runs, with closing quotes and brackets, before white
 * space (which may be forgotten before a capital: "apples.How"); not at an abbreviation (Mr. e.g.
 * a.m. U.S.), an initial, a decimal point, an item number ("1. "), nor inside maths ($...$,
 * \(...\), display maths) or a code fence. A blank line, and a line that begins as a list item, end
 * a sentence too; a single line break does not.
 * *out: array in `arena` of *n slices of `text`, trimmed, never empty; untouched on failure.
 * What comes after RDV_SENTENCES_MAX sentences stays part of the last. Faults: RDV_E_NOMEM. */
RDV_API int rdv_split_sentences(rdv_str text, rdv_arena *arena, rdv_str **out, size_t *n,
                                rdv_error *err);

#ifdef __cplusplus
}
#endif
