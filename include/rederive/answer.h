/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/answer.h - the final answer of a solution: reading it, and deciding when two are the
 * same (spec section 2).
 *
 * Text is parsed, never executed. Any bytes are accepted. Time is linear in the text; what goes
 * over a limit is compared as text instead of as mathematics. */
#include <rederive/base.h>
#include <rederive/chain.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The form of an answer. Borrowed, plain data. */
typedef struct rdv_answer_form {
    rdv_kind kind; /* RDV_KIND_AUTO: RDV_KIND_OPTION where there are options, else RDV_KIND_LATEX */
    const rdv_str *options; /* without their letters: options[0] is (A) */
    size_t n_options;       /* 0: not known, for RDV_KIND_OPTION any of A to J */
    const rdv_str *golds; /* all ways of writing the right answer: they have the key of the first */
    size_t n_golds;
    bool empty_counts; /* an empty answer is an answer (brackets that need no closing); default:
                          it is none, and nothing that counts answers counts it */
    bool any_case;     /* RDV_KIND_TEXT: a comparison with gold leaves capitals out of account, as
                          where the kind was not stated; keys keep them */
} rdv_answer_form;

/* The form of a question's answers; borrows its options. RDV_KIND_AUTO is decided here:
 * options given -> option; else by the gold answer: yes, no, true, false -> yesno; "(B)" or a
 * capital A to J alone -> option; one number, with its unit or currency -> number; a backslash, a
 * formula of names and functions, a ratio, or digits without words and no date or time -> latex;
 * else text, in any case of letters. Without options and gold: latex,
 * which reads numbers and words too. An empty answer counts where the kind is stated to be text and
 * the gold answer is empty itself. */
RDV_API rdv_answer_form rdv_answer_form_of(const rdv_question *question);

/* ---- reading --------------------------------------------------------------------------------- */

/* How an answer was found, from the most to the least reliable way. */
typedef enum rdv_answer_by {
    RDV_ANSWER_BY_BOX,    /* the last \boxed{...} or <answer>...</answer> */
    RDV_ANSWER_BY_MARK,   /* "#### 42" */
    RDV_ANSWER_BY_PHRASE, /* "the answer is 42", "Answer: 42", "ans = 42", "A: 42", the JSON member
                             "answer": 42 */
    RDV_ANSWER_BY_BOLD,   /* the last **bold** piece of the last line */
    RDV_ANSWER_BY_PLACE   /* nothing announced it: the last number, option, yes or no, or maths */
} rdv_answer_by;

/* The same in three classes. */
typedef enum rdv_answer_found {
    RDV_FOUND_LAST,      /* nothing announced it: RDV_ANSWER_BY_PLACE, RDV_ANSWER_BY_BOLD */
    RDV_FOUND_ANNOUNCED, /* RDV_ANSWER_BY_MARK, RDV_ANSWER_BY_PHRASE */
    RDV_FOUND_BOXED      /* RDV_ANSWER_BY_BOX */
} rdv_answer_found;

/* The class of a way of announcing (`answer_found` of records). */
RDV_API rdv_answer_found rdv_answer_found_of(rdv_answer_by by);
/* "last", "announced", "boxed": a static string. */
RDV_API const char *rdv_answer_found_name(rdv_answer_found found);

typedef struct rdv_answer {
    rdv_str text; /* as written, without white space and closing full stop; borrowed */
    size_t step;  /* where it stands; 0 for a text that is not split */
    size_t begin; /* byte of that step (text) where it begins */
    rdv_answer_by by;
} rdv_answer;

/* Read the final answer from a whole solution. The most reliable way of announcing that gives an
 * answer of the type is used; of several announcements in this way, the last. An announcement ends
 * the search: where none gives an answer of the type, what the last one says is read (for a number,
 * unless it is words alone), and never a number elsewhere. "The answer is unknown" and "I don't
 * know" announce that there is none: a number is not read then, other types as these words
 * (rules/answers.rules has the languages). Unclosed boxes and Markdown titles ("#### 2. Total")
 * announce nothing. "Answer:" at the beginning of a text that goes on is a title, unless its line
 * is an answer by itself; it announces only where nothing else does. What a model adds is not read:
 * another turn ("<|im_end|>", "</s>"), or a question of its own after an answer ("Q: ...", "User:
 * ..."), and what it thought ("<think>...</think>"). Of a whole chat only the last reply is read.
 * - number: all that is boxed, after its last '='; else the last number of the sentence that
 *   announces it, except for a bracketed aside, or the calculation that stands there without a
 *   result ("3 + 4"); unannounced, of the last sentence with a number the number that was computed
 *   last ("= 36"), else its last. A number in a tuple, an interval, a set, a vector or a matrix is
 *   read with it, "(0, 3)". "9th grade", "grade 9", and what says more of a number before it, "(60%
 *   of 25)" and "out of 40", are skipped where there is another; references ("see Table 3") are
 *   always.
 * - option: the option that what is announced begins with, by letter or by its own text; else the
 *   last option named: "(B)", "B)", "B.", "option B", a capital alone. Naming every option equally
 *   often is a list, not an answer; the article "a" and letters in words are none.
 * - yesno: the first of yes, no, true, false, plausible, implausible that is announced;
 *   unannounced, the one that begins the text, else the last in it. "Not plausible" is no.
 * - text: what is announced, to the end of the line; unannounced, none.
 * - latex: what is announced, of a sentence only its maths or the only number among its words;
 *   unannounced, the last maths of the text, what follows its last '='; else the last number.
 * Where words change or deny what is found, "at least 5", "not B", "5 or 6", or do not assert it,
 * "maybe 5", "about 5", "5?", it is read with them. After "wait, no" what follows is read.
 * Different boxes with nothing but "and", "or", blanks and marks between them are one list, from
 * the first box to the last: "\boxed{2} and \boxed{3}".
 * *out borrows from `text`; untouched unless RDV_OK. RDV_NONE: no answer. */
RDV_API int rdv_answer_read(rdv_str text, const rdv_answer_form *form, rdv_answer *out);

/* The same from a chain's steps, looked through from the last to the first for each way in turn
 * (bold: the last step only). */
RDV_API int rdv_answer_read_steps(const rdv_str *steps, size_t n, const rdv_answer_form *form,
                                  rdv_answer *out);

/* ---- comparing ------------------------------------------------------------------------------- */

/* The canonical key of an answer: two answers of one form are the same exactly when their keys are
 * the same bytes, so "the same" is an equivalence and votes can be counted by key.
 * - number, latex: white space, LaTeX spacing and styles, dollars, currency, %, degrees, units and
 *   thousands separators do not matter (50% is 50, never 0.5), nor does the usual name: x of a
 *   number, y or f(x) of a formula in x. Then equal as exact mathematics (1/2, 0.5, \frac12),
 *   element by element in tuples, intervals (open and closed differ) and matrices, whatever the
 *   order in sets, plain lists (a number that stands twice counts twice) and unions; relations
 *   turned and scaled (x < 1, -x > -1); named values by their names (n = 5 is not 5; k = 45, n =
 * 2); else as text.
 * - option: the capital letter, also for an answer that has the text, or the value, of one option
 *   alone.
 * - yesno: "yes" or "no" (true and plausible are yes).
 * - text: white space runs become one space; quotes, \text{} and ** around it and a full stop after
 *   it are dropped.
 * A number with a hedge has a key of its own, "about 5", "maybe 5"; "maybe B" is no answer.
 * Keys are only for comparison; answers are shown as written.
 * *key is in `arena`, or static; untouched unless RDV_OK. RDV_NONE: the answer is absent, empty
 * (unless form->empty_counts), or none of its kind (an option that does not exist). Faults:
 * RDV_E_NOMEM. */
RDV_API int rdv_answer_key(rdv_str answer, const rdv_answer_form *form, rdv_arena *arena,
                           rdv_str *key, rdv_error *err);

/* Whether two answers are the same. "Same" and "different" are proved: by exact arithmetic,
 * algebra, or certified error bounds (different only); never by floating point or by many equal
 * digits. */
typedef enum rdv_same { RDV_DIFFERENT, RDV_SAME, RDV_CANNOT_TELL } rdv_same;

/* "different", "same", "cannot-tell": a static string. */
RDV_API const char *rdv_same_name(rdv_same is);

/* How answers are compared with gold. NULL or zero-initialised with its size: exactly. */
typedef struct rdv_compare_options {
    size_t size; /* sizeof(rdv_compare_options), as the caller was compiled */
    /* A decimal of 0 or more, such as "1e-6": numbers a and gold g are also the same if
     * |a - g| <= tolerance or |a - g| <= tolerance |g|; exact arithmetic decides. p == NULL: 0. */
    rdv_str tolerance;
    /* A decimal of gold stands for every number that rounds to the digits shown: gold 0.33 is 1/3,
     * gold 1/3 is not 0.33. Whole numbers stand for themselves. */
    bool decimals_as_shown;
    /* Gold that is an interval which may be a point, (1, 4), may be answered by an inequality that
     * has these solutions: "1 < x < 4". Without it that cannot be told, unless gold names the
     * letter, "x \in (1, 4)", or the question asks for values. (3, oo), [1, 4) and unions are
     * always answered by an inequality, and an inequality by its interval. */
    bool relations_as_sets;
    /* Of a whole reply, an answer counts only if it is announced, or boxed; else it is absent. */
    rdv_answer_found require;
    /* What was asked: words of it beside an answer's number are known to change nothing. p == NULL:
     * not known. */
    rdv_str question;
} rdv_compare_options;

typedef struct rdv_comparison {
    rdv_same is;
    /* What decided, a static word. Same: "identical" (the texts), "exact" (one value), "algebra",
     * "set" (in any order, or one set of numbers), "relation" (turned, scaled, or as an interval),
     * "percent" (0.5 for 50%), "comma" (1,5 for 1.5), "unit" (100 cm for 1 m, 180 degrees for pi),
     * "shown", "tolerance"; "text", "option", "yesno", "date", "time", "money" of these kinds.
     * Different: "exact", "algebra", "bounds" (certified), "set", "relation", "text", "option",
     * "yesno", "date", "time", "money", "unit", "form" (a tuple is not a set), "unread" (the answer
     * is absent, or names only what is none). Cannot tell: "unread" (words that are not read),
     * "limit", "undefined", "undecided", "relation", "set", "assumption" (which value has which
     * name is not said, which half of the day, which base a logarithm has, whether letters are
     * positive, or numbers at all). */
    const char *why;
    rdv_str reason;             /* one line for people; p == NULL: nothing to add */
    rdv_str answer_as, gold_as; /* how each was read, canonical; p == NULL: unread */
} rdv_comparison;

/* Compare an answer with the gold answer of one form. It is not symmetric: gold says what is asked
 * for. They are the same if their keys are equal and no two known units differ (5 cm, 5 m). In
 * addition, only here:
 * - numbers with units may be in other units (100 cm for 1 m, 36 km/h for 10 m/s);
 * - a percentage may be written as its value (0.5 for 50%, 50% for 0.5);
 * - an inequality may be answered by the interval of its solutions, and sets of real numbers are
 *   the same when they hold the same numbers;
 * - a formula with letters needs gold's values only where gold has any: \ln(x^2) for 2\ln x;
 * - an angle may be in degrees or in radians;
 * - named values may come without their names, in gold's order; a list without brackets may be a
 *   tuple in gold's order, a tuple a vector;
 * - of "1/3 \approx 0.333" the exact part counts too;
 * - "1000,99" is 1000.99 where the other one is a number; 7:32 is 14:64 and 7/32 unless it may be a
 *   time of day;
 * - a time that gold gives without its half of the day, and an amount of money of which only one
 *   names the currency, are compared without it;
 * - gold may be a whole solution: what follows its "####", stands in its last box with words around
 *   it, or is a number or formula that its words announce;
 * - an answer that is a sentence is read as rdv_grade_text() reads a reply;
 * - `how` may allow more; NULL: exact.
 * An answer that is absent is different. At most 512 pairs of values are compared in one call; a
 * list that needs more cannot be told. Texts in *out are in `arena`, static, or borrowed from
 * `answer` and `gold`; *out is untouched unless RDV_OK. RDV_NONE: `gold` is absent or unreadable.
 * Faults: RDV_E_NOMEM; RDV_E_ARGUMENT: a tolerance that is no decimal of 0 or more, or a `size`
 * that is not known. */
RDV_API int rdv_answer_compare(rdv_str answer, rdv_str gold, const rdv_answer_form *form,
                               const rdv_compare_options *how, rdv_arena *arena,
                               rdv_comparison *out, rdv_error *err);

/* Is `answer` correct, given the gold answer? It is if rdv_answer_compare(), exact, says that they
 * are the same. What it cannot tell, and an answer that is absent or unreadable, is not right.
 * *right is untouched unless RDV_OK. RDV_NONE: `gold` is absent or unreadable. Faults:
 * RDV_E_NOMEM. */
RDV_API int rdv_answer_right(rdv_str answer, rdv_str gold, const rdv_answer_form *form,
                             rdv_arena *arena, bool *right, rdv_error *err);

/* ---- grading --------------------------------------------------------------------------------- */

#define RDV_GRADE_TEXT_MAX ((size_t)16 << 20) /* bytes of a text that is graded */

typedef struct rdv_text_grade {
    rdv_str answer;   /* as it was read, of the text or in the arena; p == NULL: none */
    rdv_answer_by by; /* how it was found */
    rdv_comparison comparison;
} rdv_text_grade;

/* Grade a whole reply: read its final answer (rdv_answer_read(); a short reply that announces none
 * and has no words is its answer as a whole; a number with the words beside it that multiply or
 * turn it, and with its unit and other words where gold is no bare number), and compare it with
 * gold (rdv_answer_compare()). Where nothing announces it: a formula around the last number, or
 * directly before its rounding, is the answer too; sentences at the end that check it are passed
 * over; and it is different only if gold's value stands nowhere else in the last two sentences. A
 * reply in which nothing is read, and which does not say that it has no answer: RDV_CANNOT_TELL.
 * form: NULL, or RDV_KIND_AUTO: decided by gold (rdv_answer_form_of()). how: NULL: exactly. This
 * is all that an evaluation or the reward of a training run needs: one call, any bytes, no state
 * between calls. Threads: any number at once, each with an arena of its own; a thread that ends
 * calls rdv_math_thread_end().
 *
 * Time and memory are bounded for any input. A text of more than RDV_GRADE_TEXT_MAX bytes is not
 * read: RDV_CANNOT_TELL, "limit". Reading is linear in the text. An answer of more than 4,096
 * bytes is compared as text, and exact values have a budget of work that does not depend on a
 * clock: what goes over it is RDV_CANNOT_TELL as well. docs/measured/speed.md says how long the
 * longest of a million hostile pairs took.
 *
 * *out is untouched unless RDV_OK; its texts are borrowed from `text` and `gold`, in `arena`, or
 * static. RDV_NONE: `gold` is absent or unreadable. Faults: as rdv_answer_compare(). */
RDV_API int rdv_grade_text(rdv_str text, rdv_str gold, const rdv_answer_form *form,
                           const rdv_compare_options *how, rdv_arena *arena, rdv_text_grade *out,
                           rdv_error *err);

/* How chains are graded; zero-initialised: the answer that the chain came with, by the gold answer.
 * One that is, byte for byte, what its steps end with, one by one or as one text, or was looked for
 * there and not found, is graded as the reply that they are (rdv_grade_text()), with its unit and
 * all. */
typedef struct rdv_grading {
    bool read_steps;   /* the answer is read from the steps, where there are any */
    bool source_first; /* the record's own `correct` goes before the gold answer */
} rdv_grading;

typedef struct rdv_grade {
    rdv_str key;   /* of the answer, canonical; p == NULL: it could not be read */
    rdv_str shown; /* for people: an option's letter, yes or no, else as the chain wrote it, with
                      what was compared beside it: "3 m 20 cm" */
    int correct;   /* 1, 0, -1 not known */
    bool untold;   /* whether it is the gold answer cannot be told; it counts as wrong */
} rdv_grade;

/* Read the answer of a chain and decide whether it is right. An answer that could not be read is
 * wrong where anything is known, unless the steps are graded as a reply. The record's own `correct`
 * is about the answer that the chain came with, and decides nothing about another one. Texts are
 * the chain's, in `arena`, or static; *out has no meaning on failure. RDV_E_NOMEM. */
RDV_API int rdv_grade_chain(const rdv_chain *chain, const rdv_grading *how, rdv_arena *arena,
                            rdv_grade *out, rdv_error *err);

#ifdef __cplusplus
}
#endif
