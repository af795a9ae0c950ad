/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/data.h - records: reading chains and questions from files, callbacks and memory, and
 * writing the results.
 *
 * docs/records.md describes the records themselves. Reading streams: one record is in memory at a
 * time (and what the joined files hold, see rdv_read_options.join). A reader is used by one thread
 * at a time; several readers may be used by several threads. */
#include <rederive/chain.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the record format (docs/records.md, docs/schemas): the member "rederive_schema" of
 * every output record. It increases when a member changes its name or meaning. An input record may
 * lack it; another version is RDV_E_INPUT. */
#define RDV_RECORD_VERSION 1

/* ---- what a record is ------------------------------------------------------------------------ */

typedef enum rdv_record_kind {
    RDV_RECORD_CHAIN,    /* a question with steps: `chain` */
    RDV_RECORD_QUESTION, /* a question without steps: `chain.question`; `chain.n_steps` is 0 */
    RDV_RECORD_RESULT,   /* `result`; `chain.raw` has its bytes */
    RDV_RECORD_ERROR,    /* an earlier command's error record without a question: `error` */
    RDV_RECORD_PAIR      /* with rdv_read_options.pairs: `pair`; of `chain` the id, `raw`, and of
                            its question the text, gold answer, options and kind */
} rdv_record_kind;

/* An answer to be graded, and what it is compared with. Texts are in the arena of the record. */
typedef struct rdv_answer_pair {
    rdv_str answer;       /* p == NULL: absent */
    rdv_str text;         /* a whole reply that states the answer; p == NULL: absent */
    const rdv_str *golds; /* right answers, each of them; at least one, an element may be absent */
    size_t n_golds;
} rdv_answer_pair;

typedef struct rdv_record {
    rdv_record_kind kind;
    rdv_chain chain;
    rdv_result result;
    rdv_answer_pair pair;
    rdv_str error;      /* the record's own `error`; p == NULL: none */
    const char *format; /* name of the format it was read as; a static string */
    size_t line; /* line of the input where it begins, from 1; in a zip file, the number of the
                    sample, from 1 */
    const struct rdv_places *places; /* the library's own: where the steps stand in the file; NULL:
                                        nobody asked, or it is not known */
} rdv_record;

/* ---- reading --------------------------------------------------------------------------------- */

#define RDV_MAX_RECORD_BYTES ((size_t)64 << 20)
#define RDV_MAX_DEPTH ((size_t)512)
#define RDV_MAX_STEPS ((size_t)100000)
#define RDV_MAX_MEMBERS ((size_t)10000)
#define RDV_MAX_UNKNOWN ((size_t)1000) /* records of no known form at the beginning of a file */
#define RDV_MAX_CHAINS ((size_t)10000) /* that one record may give: each repeats its question */

/* Zero but for `size`: the defaults. The strings are borrowed until the reader is closed. */
typedef struct rdv_read_options {
    size_t size;        /* sizeof(rdv_read_options) */
    const char *format; /* read every record as this format; NULL: recognised by its members */
    const char *name;   /* name of the set, in ids ("NAME/7"); NULL: made from the file's name */
    /* Further files whose records are joined to those read, held in memory from the opening on:
     * step scores (by problem_id and candidate_index, or by id), questions (by id), and the
     * requests of a batch (by custom_id). */
    const char *const *join;
    size_t n_join;
    size_t max_record_bytes; /* longer records are skipped unread; default RDV_MAX_RECORD_BYTES */
    size_t max_depth;        /* of nested lists and objects; at most and default RDV_MAX_DEPTH */
    size_t max_steps;        /* of one chain; default RDV_MAX_STEPS */
    size_t max_members;      /* of one record, at its top level; default RDV_MAX_MEMBERS */
    bool check_reasoning;    /* the steps of a record's `reasoning` come before the solution's own,
                                and the record gets `n_reasoning_steps`; false: only kept */
    /* Called with each note, a remark on the file that is no fault, once a file for each kind of
     * note: one line without a newline ("FILE:LINE: NaN was read as null"), from the thread that
     * reads. NULL: notes are dropped. */
    void (*note)(void *payload, const char *message);
    void *note_payload;
    /* Where a record has its parts, in place of where its format has them: a JSON Pointer
     * ("/choices/0/text", RFC 6901) or names with points ("choices[0].text"; -1 is the last of a
     * list). NULL: as the format says. A record of no known format needs steps_from or
     * question_from alone. A record without the path is RDV_E_INPUT. */
    const char *question_from; /* a text */
    const char *steps_from;    /* a list of texts, or one text, which is split as a solution is */
    const char *gold_from;     /* a text or a number; of a list the first */
    const char *id_from;       /* the id of the chain: a text or a number */
    const char *question;      /* the question of plain-text solutions; NULL: not known */
    const char *separator;     /* of a text file: the line between two solutions; NULL: one file is
                                  one solution */
    /* Pairs are records too: what has `gold`, a text, a number or a list of them, beside `answer`,
     * `text` or `response`, and no steps; `options` and `answer_type` (or `kind`) may stand there
     * too. false: a record needs a question. */
    bool pairs;
    const char *answer_from; /* of a pair: a path as above, to a text or a number */
    const char *text_from;   /* the same: to a whole reply */
    bool notes_left_out;     /* a note for each kind of thing in the file that is no part of its
                                chains: earlier replies of a chat, reasoning, output of tools */
    bool texts_ask;          /* a plain text is a question; false: a solution */
    bool evidence_numbers;   /* of the evidence of verdicts only the numbers are read, which takes
                                less time; `raw` has all of it */
    bool places;             /* keep where the steps of each chain stand in the file */
} rdv_read_options;

/* Where bytes come from: at most `size` of them into `bytes`; returns how many, 0 at the end, -1 on
 * failure. */
typedef struct rdv_source {
    void *cookie;
    ptrdiff_t (*read)(void *cookie, void *bytes, size_t size);
} rdv_source;

typedef struct rdv_reader rdv_reader;

/* Open the file at `path` ("-": standard input) for reading. gzip is recognised by its first bytes.
 * The layout is recognised from the content: JSON Lines, one JSON list of records, one JSON object
 * of records or of lists of records, or pretty-printed records one after another; CSV or TSV with a
 * header; a log of inspect_ai (.json or .eval); plain text and Markdown, which are recognised last,
 * and by the endings .txt and .md. NaN and Infinity are read as null.
 * `options` may be NULL and is copied. On success *reader is the caller's, released with
 * rdv_reader_close(); on failure it is NULL and nothing is held.
 * Faults: RDV_E_IO (cannot be opened or read), RDV_E_ARGUMENT (no such format), RDV_E_INPUT (a
 * joined file is not usable), RDV_E_NOMEM. */
RDV_API int rdv_reader_open(const char *path, const rdv_read_options *options, rdv_reader **reader,
                            rdv_error *err);
/* The same from `source`, which must live as long as the reader and is not closed by it; `name`
 * (copied) is the file's name in messages. */
RDV_API int rdv_reader_open_source(rdv_source source, const char *name,
                                   const rdv_read_options *options, rdv_reader **reader,
                                   rdv_error *err);

/* The next record into *record; everything it points to is in `arena`, which the caller may reset
 * between calls. One record of a file may give several (the candidates of a pool).
 * Chains come out with: id ("NAME/n" where the source has none), question.id, and the label counted
 * from 0 whatever the source does. `chain.raw` is always a record in Rederive's native format: the
 * bytes that were read, or for the public formats a record made from them, in which members that
 * rdv_chain does not have keep their value. RDV_OK; RDV_NONE at the end; RDV_E_INPUT or
 * RDV_E_LIMIT: this record is unusable ("FILE:LINE: reason") and the next call goes on with the one
 * after it. Final faults, after which every call returns the same: RDV_E_IO (also a truncated or
 * damaged gzip file, after the records before the damage); RDV_E_FORMAT: the file is of no kind
 * that is read, or none of its records (of its first RDV_MAX_UNKNOWN, where it has more) is of a
 * known form or has the mapped paths; RDV_E_NOMEM. *record is undefined unless RDV_OK. */
RDV_API int rdv_reader_next(rdv_reader *reader, rdv_arena *arena, rdv_record *record,
                            rdv_error *err);
/* Release the reader and set *reader to NULL. NULL and *NULL are accepted. */
RDV_API void rdv_reader_close(rdv_reader **reader);

/* Read one record from memory: one JSON object in any format, with white space around it. `options`
 * may be NULL; without a `name` a chain whose record has no id has none (p == NULL), and nothing
 * can be joined. What a record gives is as rdv_reader_next() says; one of a pool gives a chain for
 * each candidate.
 * *records: the *n of them, usually 1, in `arena`; `bytes` is not needed any more. Both are
 * untouched on failure. Faults, with "line 1, column 7: " where the place is known: RDV_E_INPUT,
 * RDV_E_LIMIT, also where only one of its chains cannot be used; RDV_E_ARGUMENT (an option);
 * RDV_E_NOMEM. */
RDV_API int rdv_record_read(rdv_str bytes, const rdv_read_options *options, rdv_arena *arena,
                            rdv_record **records, size_t *n, rdv_error *err);

/* The `i`-th format that can be asked for by name, or NULL past the last: its name (static), and
 * one line about it in *about (may be NULL). */
RDV_API const char *rdv_format_name(size_t i, const char **about);

/* ---- writing --------------------------------------------------------------------------------- */

/* Zero but for `size`: the defaults. */
typedef struct rdv_write_options {
    size_t size;   /* sizeof(rdv_write_options) */
    bool changed;  /* steps and answer are no longer those in `raw`: write them from the chain, and
                      leave out the data about the old steps (label, step_labels, scores, logprobs,
                      solution) unless the chain has it */
    rdv_str extra; /* members to add at the end, JSON text without the braces: "\"repairs\":[...]";
                      members of the same names in `raw` are left out */
    rdv_str error; /* why the record could not be done, written as its `error` */
    bool checked;  /* the last of chain->checks is new: leave out what `raw` says by its own last
                      check (accepted, acceptance, certificate) */
} rdv_write_options;

/* One line of JSON, with a newline, for a chain (or a question, when it has no steps): the members
 * of `raw` with their bytes, then those of the chain that `raw` lacks, then chain->checks: the last
 * one at the top, and all under "checks" if there are several. Of several checks by one method the
 * latest is written. Equal input gives equal bytes. `options` may be NULL. *line is in `arena`.
 * Faults: RDV_E_NOMEM; RDV_E_INPUT when `raw` is not a JSON object;
 * RDV_E_ARGUMENT (an option). */
RDV_API int rdv_record_write(const rdv_chain *chain, const rdv_write_options *options,
                             rdv_arena *arena, rdv_str *line, rdv_error *err);
/* One line of JSON, with a newline, for a question's result. `extra` as above (p == NULL: none). */
RDV_API int rdv_result_write(const rdv_result *result, rdv_str extra, rdv_arena *arena,
                             rdv_str *line, rdv_error *err);
/* One line of JSON, with a newline, for input that gave no record: {"error":"..."}. */
RDV_API int rdv_error_write(rdv_str message, rdv_arena *arena, rdv_str *line, rdv_error *err);

/* ---- members of a record --------------------------------------------------------------------- */

/* The bytes of the value of member `name` of the JSON object `raw`, borrowed from it, with their
 * quotes if it is a string. Looks through the whole record: for many members of one record at a
 * time it is not made. RDV_NONE: no such member, or not an object. Faults: RDV_E_NOMEM. */
RDV_API int rdv_record_member(rdv_str raw, rdv_str name, rdv_str *value);
/* The member as text: a string decoded, a number or a truth value as written. In `arena`.
 * RDV_NONE: no such member, null, a list or an object. Faults: RDV_E_NOMEM. */
RDV_API int rdv_record_text(rdv_str raw, rdv_str name, rdv_arena *arena, rdv_str *text);

#ifdef __cplusplus
}
#endif
