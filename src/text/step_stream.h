/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Cutting a text into steps while it comes. Where a step ends is decided once, from what has come,
 * and is the same wherever the pieces of the text end.
 *
 * The rules are those of rdv_split_steps(), except for what a later line could change there:
 * - A heading of a family opens a step as soon as the family is known: at its first heading
 *   ("Step", "Thought", "#1."), its second counted number, or its second title. What came before
 *   that and is not sent yet is held until then; what was cut into paragraphs before stays so.
 * - From numbers and titles a text goes over to "Step 1:" and its kin, never back.
 * - Titles rule where one stands before the first number.
 * - A mark of thinking ends a step, and behind it the rules begin anew.
 * A text with no blank line and no heading is cut at its end, into lines. What is open holds: code
 * fences, display and inline maths, a list after its first item, a line that ends in ":".
 * tests/reference/stream_steps.py counts how often this differs from rdv_split_steps(). */
#include "text/block.h"

#include <rederive/text.h>

#define STEP_STREAM_MOST_HELD ((size_t)64 * 1024) /* bytes that are not decided yet */

/* Each byte of a text belongs to one step: the first begins at byte 0, and each ends where the next
 * begins. */
typedef struct stream_step {
    size_t end;
    rdv_str text; /* as rdv_steps.text; len 0: there is no step in it, only a heading, a greeting,
                     or nothing */
} stream_step;

/* A line that is not blank, of the step that is being read. */
typedef struct stream_line {
    size_t begin;
    rdv_heading heading;
    bool breaks; /* there is a blank line before it, and it does not join what is before that */
    bool joins;  /* it joins what is before it, even without a blank line */
} stream_line;

/* All offsets are of the whole text. */
typedef struct step_stream {
    rdv_arena *arena;
    stream_step *steps; /* decided, in `arena` */
    size_t n, cap, max; /* max: steps that are allowed */
    size_t looked;      /* no mark of thinking begins before */
    size_t section;     /* where the text behind the last mark begins, without white space */
    size_t at;          /* the next line to read */
    size_t grown;       /* bytes that the reading of that line has seen */
    size_t begin;       /* the step that is being read begins here, */
    size_t mark_len;    /* with the heading, of so many bytes, */
    stream_line *lines; /* and has these lines, where the family is not known yet */
    size_t n_lines, cap_lines;
    rdv_heading_kind by; /* the family of this section */
    size_t next_number;  /* the next number that counts; RDV_NO_NUMBER: none did */
    size_t n_numbers, n_titles;
    size_t greeting_end; /* what is before was looked at, and holds no reasoning; 0: not */
    bool title_first;    /* a title stands before the first number */
    bool gap, after_colon, has_line; /* of the last line that is not blank */
    bool cut;                        /* a step of this section was cut off at a blank line */
    bool ended;
} step_stream;

/* Initialise for a text without pieces; `arena` outlives it. */
void step_stream_init(step_stream *s, size_t max_steps, rdv_arena *arena);
/* Read on. `text`: all that has come so far: the bytes given before are the same, where ever they
 * lie now. `ended`: nothing more comes. RDV_OK; RDV_E_LIMIT: more than STEP_STREAM_MOST_HELD bytes
 * would have to be held, or there are too many steps; RDV_E_NOMEM. */
int step_stream_read(step_stream *s, rdv_str text, bool ended, rdv_error *err);
/* The byte up to which steps are decided. */
size_t step_stream_decided(const step_stream *s);
