/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Building a chain from the members of a record. The readers of all formats use these functions.
 *
 * Faults are sticky in the record's rdv_members, so that a reader is a plain list of assignments;
 * the chain is used only if there was no fault. All text is copied into the caller's arena. */
#include "base/buf.h"
#include "data/joined.h"
#include "data/members.h"
#include "data/notes.h"
#include "data/places.h"

typedef struct rdv_chain_builder {
    rdv_members *in; /* the record as it was published */
    rdv_record *out;
    rdv_chain *chain; /* of *out */
    rdv_arena *arena; /* where the chain goes */
    rdv_buf extra;    /* JSON members that have no place in rdv_chain, for its `raw` */
    const char *set;  /* name of the set */
    size_t number;    /* of the record in its file, from 0 */
    size_t index;     /* of the chain in its record, from 0 */
    size_t chains;    /* that the record gives; 0 while they are counted */
    bool no_answer;   /* the source states that the chain has no answer, so none is read */
    const rdv_joined *joined;
    const rdv_limits *limits;
    rdv_str reasoning;    /* that the model gave apart from its reply; p == NULL: none */
    bool check_reasoning; /* its steps are to be checked as well */
    bool evidence_numbers; /* of the evidence of verdicts, only numbers are read */
    rdv_notes *notes;     /* NULL: nobody listens */
    rdv_copies *copies;   /* how the record's values were decoded; NULL: nobody asks */
} rdv_chain_builder;

/* ---- taking members -------------------------------------------------------------------------- */

/* Set the fault of lacking memory, for code without an rdv_members. */
void rdv_build_nomem(rdv_chain_builder *m);
/* Keep a value, whose reference it takes, as long as the record. NULL: `value` is NULL, or there is
 * no memory, and the fault is set. */
json_t *rdv_build_kept(rdv_chain_builder *m, json_t *value);
/* A decoded string, a number as it is written (at the top level) or shortest, "true" or "false".
 * p == NULL for null and where there is no such member; a list or an object is a fault. */
rdv_str rdv_build_text(rdv_chain_builder *m, const char *name);
/* The same of a decoded value; `name` for the message. */
rdv_str rdv_build_text_of(rdv_chain_builder *m, const json_t *value, const char *name);
/* A number, shortest. */
rdv_str rdv_build_number_text(rdv_chain_builder *m, double number);
/* Members of decoded values; NULL-tolerant like jansson's own. */
rdv_str rdv_build_text_in(rdv_chain_builder *m, const json_t *object, const char *name);
/* A member that must be there and be a list (an object), else the fault and NULL. */
json_t *rdv_build_list(rdv_chain_builder *m, const char *name);
json_t *rdv_build_object(rdv_chain_builder *m, const char *name);
/* 1 for true, "true", "correct", "yes" and 1; 0 for false, "false", "incorrect", "wrong", "no" and
 * 0; -1 for all else and for a missing member. */
int rdv_build_flag_of(const json_t *value);
int rdv_build_flag_named(const char *name); /* the same of a text; NULL: none */
int rdv_build_flag(rdv_chain_builder *m, const char *name);
/* Element `m->index` of a list member, or NULL. */
const json_t *rdv_build_element(rdv_chain_builder *m, const char *name);
/* How many elements a list member has; what is not a list has none. */
size_t rdv_build_count(rdv_chain_builder *m, const char *name);
/* A whole number, also one written in a string ("3"); false for all else. */
bool rdv_build_integer(const json_t *value, long *out);
/* The same of a text, or where it is NULL of a number. */
bool rdv_build_whole(const char *text, double number, long *out);
/* The numbers of a list, NaN for null, into *n; NULL and the fault for all else. */
double *rdv_build_numbers(rdv_chain_builder *m, const json_t *list, const char *name, size_t *n);
/* A list of texts, *n of them. */
rdv_str *rdv_build_texts(rdv_chain_builder *m, const json_t *list, const char *name, size_t *n);

/* ---- setting the chain ----------------------------------------------------------------------- */

/* The steps from a list of texts; more than the limit are a fault. */
void rdv_build_steps(rdv_chain_builder *m, const json_t *list, const char *name);
/* The same of a member of that name, which must be such a list. */
void rdv_build_steps_of(rdv_chain_builder *m, const char *name);
/* The steps from one text, split by headings, paragraphs or lines (rdv_split_steps), or where
 * `lines` one step per line that is not blank. */
void rdv_build_split(rdv_chain_builder *m, rdv_str solution, bool lines);
/* The label from an index counted from `base`; one past the chain's end leaves it unknown. */
void rdv_build_label(rdv_chain_builder *m, long index, long base);
void rdv_build_no_mistake(rdv_chain_builder *m);
/* Options from texts that may begin with their letter: "A) 6", "(A) 6", "A: 6". */
void rdv_build_options(rdv_chain_builder *m, const json_t *list, const char *name);
/* Options from one text, "a ) 6 , b ) 7", or lines "A: 6" or "(A) 6". None found: none set. */
void rdv_build_options_in(rdv_chain_builder *m, rdv_str text);
/* Options behind a line "Options:" of the question, which then ends before it. */
void rdv_build_options_of_question(rdv_chain_builder *m);
/* "c", "(C)" and "C)" to "C"; all else is unchanged. */
rdv_str rdv_build_letter(rdv_chain_builder *m, rdv_str text);
/* One score list. */
void rdv_build_score(rdv_chain_builder *m, rdv_str name, double *step, size_t n);
/* Per step right or wrong, as judgements of "correct" by the source. `is` is kept. */
void rdv_build_judged(rdv_chain_builder *m, int8_t *is);
/* The question: its text and right answer. */
void rdv_build_question(rdv_chain_builder *m, const char *text, const char *gold);
/* The question of BIG-bench's `input` and `target`. One that is only the list of its task is
 * completed with the task's words, which the record then has as `question_prefix`. */
void rdv_build_bigbench_question(rdv_chain_builder *m);
/* Puts the words `asks` before a question that does not say what to do; the record then has them as
 * `question_prefix`. */
void rdv_build_asked(rdv_chain_builder *m, const char *asks);
/* What follows the last "####" of a worked solution, or all of it if there is none. */
rdv_str rdv_build_after_mark(rdv_str solution);
/* The steps from a worked solution, one per line; a last line "#### 42" or "A: 42" is the answer.
 */
void rdv_build_worked(rdv_chain_builder *m, rdv_str solution);
/* The steps of a "natural program" (judged.c), with their premises kept aside. */
void rdv_build_natural_program(rdv_chain_builder *m, rdv_str solution);
/* What the model reasoned before it replied: keep it as the member `reasoning` (`own`: the record
 * has it), and where m->check_reasoning is set put its steps before the chain's. True: the steps
 * are others than those of the record. */
bool rdv_build_reasoning(rdv_chain_builder *m, bool own);
/* The steps of the record's chain with the steps of the reasoning before them, for a native record,
 * as chain->raw. */
void rdv_build_reasoning_raw(rdv_chain_builder *m);
/* The right answer of the question, by the names that logs and data sets give it (`gold`, `answer`,
 * `target`, ...); what follows "####" where the text has it. Nothing if there is none. */
void rdv_build_gold(rdv_chain_builder *m);
/* The value that the JSON in `text` decodes to, kept as long as the record; NULL if it is none. */
json_t *rdv_build_decoded(rdv_chain_builder *m, rdv_str text);
/* chain->id as "SET/number", with "/index" where the record gives several. */
void rdv_build_id(rdv_chain_builder *m, bool several);

/* ---- members beyond rdv_chain ---------------------------------------------------------------- */

/* Carry the source's member through with its bytes, called `as`. Nothing if there is none. */
void rdv_build_keep(rdv_chain_builder *m, const char *name, const char *as);
void rdv_build_keep_text(rdv_chain_builder *m, const char *as, rdv_str text);
void rdv_build_keep_json(rdv_chain_builder *m, const char *as, const json_t *value);
