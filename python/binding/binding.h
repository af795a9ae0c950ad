/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the Python package calls beside the installed headers: functions that do in one call what
 * would be many from Python. Each is called without Python's lock, and calls no Python. */
#include <rederive/answer.h>
#include <rederive/data.h>

/* To be called by what uses exact arithmetic: when this thread ends, what FLINT keeps for it is
 * released. A thread of Python says to nobody that it ends; the C library does. */
void binding_thread_begin(void);

/* ---- grading --------------------------------------------------------------------------------- */

/* Memory for one call at a time, kept between calls. */
typedef struct binding_grader binding_grader;

binding_grader *binding_grader_new(void); /* NULL: out of memory */
void binding_grader_free(binding_grader *grader);

typedef struct binding_grade {
    int code; /* RDV_OK, or a fault with `error` */
    /* rdv_same as a digit, why, reason, answer, gold, answer_as, gold_as, found, with a NUL between
     * two of them, so that Python takes them in one piece. After `why` each begins with a + where
     * there is one, and a NUL in it is a space. */
    rdv_str texts;
    rdv_error error;
} binding_grade;

/* Grade an answer (a whole reply if `reply`) by n gold answers, of which any is right. The result
 * is valid until the grader's next call. */
const binding_grade *binding_grade_pair(binding_grader *grader, const char *answer, size_t length,
                                        bool reply, const rdv_str *golds, size_t n_golds,
                                        const rdv_answer_form *form,
                                        const rdv_compare_options *how);
/* The same by one gold answer and without options. */
const binding_grade *binding_grade_plain(binding_grader *grader, const char *answer, size_t length,
                                         bool reply, const char *gold, size_t gold_length);

/* ---- commands -------------------------------------------------------------------------------- */

/* A command of the program, with the program's options; `python/binding/command.h`. */
typedef struct binding_command binding_command;

typedef enum binding_event {
    BINDING_NOTHING,     /* yet */
    BINDING_LINES,       /* binding_command_lines() has some */
    BINDING_WANTS_INPUT, /* binding_command_feed() or binding_command_end_input() */
    BINDING_ENDED
} binding_event;

/* The arguments are copied. NULL: there is no such command here, or no memory. */
binding_command *binding_command_new(const char *verb, const char *const *argv, int argc);
/* Run it in a thread of its own. false: there is none. */
bool binding_command_start(binding_command *command);
/* false: out of memory. */
bool binding_command_feed(binding_command *command, const char *bytes, size_t n);
void binding_command_end_input(binding_command *command);
/* What there is to do, after at most `ms` milliseconds. */
binding_event binding_command_wait(binding_command *command, unsigned ms);
/* The whole lines of output so far, once; until the next call. */
const char *binding_command_lines(binding_command *command, size_t *n);
/* The messages so far, each with a newline; to be used after the end. */
const char *binding_command_said(binding_command *command, size_t *n);
/* The exit status after the end. */
int binding_command_status(binding_command *command);
/* As Ctrl-C does. From any thread. */
void binding_command_stop(binding_command *command);
/* Stop it, wait for its end, and release it. */
void binding_command_free(binding_command *command);

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct binding_reader binding_reader;

/* NULL: a fault with `err`. The options are not needed any more, their texts are. */
binding_reader *binding_reader_open(const char *path, const rdv_read_options *options,
                                    rdv_error *err);
/* Some records as lines of JSON, and notes on the file; both until the next call. RDV_OK; RDV_NONE
 * at the end; a fault of one record or of the file, as rdv_reader_next(). */
int binding_reader_lines(binding_reader *reader, rdv_str *lines, rdv_str *notes, rdv_error *err);
void binding_reader_close(binding_reader *reader);

/* ---- checking without a model ---------------------------------------------------------------- */

/* The methods and settings of `rederive check`, for one record at a time. */
typedef struct binding_checker binding_checker;

/* argv: options as on the command line. NULL: a fault with `err`. */
binding_checker *binding_checker_new(const char *const *argv, int argc, rdv_error *err);
/* Whether one of the methods asks a model; then no record may be given to it. */
bool binding_checker_asks(const binding_checker *checker);
/* Read a record, the `number`-th of its input from 0; *n: its chains. */
int binding_checker_read(binding_checker *checker, const char *bytes, size_t length, size_t number,
                         size_t *n, rdv_error *err);
/* The line of the i-th chain of that record with its checks, until the next record is read. After a
 * fault other than RDV_E_NOMEM, the line of the record with its "error". */
int binding_checker_check(binding_checker *checker, size_t i, rdv_str *line, rdv_error *err);
/* The line of the i-th chain as it was read. Faults: as binding_checker_check(). */
int binding_checker_chain(binding_checker *checker, size_t i, rdv_str *line, rdv_error *err);
/* The line of the i-th chain with one check more: bytes, a record with that check's method and
 * verdicts, and with as many steps. Confidence, first error and counts are computed from the
 * verdicts. Faults: RDV_E_ARGUMENT: the verdicts are not one for each step, or one of the chain;
 * RDV_E_INPUT: they cannot be read; RDV_E_NOMEM. The line as for binding_checker_check(). */
int binding_checker_own(binding_checker *checker, size_t i, const char *bytes, size_t length,
                        rdv_str *line, rdv_error *err);
void binding_checker_free(binding_checker *checker);

/* ---- showing --------------------------------------------------------------------------------- */

/* The HTML of records as a report shows them. */
typedef struct binding_page binding_page;

/* NULL: out of memory. */
binding_page *binding_page_new(void);
/* Add a line of JSON: a chain, or the result of a vote, after the chains that voted. A fault, or
 * RDV_E_INPUT: it is neither. */
int binding_page_add(binding_page *page, const char *line, size_t n, rdv_error *err);
/* The HTML of all that was added; until the page is released. */
int binding_page_html(binding_page *page, rdv_str *html, rdv_error *err);
void binding_page_free(binding_page *page);
/* The style sheet of a report. */
const char *binding_page_style(void);
