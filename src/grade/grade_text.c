/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the answer that a whole reply states is right. */
#include <rederive/answer.h>
#include <rederive/math.h>

#include "answer/announcement.h"
#include "answer/number.h"
#include "answer/read.h"
#include "answer/reply_span.h"
#include "base/str.h"
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
static int read_unannounced(rdv_str text, bool number, int found, rdv_arena *arena,
                            rdv_answer *answer, rdv_error *err)
{
    reply_span reply = reply_span_of(&text, 1);
    rdv_str whole = rdv_trim(reply_span_step(&reply, 0));
    size_t equals = rdv_find_char(whole, '=', 0);
    bool chain = found == RDV_OK && number && equals != RDV_NOT_FOUND &&
                 rdv_find_char(whole, '=', equals + 1) != RDV_NOT_FOUND && !rdv_has_letter(whole);
    if (!is_short(whole) || chain) /* "2 + 3 = 5 * 2 = 10" */
        return RDV_OK;
    bool bare = found != RDV_OK && !refers(whole);
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
        code = read_unannounced(text, number, found, arena, &answer, err);
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
        code = rdv_answer_compare(answer.text, g->gold, &g->form, g->how, arena, &out->comparison,
                                  err);
    if (code == RDV_OK && end.read.p)
        code = conclusion_weigh(&end, arena, &out->answer, &out->comparison, err);
    return code;
}

/* Of what nothing announces, where nothing is read in it: does the reply state no value at all? */
static void weigh_valueless(rdv_str text, const answer_search *met, const grading *g,
                            rdv_text_grade *out)
{
    reply_span reply = reply_span_of(&text, 1);
    bool maths = g->form.kind == RDV_KIND_NUMBER || g->form.kind == RDV_KIND_LATEX;
    bool unread =
        out->comparison.is == RDV_CANNOT_TELL && strcmp(out->comparison.why, "unread") == 0;
    if (met->announced || !maths || !unread || !rdv_has_digit(g->gold) ||
        !conclusion_has_no_value(reply_span_step(&reply, 0)))
        return;
    out->comparison.is = RDV_DIFFERENT;
    out->comparison.reason = RDV_STR("the reply states no value");
}

/* A reply in whose words no answer is read may have one all the same, unless it says that it has
 * none. */
static void weigh_unread(rdv_str text, const answer_search *met, const grading *g,
                         rdv_text_grade *out)
{
    reply_span reply = reply_span_of(&text, 1);
    bool words = rdv_has_letter_or_beyond(reply_span_step(&reply, 0));
    bool none = met->none && !rdv_str_eq(rdv_trim(g->gold), RDV_STR("0")); /* "no solutions" */
    if (out->answer.p || !words || none || g->require > RDV_FOUND_LAST)
        return;
    out->comparison.is = RDV_CANNOT_TELL;
    out->comparison.why = "unread";
    out->comparison.reason = RDV_STR("no answer is read in the reply");
}

int rdv_grade_text(rdv_str text, rdv_str gold, const rdv_answer_form *form,
                   const rdv_compare_options *how, rdv_arena *arena, rdv_text_grade *out,
                   rdv_error *err)
{
    grading g;
    rdv_text_grade grade = {0}, before;
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
    weigh_unread(text, &met, &g, &grade);
    weigh_valueless(text, &met, &g, &grade);
    bool last = !met.announced && grade.comparison.is != RDV_SAME && grade.answer.p;
    rdv_str unchecked = last ? conclusion_without_check(text) : text;
    if (unchecked.len < text.len) {
        code = grade_once(unchecked, &g, arena, &before, &met, err);
        if (code == RDV_OK && before.comparison.is == RDV_SAME)
            grade = before;
    }
    if (code == RDV_OK)
        *out = grade;
    return code;
}
