/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the answer that a whole reply states is right. */
#include <rederive/answer.h>
#include <rederive/math.h>

#include "answer/announcement.h"
#include "answer/number.h"
#include "answer/option.h"
#include "answer/read.h"
#include "answer/reply_span.h"
#include "answer/statement.h"
#include "base/str.h"
#include "grade/compare.h"
#include "grade/conclusion.h"
#include "grade/form_with_question.h"
#include "grade/turn.h"

#define BARE_MAX 1000 /* bytes of a reply that may be nothing but its answer */

/* Is `word` one of prose? Names in formulas have one letter or two. */
static bool is_prose_word(rdv_str word)
{
    static const char *const words[] = {"an", "as", "at", "be", "by", "if", "in", "is",
                                        "it", "my", "of", "on", "or", "so", "to", "we"};
    return word.len > 2 || rdv_is_one_of(word, words, sizeof words / sizeof *words);
}

/* Are there words in it that are no commands of LaTeX? */
static bool has_words(rdv_str s)
{
    for (size_t i = 0, begin; i < s.len; i++) {
        for (begin = i; i < s.len && rdv_is_alpha(s.p[i]);)
            i++;
        bool command = begin > 0 && s.p[begin - 1] == '\\';
        if (!command && is_prose_word(rdv_slice(s, begin, i)))
            return true;
    }
    return false;
}

/* Is it a formula, in which functions may have names? */
static int is_formula(rdv_str s, rdv_arena *arena, bool *is, rdv_error *err)
{
    rdv_str key;
    int code = has_words(s) ? rdv_math_key(s, arena, &key, err) : RDV_OK;
    *is = code == RDV_OK;
    return code < 0 ? code : RDV_OK;
}

static bool refers(rdv_str s)
{
    rdv_str number;
    bool is = false;
    for (size_t at = 0, begin; !is && answer_next_number(s, &at, &number);) {
        begin = (size_t)(number.p - s.p);
        is = announcement_refers(s, begin, begin + number.len);
    }
    return is;
}

/* One short line. */
static bool is_short(rdv_str s)
{
    return s.len > 0 && s.len <= BARE_MAX && rdv_find_char(s, '\n', 0) == RDV_NOT_FOUND;
}

/* The answer of a reply that announces none: all of it where it is nothing but an answer, such as
 * "1/2", of which the usual place of answers would be "2". Else what stands in that place; else, in
 * a short line, all of it, unless a number in it is a reference, "see Table 3". */
static int read_unannounced(rdv_str text, const rdv_answer_form *form, int found, rdv_arena *arena,
                            rdv_answer *answer, rdv_error *err)
{
    bool number = form->kind == RDV_KIND_NUMBER;
    reply_span reply = reply_span_of(&text, 1);
    rdv_str whole = rdv_trim(reply_span_step(&reply, 0));
    size_t equals = rdv_find_char(whole, '=', 0);
    bool chain = found == RDV_OK && number && equals != RDV_NOT_FOUND &&
                 rdv_find_char(whole, '=', equals + 1) != RDV_NOT_FOUND && !rdv_has_letter(whole);
    if (!is_short(whole) || chain) /* "2 + 3 = 5 * 2 = 10" */
        return RDV_OK;
    bool several = form->kind == RDV_KIND_OPTION && answer_names_several(whole, form->n_options);
    bool bare = found != RDV_OK && !refers(whole) && !several;
    int code = bare ? RDV_OK : is_formula(whole, arena, &bare, err);
    if (bare)
        *answer = (rdv_answer){whole, 0, (size_t)(whole.p - text.p), RDV_ANSWER_BY_PLACE};
    return code;
}

static rdv_answer_form form_of(const rdv_answer_form *form, rdv_str gold)
{
    rdv_answer_form decided = form ? *form : (rdv_answer_form){0};
    rdv_question question = {.gold = gold,
                             .kind = decided.kind,
                             .options = (rdv_str *)decided.options,
                             .n_options = decided.n_options,
                             .golds = (rdv_str *)decided.golds,
                             .n_golds = decided.n_golds};
    rdv_answer_form of_gold = rdv_answer_form_of(&question);
    decided.kind = of_gold.kind;
    decided.any_case = decided.any_case || of_gold.any_case;
    decided.empty_counts = decided.empty_counts || of_gold.empty_counts;
    return decided;
}

/* How a reply is graded. */
typedef struct grading {
    rdv_answer_form form;
    rdv_str gold, question;
    rdv_answer_found require;
    const rdv_compare_options *how;
} grading;

static int grading_of(rdv_str gold, const rdv_answer_form *form, const rdv_compare_options *how,
                      rdv_arena *arena, grading *out, rdv_error *err)
{
    *out = (grading){.gold = gold, .how = how, .question = question_of_options(how)};
    if (how && how->size > offsetof(rdv_compare_options, require))
        out->require = how->require;
    out->form = form_of(form, gold);
    return form_with_question(&out->form, &out->gold, out->question, arena, err);
}

/* Read the answer of the reply, and compare it. *met: what the search met. */
static int grade_once(rdv_str text, const grading *g, rdv_arena *arena, rdv_text_grade *out,
                      answer_search *met, rdv_error *err)
{
    rdv_answer answer = {.by = RDV_ANSWER_BY_PLACE};
    int found = answer_read_steps(&text, 1, &g->form, &answer, met);
    int code = RDV_OK;
    bool number = g->form.kind == RDV_KIND_NUMBER, maths = number || g->form.kind == RDV_KIND_LATEX;
    if (!met->announced && (found != RDV_OK || answer.by == RDV_ANSWER_BY_PLACE))
        code = read_unannounced(text, &g->form, found, arena, &answer, err);
    if (rdv_answer_found_of(answer.by) < g->require)
        answer.text = (rdv_str){0};
    reply_span reply = reply_span_of(&text, 1); /* without what was thought */
    conclusion end = {.text = reply_span_step(&reply, 0),
                      .read = answer.text,
                      .by = answer.by,
                      .gold = g->gold,
                      .form = &g->form,
                      .how = g->how};
    if (code == RDV_OK && maths)
        code = turn_with_words(text, answer.text, g->gold, g->question, arena, &answer.text, err);
    *out = (rdv_text_grade){.answer = answer.text, .by = answer.by};
    if (code == RDV_OK)
        code =
            compare_answers(answer.text, g->gold, &g->form, g->how, arena, &out->comparison, err);
    if (code == RDV_OK && end.read.p)
        code = conclusion_weigh(&end, arena, &out->answer, &out->comparison, err);
    return code;
}

/* Of what nothing announces, where nothing is read in it: does the reply state no value at all? */
static void weigh_valueless(rdv_str said, const answer_search *met, const grading *g,
                            rdv_text_grade *out)
{
    bool maths = g->form.kind == RDV_KIND_NUMBER || g->form.kind == RDV_KIND_LATEX;
    bool unread =
        out->comparison.is == RDV_CANNOT_TELL && strcmp(out->comparison.why, "unread") == 0;
    if (met->announced || !maths || !unread || !rdv_has_digit(g->gold) ||
        !conclusion_breaks_off(said))
        return;
    out->comparison.is = RDV_DIFFERENT;
    out->comparison.reason = RDV_STR("the reply states no value");
}

/* A reply in whose words no answer is read may have one all the same, unless it says that it has
 * none. */
static void weigh_unread(rdv_str said, const answer_search *met, const grading *g,
                         rdv_text_grade *out)
{
    bool words = rdv_has_letter_or_beyond(said);
    bool none = met->none && !rdv_str_eq(rdv_trim(g->gold), RDV_STR("0")); /* "no solutions" */
    if (out->answer.p || !words || none || g->require > RDV_FOUND_LAST)
        return;
    out->comparison.is = RDV_CANNOT_TELL;
    out->comparison.why = "unread";
    out->comparison.reason = RDV_STR("no answer is read in the reply");
}

/* A short reply that announces nothing and is no sentence is an answer as a whole: "3 and -3",
 * "6 root 2". Its last value alone is no proof that it is another one. */
static int weigh_whole(rdv_str said, const answer_search *met, const grading *g, rdv_arena *arena,
                       rdv_text_grade *out, rdv_error *err)
{
    rdv_str whole = rdv_trim(said);
    rdv_comparison one;
    bool last = !met->announced && rdv_answer_found_of(out->by) == RDV_FOUND_LAST;
    if (!last || g->require > RDV_FOUND_LAST || out->comparison.is == RDV_SAME ||
        rdv_str_eq(whole, out->answer) || !is_short(whole) || statement_is_sentence(whole))
        return RDV_OK;
    int code = compare_answers(whole, g->gold, &g->form, g->how, arena, &one, err);
    bool dash = rdv_find(whole, RDV_STR(" - "), 0) != RDV_NOT_FOUND; /* "Answer - 60" */
    bool unread = one.is == RDV_CANNOT_TELL && out->comparison.is == RDV_DIFFERENT && !dash &&
                  rdv_find_char(whole, '=', 0) == RDV_NOT_FOUND;
    if (code == RDV_OK && (one.is == RDV_SAME || unread || conclusion_is_proved(&one))) {
        out->comparison = one;
        out->answer = whole;
    }
    return code < 0 ? code : RDV_OK;
}

/* A text without an end that its answer does not stand in says more: *same*, or a difference where
 * nothing was told. */
static int grade_shortened(rdv_str text, rdv_str whole, const grading *g, rdv_arena *arena,
                           rdv_text_grade *out, rdv_error *err)
{
    rdv_text_grade one;
    answer_search met;
    rdv_same is = out->comparison.is;
    if (text.len == whole.len || is == RDV_SAME)
        return RDV_OK;
    int code = grade_once(text, g, arena, &one, &met, err);
    bool told = code == RDV_OK && is == RDV_CANNOT_TELL && one.comparison.is == RDV_DIFFERENT &&
                strcmp(one.comparison.why, "unread") != 0;
    if (code == RDV_OK && (one.comparison.is == RDV_SAME || told))
        *out = one;
    return code < 0 ? code : RDV_OK;
}

int rdv_grade_text(rdv_str text, rdv_str gold, const rdv_answer_form *form,
                   const rdv_compare_options *how, rdv_arena *arena, rdv_text_grade *out,
                   rdv_error *err)
{
    grading g;
    rdv_text_grade grade = {0};
    answer_search met;
    if (text.len > RDV_GRADE_TEXT_MAX) {
        grade.comparison = (rdv_comparison){
            .is = RDV_CANNOT_TELL,
            .why = "limit",
            .reason = RDV_STR("the text is longer than 16 MiB, so its answer was not looked for")};
        *out = grade;
        return RDV_OK;
    }
    int code = grading_of(gold, form, how, arena, &g, err);
    if (code == RDV_OK)
        code = grade_once(text, &g, arena, &grade, &met, err);
    if (code != RDV_OK)
        return code;
    reply_span reply = reply_span_of(&text, 1);
    rdv_str said = reply_span_step(&reply, 0); /* without what was thought */
    weigh_unread(said, &met, &g, &grade);
    weigh_valueless(said, &met, &g, &grade);
    code = weigh_whole(said, &met, &g, arena, &grade, err);
    if (code != RDV_OK)
        return code;
    bool last = !met.announced && g.require < RDV_FOUND_ANNOUNCED;
    code =
        last ? grade_shortened(conclusion_without_check(text), text, &g, arena, &grade, err) : code;
    if (code == RDV_OK && last)
        code = grade_shortened(conclusion_main_clause(text), text, &g, arena, &grade, err);
    if (code == RDV_OK)
        *out = grade;
    return code;
}

/* Does the comparison of a reply show that its answer is another one: by values, by an announced
 * answer of another form, or because it has none? */
static bool is_shown(const rdv_text_grade *reply)
{
    static const char *const proofs[] = {"exact", "algebra", "bounds", "set",  "relation", "unit",
                                         "yesno", "option",  "date",   "time", "money",    "text"};
    rdv_str why = rdv_str_of(reply->comparison.why);
    bool announced = rdv_answer_found_of(reply->by) > RDV_FOUND_LAST;
    bool form = announced && rdv_str_eq(why, RDV_STR("form"));
    return reply->comparison.is == RDV_DIFFERENT &&
           (form || !reply->answer.p || rdv_is_one_of(why, proofs, sizeof proofs / sizeof *proofs));
}

/* Marks of replies: "#### unknown", an empty box, a label "Answer:". */
static bool has_mark(rdv_str s)
{
    announcement a;
    size_t before = s.len;
    return rdv_find(s, RDV_STR("####"), 0) != RDV_NOT_FOUND ||
           rdv_find(s, RDV_STR("\\boxed{}"), 0) != RDV_NOT_FOUND ||
           (rdv_find_char(s, ':', 0) != RDV_NOT_FOUND && rdv_has_letter(s) &&
            announcement_before(s, &before, &a));
}

/* A sentence is read as a reply is. */
static int compare_sentence(rdv_str answer, rdv_str gold, const rdv_answer_form *form,
                            const rdv_compare_options *how, rdv_arena *arena, rdv_comparison *out,
                            rdv_error *err)
{
    rdv_text_grade reply;
    int code = rdv_grade_text(answer, gold, form, how, arena, &reply, err);
    if (code != RDV_OK)
        return code;
    rdv_kind kind = form ? form->kind : RDV_KIND_AUTO;
    bool maths = kind == RDV_KIND_NUMBER || kind == RDV_KIND_LATEX || kind == RDV_KIND_AUTO;
    bool shown = is_shown(&reply);
    bool by_form = maths && out->is == RDV_DIFFERENT && !conclusion_is_proved(out);
    bool told = shown || (reply.comparison.is == RDV_SAME && out->is != RDV_SAME);
    bool unread = kind == RDV_KIND_OPTION && strcmp(out->why, "unread") == 0;
    announcement a;
    size_t before = answer.len;
    bool announced = maths && out->is == RDV_SAME && reply.comparison.is != RDV_SAME &&
                     (announcement_before(answer, &before, &a) || has_mark(answer));
    /* "The answer is unknown. 5" */
    if (by_form || announced || (told && (maths || unread || out->is == RDV_CANNOT_TELL)))
        *out = reply.comparison;
    if (by_form && out->is == RDV_DIFFERENT && !shown) {
        out->is = RDV_CANNOT_TELL;
        out->why = "unread";
        out->reason = RDV_STR("no answer is read in the sentence");
    }
    return RDV_OK;
}

int rdv_answer_compare(rdv_str answer, rdv_str gold, const rdv_answer_form *form,
                       const rdv_compare_options *how, rdv_arena *arena, rdv_comparison *out,
                       rdv_error *err)
{
    rdv_comparison whole;
    int code = compare_answers(answer, gold, form, how, arena, &whole, err);
    bool shout = rdv_ends(rdv_trim_end(answer), RDV_STR("!")); /* "the answer is 3!" may be 6 */
    if (code == RDV_OK && !shout && strcmp(whole.why, "identical") != 0 &&
        (statement_is_sentence(answer) || has_mark(answer) ||
         conclusion_main_clause(answer).len < answer.len))
        code = compare_sentence(answer, gold, form, how, arena, &whole, err);
    if (code == RDV_OK)
        *out = whole;
    return code;
}

int rdv_answer_right(rdv_str answer, rdv_str gold, const rdv_answer_form *form, rdv_arena *arena,
                     bool *right, rdv_error *err)
{
    rdv_comparison c;
    int rc = rdv_answer_compare(answer, gold, form, NULL, arena, &c, err);
    if (rc == RDV_OK)
        *right = c.is == RDV_SAME;
    return rc;
}
