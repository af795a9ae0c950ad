/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the answer that a whole reply states is right. */
#include <rederive/math.h>

#include "answer/announcement.h"
#include "answer/digits.h"
#include "answer/lone_number.h"
#include "answer/nothing.h"
#include "answer/number.h"
#include "answer/option.h"
#include "answer/statement.h"
#include "base/arena.h"
#include "base/str.h"
#include "grade/clean.h"
#include "grade/compare.h"
#include "grade/conclusion.h"
#include "grade/form_with_question.h"
#include "grade/formal.h"
#include "grade/grade_text.h"
#include "grade/letter.h"
#include "grade/text/parts.h"
#include "grade/text/reaction.h"
#include "grade/text/restated.h"
#include "grade/text/said.h"
#include "grade/turn.h"
#include "language/cue.h"
#include "language/ordinal.h"
#include "language/rule.h"
#include "notation/formula_names.h"
#include "notation/units.h"

#define BARE_MAX 1000 /* bytes of a reply that may be nothing but its answer */

/* Is `word` one of prose? Names in formulas have one letter or two. */
static bool is_prose_word(rdv_str word)
{
    return word.len > 2 || answer_class_has(CLASS_SHORT, word);
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

/* Is it a formula, in which functions may have names? None begins with a word that is no name. */
static int is_formula(rdv_str s, rdv_arena *arena, bool *is, rdv_error *err)
{
    rdv_str key, first = rdv_slice(s, 0, rdv_skip_letters(s, 0));
    bool prose =
        first.len > 2 && !formula_name_prefix(first) && !rdv_starts(first, RDV_STR("sqrt"));
    int code = prose ? RDV_NONE : has_words(s) ? rdv_math_key(s, arena, &key, err) : RDV_OK;
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
static int read_unannounced(rdv_str text, const reading *read, const rdv_answer_form *form,
                            rdv_arena *arena, rdv_answer *answer, rdv_error *err)
{
    bool number = form->kind == RDV_KIND_NUMBER, found = read->found == RDV_OK;
    rdv_str whole = rdv_trim(read->said);
    size_t equals = rdv_find_char(whole, '=', 0);
    bool chain = found && number && equals != RDV_NOT_FOUND &&
                 rdv_find_char(whole, '=', equals + 1) != RDV_NOT_FOUND && !rdv_has_letter(whole);
    bool list = form->kind == RDV_KIND_TEXT && whole.len > 0 && whole.len <= BARE_MAX &&
                (rdv_starts(whole, RDV_STR("1. ")) || rdv_starts(whole, RDV_STR("1) ")));
    if (!(is_short(whole) || list) || chain) /* "2 + 3 = 5 * 2 = 10" */
        return RDV_OK;
    bool several = form->kind == RDV_KIND_OPTION && answer_names_several(whole, form->n_options);
    bool bare = !found && !refers(whole) && !several;
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

static void read_text(rdv_str text, const whole_reply *r, reading *out)
{
    *out = (reading){.answer.by = RDV_ANSWER_BY_PLACE};
    out->found = answer_read_steps(&text, 1, &r->form, &out->answer, &out->met);
    out->said = reply_span_step(&out->met.reply, 0);
}

/* A decimal with the dots behind it, "0.333...", of which the number that was read is a piece. */
static rdv_str with_dots(rdv_str text, rdv_str number)
{
    if (!rdv_lies_in(number, text) || rdv_find_char(number, '.', 0) == RDV_NOT_FOUND ||
        !rdv_is_digit(rdv_char_at(number, number.len - 1)))
        return number;
    size_t begin = (size_t)(number.p - text.p), end = begin + number.len;
    return rdv_slice(text, begin, end + clean_dots(rdv_slice(text, end, text.len)));
}

/* Compare what was read of a text. */
static int grade_once(rdv_str text, const whole_reply *r, reading *read, rdv_arena *arena,
                      rdv_text_grade *out, rdv_error *err)
{
    rdv_answer answer = read->answer;
    int code = RDV_OK;
    bool number = r->form.kind == RDV_KIND_NUMBER, maths = number || r->form.kind == RDV_KIND_LATEX;
    if (!read->met.announced && (read->found != RDV_OK || answer.by == RDV_ANSWER_BY_PLACE))
        code = read_unannounced(text, read, &r->form, arena, &answer, err);
    if (rdv_answer_found_of(answer.by) < r->require)
        answer.text = (rdv_str){0};
    bool as_read = answer.text.p == read->answer.text.p && answer.text.len == read->answer.text.len;
    if (code == RDV_OK && maths && as_read)
        answer.text = with_dots(text, answer.text);
    conclusion end = {.text = read->said,
                      .read = answer.text,
                      .by = answer.by,
                      .gold = r->gold,
                      .form = &r->form,
                      .how = r->how};
    conclusion_look(&end);
    read->concluded = end.concluded;
    if (code == RDV_OK && maths)
        code = turn_with_words(text, answer.text, r->gold, r->question, arena, &answer.text, err);
    read->stated = as_read ? answer.text : (rdv_str){0};
    *out = (rdv_text_grade){.answer = answer.text, .by = answer.by};
    if (code == RDV_OK)
        code =
            compare_answers(answer.text, r->gold, &r->form, r->how, arena, &out->comparison, err);
    if (code == RDV_OK && end.read.p)
        code = conclusion_weigh(&end, arena, &out->answer, &out->comparison, err);
    read->unstated = end.unstated;
    return code;
}

/* Of what nothing announces, where nothing is read in it: does the reply state no value at all? */
static void weigh_valueless(const whole_reply *r, rdv_text_grade *out)
{
    bool maths = r->form.kind == RDV_KIND_NUMBER || r->form.kind == RDV_KIND_LATEX;
    bool unread =
        out->comparison.is == RDV_CANNOT_TELL && strcmp(out->comparison.why, "unread") == 0;
    if (r->first.met.announced || !maths || !unread || !rdv_has_digit(r->gold) ||
        !conclusion_breaks_off(r->first.said))
        return;
    out->comparison.is = RDV_DIFFERENT;
    out->comparison.reason = RDV_STR("the reply states no value");
}

/* A reply in whose words no answer is read may have one all the same, unless it says that it has
 * none. */
static void weigh_unread(const whole_reply *r, rdv_text_grade *out)
{
    bool words = rdv_has_letter_or_beyond(r->first.said);
    bool none =
        r->first.met.none && !rdv_str_eq(rdv_trim(r->gold), RDV_STR("0")); /* "no solutions" */
    if (out->answer.p || !words || none || r->require > RDV_FOUND_LAST)
        return;
    out->comparison.is = RDV_CANNOT_TELL;
    out->comparison.why = "unread";
    out->comparison.reason = RDV_STR("no answer is read in the reply");
}

static bool has_two_numbers(rdv_str s)
{
    rdv_str number;
    size_t at = 0;
    return answer_next_number(s, &at, &number) && answer_next_number(s, &at, &number);
}

/* A short reply that announces nothing and is no sentence is an answer as a whole: "3 and -3",
 * "6 root 2". Its last value alone is no proof that it is another one. So is a sentence of which
 * the last value tells nothing, where gold has several: "So a = 7 and b = 11." */
static int weigh_whole(const whole_reply *r, rdv_arena *arena, rdv_text_grade *out, rdv_error *err)
{
    rdv_str whole = rdv_trim(r->first.said);
    rdv_comparison one;
    bool last = !r->first.met.announced && rdv_answer_found_of(out->by) == RDV_FOUND_LAST;
    if (!last || r->first.unstated || r->require > RDV_FOUND_LAST ||
        out->comparison.is == RDV_SAME || rdv_str_eq(whole, out->answer) || !is_short(whole))
        return RDV_OK;
    size_t equals = rdv_find_char(whole, '=', 0);
    bool named = equals != RDV_NOT_FOUND && rdv_find_char(whole, '=', equals + 1) != RDV_NOT_FOUND;
    bool untold = (out->comparison.is == RDV_CANNOT_TELL || named) && has_two_numbers(r->gold);
    bool none = nothing_of(whole) != NOTHING_NOT; /* "No value of $x$ works." */
    if (statement_is_sentence(whole) && !untold && !none)
        return RDV_OK;
    int code = compare_answers(whole, r->gold, &r->form, r->how, arena, &one, err);
    bool dash = rdv_find(whole, RDV_STR(" - "), 0) != RDV_NOT_FOUND; /* "Answer - 60" */
    bool text = r->form.kind == RDV_KIND_TEXT;                       /* "Saturn, a planet" */
    bool unread = one.is == RDV_CANNOT_TELL && out->comparison.is == RDV_DIFFERENT && !dash &&
                  !text && rdv_find_char(whole, '=', 0) == RDV_NOT_FOUND;
    if (code == RDV_OK && (one.is == RDV_SAME || unread || conclusion_is_proved(&one))) {
        out->comparison = one;
        out->answer = whole;
    }
    return code < 0 ? code : RDV_OK;
}

/* Numbers with their names, where nothing else tells; a score is no difference. */
static void weigh_parts(rdv_str text, rdv_str gold, rdv_str question, rdv_comparison *out)
{
    bool same = false;
    score_is score = score_compare(text, gold, question);
    rdv_same is = score == SCORE_SAME ? RDV_SAME : score == SCORE_OTHER ? RDV_DIFFERENT : out->is;
    if (score == SCORE_UNKNOWN && !rdv_str_eq(rdv_trim(text), rdv_trim(gold)))
        is = RDV_CANNOT_TELL;
    if (score == SCORE_NOT && out->is == RDV_CANNOT_TELL &&
        parts_compare(text, gold, question, &same))
        is = same ? RDV_SAME : RDV_DIFFERENT;
    size_compare(text, gold, question, &is);
    if (is == out->is)
        return;
    out->is = is;
    out->why = is == RDV_CANNOT_TELL ? "assumption" : "text";
    out->reason = is == RDV_SAME        ? (rdv_str){0}
                  : is == RDV_DIFFERENT ? RDV_STR("one of its numbers is another one")
                                        : RDV_STR("which score is meant is not said");
}

/* Formulas and equations of chemistry, whose letters and digits are no names with their numbers. */
static int weigh_chemistry(rdv_str text, rdv_str gold, const rdv_answer_form *form,
                           rdv_arena *arena, rdv_comparison *out, rdv_error *err)
{
    rdv_same is;
    bool may = form && (form->kind == RDV_KIND_LATEX ||
                        (form->kind == RDV_KIND_TEXT && form->any_case)); /* no spelling */
    if (!may || strcmp(out->why, "assumption") == 0 || strcmp(out->why, "identical") == 0 ||
        conclusion_is_proved(out)) /* "C24_{16}" is a number */
        return RDV_OK;
    int code = reaction_compare(text, gold, arena, &is);
    if (code != RDV_OK || is == out->is)
        return code < 0 ? rdv_no_memory(err) : RDV_OK;
    out->is = is;
    out->why = is == RDV_CANNOT_TELL ? "unread" : "text";
    out->reason = is == RDV_SAME        ? (rdv_str){0}
                  : is == RDV_DIFFERENT ? RDV_STR("its atoms or counts are others")
                                        : RDV_STR("it may be the same in another way to write it");
    return RDV_OK;
}

/* Has the clause behind byte `i` a word that neither says nothing, is a unit nor stands in the
 * question? */
static bool has_unread_word(rdv_str s, size_t i, rdv_str question)
{
    unit_meaning m;
    for (size_t end; i < s.len && !strchr("\n.,;:!?=", s.p[i] ? s.p[i] : '\n');
         i = end + (end == i)) {
        end = rdv_skip_letters(s, i);
        rdv_str word = rdv_slice(s, i, end);
        size_t stop, asked = word.len ? rdv_ifind(question, word, 0) : 0;
        if (word.len > 1 && asked == RDV_NOT_FOUND && !unit_find_in_prose(word, &m) &&
            !announcement_row_at(s, i, 1u << EFFECT_PLAIN, &stop))
            return true;
    }
    return false;
}

/* Does the number at byte `begin` end a calculation in words, "divided by two", or an amount, "a
 * dollar fifty"? */
static bool is_operand(rdv_str s, size_t begin)
{
    size_t end = rdv_trim_end(rdv_slice(s, 0, begin)).len, from = end;
    while (from > 0 && rdv_is_alpha(s.p[from - 1]))
        from--;
    return number_is_operand(s, begin) ||
           answer_class_has(CLASS_BEFORE_COINS, rdv_slice(s, from, end));
}

/* A number out of a sentence whose words are not all read is no proof against a formula: "5 times
 * the speed of light" may be 5c. With "out of 8" behind it, it is a part. */
static int weigh_rest(const whole_reply *r, rdv_arena *arena, rdv_text_grade *out, rdv_error *err)
{
    rdv_str text = r->text, answer = out->answer;
    rdv_comparison *c = &out->comparison, part;
    if (out->by == RDV_ANSWER_BY_PLACE && rdv_lies_in(answer, text) && c->is != RDV_CANNOT_TELL &&
        is_operand(text, (size_t)(answer.p - text.p))) {
        c->is = RDV_CANNOT_TELL;
        c->why = "unread";
        c->reason = RDV_STR("the words before the number are not read");
        return RDV_OK;
    }
    bool proved = c->is == RDV_DIFFERENT && conclusion_is_proved(c);
    if (!proved || out->by == RDV_ANSWER_BY_BOX || out->by == RDV_ANSWER_BY_MARK ||
        !rdv_lies_in(answer, text) || rdv_has_letter(answer))
        return RDV_OK;
    size_t end = (size_t)(answer.p - text.p) + answer.len;
    rdv_str of = RDV_STR(" out of ");
    size_t stop = rdv_skip_digits(text, end + of.len);
    if (rdv_istarts(rdv_slice(text, end, text.len), of) && stop > end + of.len) {
        rdv_str whole = rdv_slice(text, end - answer.len, stop);
        int code = compare_answers(whole, r->gold, &r->form, r->how, arena, &part, err);
        if (code == RDV_OK && part.is == RDV_SAME) {
            *c = part;
            out->answer = whole;
        }
        return code < 0 ? code : RDV_OK;
    }
    if (rdv_has_letter(c->gold_as) && formal_has_no_words(r->gold) &&
        has_unread_word(text, end, r->question)) {
        c->is = RDV_CANNOT_TELL;
        c->why = "unread";
        c->reason = RDV_STR("a word behind the number is not read");
    }
    return RDV_OK;
}

/* A text without an end that its answer does not stand in says more: *same*, or a difference where
 * nothing was told. */
static int grade_shortened(const whole_reply *r, rdv_arena *arena, rdv_text_grade *out,
                           rdv_error *err)
{
    rdv_text_grade one;
    reading second;
    rdv_same is = out->comparison.is;
    rdv_str text = is == RDV_SAME ? r->text : conclusion_main_clause(r->text, r->question);
    if (text.len == r->text.len)
        return RDV_OK;
    read_text(text, r, &second);
    int code = grade_once(text, r, &second, arena, &one, err);
    bool other = rdv_has_digit(rdv_slice(r->text, text.len, r->text.len)) &&
                 !rdv_has_digit(cue_last_sentences(text, 1)); /* "..., as it costs 5." */
    bool told = code == RDV_OK && is == RDV_CANNOT_TELL && one.comparison.is == RDV_DIFFERENT &&
                !other && strcmp(one.comparison.why, "unread") != 0;
    if (code == RDV_OK && (one.comparison.is == RDV_SAME || told))
        *out = one;
    return code < 0 ? code : RDV_OK;
}

int grade_text_read(rdv_str text, rdv_str gold, const rdv_answer_form *form,
                    const rdv_compare_options *how, rdv_arena *arena, whole_reply *out,
                    rdv_error *err)
{
    *out =
        (whole_reply){.text = text, .gold = gold, .how = how, .question = question_of_options(how)};
    if (how && how->size > offsetof(rdv_compare_options, require))
        out->require = how->require;
    out->form = form_of(form, gold);
    int code = form_with_question(&out->form, &out->gold, out->question, arena, err);
    char constant;
    letter_without_clause(text, &constant);
    if (code == RDV_OK && constant &&
        letter_of_clauses(&out->text, &out->gold, out->question, arena, &out->renamed) < 0)
        return rdv_no_memory(err);
    if (code == RDV_OK)
        read_text(out->text, out, &out->first);
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

/* Does a word of the text that is left out say that what follows is no result? */
static bool may_turn(rdv_str dropped)
{
    return restated_doubts(dropped) || formal_holds(dropped, RDV_STR("were")) ||
           answer_holds_class(dropped, CLASS_TURNING_VALUE);
}

static int grade_part(const whole_reply *r, rdv_str part, rdv_arena *arena, rdv_text_grade *out,
                      rdv_error *err)
{
    whole_reply own;
    int code = grade_text_read(part, r->gold, &r->form, r->how, arena, &own, err);
    own.part = true;
    return code == RDV_OK ? grade_text_weigh(&own, arena, out, err) : code;
}

/* Is a lone equation, "x = 3", one of several values of gold, of which the text has no other? */
static bool is_one_of_gold(const conclusion *c, rdv_str part, const rdv_comparison *one)
{
    rdv_str number, dropped = rdv_slice(c->text, 0, (size_t)(part.p - c->text.p));
    size_t n = 0;
    if (strcmp(one->why, "form") != 0 || rdv_find_char(part, '=', 0) == RDV_NOT_FOUND ||
        rdv_find_char(part, ',', 0) != RDV_NOT_FOUND)
        return false;
    for (size_t at = 0; answer_next_number(c->gold, &at, &number); n++)
        if (formal_holds(dropped, number))
            return false;
    return n > 1 && !rdv_has_letter(one->answer_as);
}

/* Take what a part of the text tells. */
static int try_part(const whole_reply *r, conclusion *c, rdv_str part, rdv_arena *arena,
                    rdv_text_grade *out, rdv_error *err)
{
    rdv_text_grade one;
    bool beside = false;
    bool differs = out->comparison.is == RDV_DIFFERENT;
    if (!part.len || out->comparison.is == RDV_SAME || !rdv_lies_in(part, c->text) ||
        may_turn(c->last) || !conclusion_is_plain(c, part) || conclusion_is_turned(c, part) ||
        conclusion_is_another(c, part))
        return RDV_OK;
    int code = grade_part(r, part, arena, &one, err);
    if (code != RDV_OK || one.comparison.is == RDV_CANNOT_TELL ||
        (differs && one.comparison.is != RDV_SAME) ||
        (one.comparison.is == RDV_DIFFERENT && !is_shown(&one) &&
         !is_one_of_gold(c, part, &one.comparison)))
        return code;
    c->read = part;
    if (one.comparison.is == RDV_DIFFERENT)
        code = conclusion_gold_beside(c, arena, &beside, err);
    if (code == RDV_OK && !beside)
        *out = one;
    return code;
}

/* Does the reply conclude with words alone, and not with what was read? */
static bool concludes_in_words(const whole_reply *r, rdv_str answer)
{
    rdv_str clause = r->first.concluded;
    return !rdv_has_digit(clause) && !rdv_lies_in(answer, clause);
}

/* The last sentence from its last number on. */
static rdv_str from_last_number(rdv_str text)
{
    rdv_str s = cue_last_sentences(text, 1), number, last = s;
    for (size_t at = 0; answer_next_number(s, &at, &number);)
        last = number;
    return rdv_slice(s, (size_t)(last.p - s.p), s.len);
}

/* Is the last number of the reply one in words? */
static bool ends_in_words(rdv_str said, rdv_str digits)
{
    return !rdv_str_eq(from_last_number(said), from_last_number(digits));
}

/* Does a word behind the first number of a clause compare or shift it, "seven hours later"? */
static bool is_shifted(rdv_str s, rdv_str question)
{
    rdv_str number;
    size_t at = 0;
    if (!answer_next_number(s, &at, &number))
        return false;
    for (size_t end; at < s.len; at = end + 1) {
        end = rdv_skip_letters(s, at);
        rdv_str word = rdv_slice(s, at, end);
        if (answer_class_has(CLASS_SHIFTED, word) && !formal_holds(question, word))
            return true;
    }
    return false;
}

/* Read the reply with digits for its numbers in words: what differs was not read whole, and what it
 * concludes with must be gold too. */
static int weigh_digits(const whole_reply *r, const conclusion *c, rdv_arena *arena,
                        rdv_text_grade *out, rdv_error *err)
{
    rdv_text_grade one;
    rdv_str digits = c->text;
    bool same = out->comparison.is == RDV_SAME;
    rdv_str clause = c->concluded;
    if (digits.p == r->first.said.p || (same && !rdv_has_digit(clause)))
        return RDV_OK;
    int code = grade_part(r, digits, arena, &one, err);
    if (code == RDV_OK && (conclusion_is_another(c, clause) || is_shifted(clause, r->question)))
        one.comparison = conclusion_several(&one.comparison);
    if (code != RDV_OK || (same && one.comparison.is == RDV_SAME))
        return code;
    bool shown = one.comparison.is != RDV_DIFFERENT || is_shown(&one);
    bool read = one.comparison.is == RDV_CANNOT_TELL && !ends_in_words(r->first.said, digits);
    if (!same && shown && !read)
        *out = one;
    else if (same)
        out->comparison = conclusion_several(&out->comparison);
    return code;
}

/* The same with digits for the last number in words alone, from byte `from` on: the others may be
 * its time and kind, "After eight weeks she has 120." */
static int weigh_last_digits(const whole_reply *r, conclusion *all, size_t from, rdv_arena *arena,
                             rdv_text_grade *out, rdv_error *err)
{
    conclusion c = *all;
    rdv_text_grade one = *out;
    bool beside = false;
    c.text = digits_of_words(r->first.said, &from, arena);
    conclusion_look(&c);
    int code = c.text.p ? weigh_digits(r, &c, arena, &one, err) : rdv_no_memory(err);
    if (code == RDV_OK && one.comparison.is == RDV_DIFFERENT)
        code = conclusion_gold_beside(all, arena, &beside, err);
    if (code == RDV_OK && !beside)
        *out = one;
    return code;
}

/* Take what the equations tell that the reply ends with; of a lone one, "b = 6" behind "a = 5",
 * only that it is another answer. */
static int try_equations(const whole_reply *r, conclusion *c, const said_parts *said,
                         rdv_arena *arena, rdv_text_grade *out, rdv_error *err)
{
    rdv_str equations = said->equations;
    rdv_str right = rdv_slice(equations, rdv_find_char(equations, '=', 0), equations.len);
    rdv_text_grade one = *out;
    int code = try_part(r, c, equations, arena, &one, err);
    bool several = said->n_equations > 1 || rdv_has_letter(right);
    if (code == RDV_OK && (several || one.comparison.is == RDV_DIFFERENT))
        *out = one;
    return code;
}

/* Weigh once more what announces nothing: its text with digits for numbers in words, and where
 * nothing is told the parts of its last sentence, each graded as a whole reply. The first that
 * tells something decides, if no word that is left out doubts or turns it, and gold is none of the
 * values that are left out. */
static int weigh_said(const whole_reply *r, rdv_arena *arena, rdv_text_grade *out, rdv_error *err)
{
    size_t from = 0;
    if (out->comparison.is == RDV_SAME && !concludes_in_words(r, out->answer))
        return RDV_OK;
    rdv_str text = digits_of_words(r->first.said, &from, arena);
    conclusion c = {
        .text = text, .by = RDV_ANSWER_BY_PLACE, .gold = r->gold, .form = &r->form, .how = r->how};
    unsigned place;
    bool alone;
    if (!text.p)
        return rdv_no_memory(err);
    conclusion_look(&c);
    if (r->form.kind == RDV_KIND_TIME || ordinal_of(r->gold, &place, &alone)) /* "one seventh" */
        return RDV_OK;
    int code = weigh_digits(r, &c, arena, out, err);
    if (code == RDV_OK && from && out->comparison.is == RDV_CANNOT_TELL)
        code = weigh_last_digits(r, &c, from, arena, out, err);
    if (code != RDV_OK || out->comparison.is == RDV_SAME)
        return code;
    said_parts said = said_of(rdv_trim(c.last));
    bool formula = r->form.kind == RDV_KIND_LATEX && rdv_has_letter(r->gold);
    rdv_str none = {0}, parts[] = {r->form.kind == RDV_KIND_TEXT ? none : said.label, said.clause,
                                   said.sum, formula ? said.formula : none};
    code = try_equations(r, &c, &said, arena, out, err);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && code == RDV_OK; i++)
        code = try_part(r, &c, parts[i], arena, out, err);
    return code;
}

/* Does the last sentence name a point in words, beside those in digits: "at (2, 4) and the origin"?
 */
static bool has_point_in_words(const whole_reply *r)
{
    const rdv_str origin = RDV_STR("origin");
    return rdv_find_char(r->gold, '(', 0) != RDV_NOT_FOUND && !formal_holds(r->question, origin) &&
           formal_holds(cue_last_sentences(r->first.said, 1), origin);
}

int grade_text_weigh(whole_reply *r, rdv_arena *arena, rdv_text_grade *out, rdv_error *err)
{
    rdv_text_grade grade = {0};
    int code = grade_once(r->text, r, &r->first, arena, &grade, err);
    if (code != RDV_OK)
        return code;
    weigh_unread(r, &grade);
    weigh_valueless(r, &grade);
    code = weigh_whole(r, arena, &grade, err);
    if (code == RDV_OK)
        code = weigh_rest(r, arena, &grade, err);
    if (code != RDV_OK)
        return code;
    bool last = !r->first.met.announced && r->require < RDV_FOUND_ANNOUNCED;
    if (last)
        code = grade_shortened(r, arena, &grade, err);
    if (code == RDV_OK && r->require <= RDV_FOUND_LAST && is_short(rdv_trim(r->first.said))) {
        rdv_str said = r->first.met.announced ? grade.answer : r->first.said;
        weigh_parts(said, r->gold, r->question, &grade.comparison);
        code = weigh_chemistry(said, r->gold, &r->form, arena, &grade.comparison, err);
    }
    if (code == RDV_OK && last && !r->first.unstated && !r->first.met.none && !r->part &&
        is_short(rdv_trim(r->first.said)))
        code = weigh_said(r, arena, &grade, err);
    if (last && has_point_in_words(r) && grade.comparison.is != RDV_CANNOT_TELL)
        grade.comparison = conclusion_several(&grade.comparison);
    if (r->renamed && grade.comparison.is == RDV_DIFFERENT) {
        grade.comparison.is = RDV_CANNOT_TELL; /* "Ae^x" may be "-Ce^x" */
        grade.comparison.why = "assumption";
        grade.comparison.reason = RDV_STR("a constant of the reply may be written otherwise");
    }
    if (code == RDV_OK)
        *out = grade;
    return code;
}

int rdv_grade_text(rdv_str text, rdv_str gold, const rdv_answer_form *form,
                   const rdv_compare_options *how, rdv_arena *arena, rdv_text_grade *out,
                   rdv_error *err)
{
    whole_reply r;
    if (text.len > RDV_GRADE_TEXT_MAX) {
        *out = (rdv_text_grade){
            .comparison = {
                .is = RDV_CANNOT_TELL,
                .why = "limit",
                .reason =
                    RDV_STR("the text is longer than 16 MiB, so its answer was not looked for")}};
        return RDV_OK;
    }
    int code = grade_text_read(text, gold, form, how, arena, &r, err);
    return code == RDV_OK ? grade_text_weigh(&r, arena, out, err) : code;
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
    whole_reply whole = {0};
    rdv_text_grade reply;
    int code = answer.len > RDV_GRADE_TEXT_MAX
                   ? rdv_grade_text(answer, gold, form, how, arena, &reply, err)
                   : grade_text_read(answer, gold, form, how, arena, &whole, err);
    if (code == RDV_OK && answer.len <= RDV_GRADE_TEXT_MAX)
        code = grade_text_weigh(&whole, arena, &reply, err);
    if (code != RDV_OK)
        return code;
    if (whole.first.unstated && out->is == RDV_SAME && reply.comparison.is == RDV_CANNOT_TELL) {
        *out = reply.comparison; /* "Nobody has 8." */
        return RDV_OK;
    }
    rdv_kind kind = form ? form->kind : RDV_KIND_AUTO;
    bool maths = kind == RDV_KIND_NUMBER || kind == RDV_KIND_LATEX || kind == RDV_KIND_AUTO;
    bool shown = is_shown(&reply);
    bool by_form = maths && out->is == RDV_DIFFERENT && !conclusion_is_proved(out);
    bool told = shown || (reply.comparison.is == RDV_SAME && out->is != RDV_SAME);
    bool unread = (kind == RDV_KIND_OPTION && strcmp(out->why, "unread") == 0) ||
                  (kind == RDV_KIND_TEXT && form->any_case && out->is != RDV_SAME);
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
    bool words = form && form->kind == RDV_KIND_TEXT && form->any_case && /* "Sorted: a, b" */
                 rdv_find_char(answer, '\\', 0) == RDV_NOT_FOUND;
    int code = compare_answers(answer, gold, form, how, arena, &whole, err);
    bool shout = rdv_ends(rdv_trim_end(answer), RDV_STR("!")); /* "the answer is 3!" may be 6 */
    if (code == RDV_OK && !shout && strcmp(whole.why, "identical") != 0 &&
        (words || statement_is_sentence(answer) || has_mark(answer) ||
         conclusion_main_clause(answer, question_of_options(how)).len < answer.len))
        code = compare_sentence(answer, gold, form, how, arena, &whole, err);
    else if (code == RDV_OK && !shout) {
        weigh_parts(answer, gold, question_of_options(how), &whole);
        code = weigh_chemistry(answer, gold, form, arena, &whole, err);
    }
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
