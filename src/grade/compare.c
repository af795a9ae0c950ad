/* SPDX-License-Identifier: Apache-2.0 */
/* An answer and the gold answer: same, different, or it cannot be told. */
#include "answer/announcement.h"
#include "answer/chinese.h"
#include "answer/date.h"
#include "answer/foreign_number.h"
#include "answer/gold.h"
#include "answer/hedge.h"
#include "answer/lone_number.h"
#include "answer/measure.h"
#include "answer/money.h"
#include "answer/number.h"
#include "answer/number_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/options.h"
#include "base/str.h"
#include "grade/align_to_gold.h"
#include "grade/text/choices.h"
#include "grade/clean.h"
#include "grade/compare.h"
#include "grade/form_with_question.h"
#include "grade/formal.h"
#include "grade/key.h"
#include "grade/letter.h"
#include "grade/text/letter_case.h"
#include "grade/text/order.h"
#include "grade/pair.h"
#include "grade/split.h"
#include "grade/text/restated.h"
#include "grade/text/spelling.h"
#include "grade/turn.h"
#include "language/ordinal.h"
#include "language/phrase.h"

#define LETTERS_UNLISTED 10 /* options may be A to J where they are not known */
#define OPTION_TEXT_LEAST 4 /* bytes of one that cannot be read as a letter, "(B)" */
#define WHOLE_TEXT_MOST 24  /* bytes of a whole number with commas: 18 digits */

const char *rdv_same_name(rdv_same is)
{
    static const char *const names[] = {"different", "same", "cannot-tell"};
    return names[is];
}

/* A tolerance is a decimal of 0 or more; *exact is it as a fraction. */
static int read_tolerance(rdv_str t, rdv_arena *arena, rdv_str *exact, rdv_error *err)
{
    rdv_str key = t;
    bool plain = t.len > 0 && t.len <= 100;
    for (size_t i = 0; i < t.len && plain; i++)
        plain = rdv_is_digit(t.p[i]) || (t.p[i] && strchr(".eE+-", t.p[i]));
    int rc = !t.p ? RDV_OK : plain ? rdv_math_key(t, arena, &key, err) : RDV_NONE;
    for (size_t i = 0; rc == RDV_OK && t.p && i < key.len; i++)
        if (!rdv_is_digit(key.p[i]) && key.p[i] != '/') /* below zero, or "1e" */
            rc = RDV_NONE;
    if (rc == RDV_OK)
        *exact = key;
    return rc == RDV_NONE
               ? rdv_fail(err, RDV_E_ARGUMENT,
                          "tolerance \"%.*s\": give a decimal of 0 or more, such as 1e-6",
                          RDV_FMT(rdv_slice(t, 0, 40)))
               : rc;
}

/* "to the nearest ten", "estimate": what is near is what is asked for. */
static bool asks_for_rounding(rdv_str question)
{
    static phrase_list words = {"@asks-for-rounding"};
    return phrase_in(question, &words);
}

/* An answer without its hedge that is the same as gold may be gold; nearness is enough where gold
 * or the caller says so. */
static int weigh_hedge(const pair *p, hedge is, hedge gold, rdv_comparison *out)
{
    bool near = is == HEDGE_NEAR && gold != HEDGE_NEAR && p->how.tolerance.p;
    bool allowed = is == HEDGE_NEAR &&
                   (p->how.tolerance.p || gold == HEDGE_NEAR || asks_for_rounding(p->how.question));
    if (near && out->is == RDV_SAME)
        out->why = "tolerance";
    if (is == HEDGE_NONE || is == gold || allowed || out->is != RDV_SAME)
        return RDV_OK;
    out->is = RDV_CANNOT_TELL;
    out->why = "assumption";
    out->reason = rdv_str_printf(p->arena, "the answer says only that it %s %.*s",
                                 is == HEDGE_NEAR ? "is near" : "may be",
                                 RDV_FMT(rdv_slice(out->answer_as, 0, 80)));
    return out->reason.p ? RDV_OK : rdv_no_memory(p->err);
}

/* Of two texts that differ, whose kind was only guessed: letters beside a formula are one too; what
 * may be mathematics, a number in words, a quantity or an abbreviation is not different by its
 * spelling. */
static int weigh_spelling(const pair *texts, rdv_str *given, rdv_str *given_gold,
                          rdv_comparison *out)
{
    rdv_str answer = out->answer_as, gold = out->gold_as; /* without quotes and "\\text" */
    pair p = *texts;
    rdv_comparison read = {.is = RDV_CANNOT_TELL, .why = "unread"};
    if (!answer.len || !gold.len)
        return RDV_OK; /* there is no answer */
    rdv_same ordered;
    bool lines = rdv_find_char(texts->answer, '\n', 0) != RDV_NOT_FOUND; /* "1. cat", "2. dog" */
    if (order_compare(lines ? rdv_trim(texts->answer) : answer, gold, texts->how.question,
                      &ordered)) {
        out->is = ordered;
        out->why = ordered == RDV_CANNOT_TELL ? "assumption" : "text";
        out->reason = ordered == RDV_SAME        ? (rdv_str){0}
                      : ordered == RDV_DIFFERENT ? RDV_STR("their order is another one")
                                                 : RDV_STR("whether the order counts is not said");
        return RDV_OK;
    }
    p.kind = RDV_KIND_LATEX;
    bool nothing = announcement_of_none(answer) && announcement_of_none(gold); /* "DNE" */
    p.answer = rdv_trim(texts->answer);
    p.gold = rdv_trim(texts->gold);
    if (!nothing) {
        p.answer = formal_product(p.answer, p.arena);
        p.gold = formal_product(p.gold, p.arena);
    }
    if (!p.answer.p || !p.gold.p)
        return rdv_no_memory(p.err);
    bool a = nothing || formal_may_be_value(answer), g = nothing || formal_may_be_value(gold);
    bool letters = !a && !g;
    bool product = p.answer.p != rdv_trim(texts->answer).p,
         other = p.gold.p != rdv_trim(texts->gold).p;
    if (a || g) {
        rdv_str as_given = *given, as_gold = *given_gold;
        int rc = pair_compare_maths(&p, &read);
        if (rc == RDV_OK && read.is != RDV_SAME)
            rc = pair_compare_reworded(&p, &as_given, &as_gold, &read);
        if (rc == RDV_OK)
            rc = pair_weigh_equation(&p, &read);
        if (rc < 0)
            return rc;
        bool proved = strcmp(read.why, "exact") == 0 || strcmp(read.why, "algebra") == 0 ||
                      strcmp(read.why, "bounds") == 0;
        bool formal = formal_has_no_words(answer) && formal_has_no_words(gold);
        bool of_letters = !(product || other) || formal_same_letters(answer, gold);
        unsigned place;
        bool alone; /* "the fifth century" is no part of one */
        bool places = (rdv_find_char(read.answer_as, '/', 0) != RDV_NOT_FOUND ||
                       rdv_find_char(read.gold_as, '/', 0) != RDV_NOT_FOUND) &&
                      (ordinal_of(answer, &place, &alone) || ordinal_of(gold, &place, &alone));
        bool differ = read.is == RDV_DIFFERENT && of_letters && (formal || proved) && !places;
        if (rc == RDV_OK && (read.is == RDV_SAME || differ)) {
            *out = read;
            *given = as_given;
            *given_gold = as_gold;
            return RDV_OK;
        }
    }
    bool chosen;
    if (choices_compare(answer, gold, texts->how.question, &chosen)) {
        out->is = chosen ? RDV_SAME : RDV_DIFFERENT;
        out->why = "option";
        out->reason = chosen ? (rdv_str){0} : out->reason;
        return RDV_OK;
    }
    bool order = letters && product && other && formal_same_letters(answer, gold);
    rdv_same is = spelling_compare(texts->answer, answer, texts->gold, gold, texts->how.question);
    bool named = answer_calendar_name(gold) > 0 || /* two of which differ, whatever else is said */
                 restated_opposite(answer, gold) || spelling_differs_by_number(answer, gold);
    if (is == RDV_DIFFERENT && (a || g || order) && !named)
        is = RDV_CANNOT_TELL;
    out->is = is;
    out->why = is == RDV_CANNOT_TELL ? "unread" : "text";
    if (is != RDV_DIFFERENT)
        out->reason =
            is == RDV_SAME ? (rdv_str){0} : RDV_STR("a text that may be a value is not read");
    return RDV_OK;
}

/* An unread side may have letters too. */
static bool may_have_letters(rdv_str s)
{
    return !s.p || rdv_has_letter(s);
}

/* Two letters or more alone, which may be a number in words that are not read: "XIV". */
static bool is_letters(rdv_str s)
{
    uint64_t value;
    s = rdv_trim(s);
    return s.len > 1 && rdv_skip_letters(s, 0) == s.len && !number_words_read(s, &value);
}

/* Are two numbers each other's negative? */
static bool are_opposite(rdv_str a, rdv_str b)
{
    bool below = rdv_starts(a, RDV_STR("-")), other = rdv_starts(b, RDV_STR("-"));
    return below != other && rdv_str_eq(rdv_slice(a, below, a.len), rdv_slice(b, other, b.len));
}

/* Is it a number that words behind it calculate with, "2 to the tenth power"? */
static bool is_calculation(rdv_str s)
{
    rdv_str number;
    size_t at = 0;
    return answer_next_number(s, &at, &number) && number_is_calculated_with(s, at - number.len, at);
}

/* Is it a decimal that goes on without repeating what is written, "0.142..."? */
static bool is_cut_off(rdv_str s)
{
    for (size_t i = 1; i < s.len; i++)
        if (rdv_is_digit(s.p[i - 1]) && clean_dots(rdv_slice(s, i, s.len)))
            return rdv_find_char(rdv_slice(s, 0, i), '.', 0) != RDV_NOT_FOUND &&
                   !clean_period(rdv_slice(s, 0, i));
    return false;
}

/* Is it a letter that often is one number, the golden ratio or Euler's constant? */
static bool names_constant(rdv_str s)
{
    static const char *const letters[] = {"\\phi",    "\\varphi", "\\tau",   "\\gamma",
                                          "\xcf\x86", "\xcf\x84", "\xce\xb3"};
    return rdv_named(s, letters, sizeof letters / sizeof *letters) >= 0;
}

/* Has each a capital letter that the other lacks, where such a letter may be any constant? */
static bool may_rename_constant(rdv_str a, rdv_str b, rdv_str question)
{
    static const char *const asks[] = {"general solution", "antiderivative", "integral"};
    bool own = false, other = false;
    if (!rdv_holds_any(question, asks, sizeof asks / sizeof *asks))
        return false;
    for (char c = 'A'; c <= 'Z'; c++) {
        bool in_a = rdv_find_char(a, c, 0) != RDV_NOT_FOUND;
        bool in_b = rdv_find_char(b, c, 0) != RDV_NOT_FOUND;
        own = own || (in_a && !in_b);
        other = other || (in_b && !in_a);
    }
    return own && other;
}

/* May one of two values be a count of dozens: are they no whole numbers, or one 12 times the other?
 */
static bool may_be_dozens(rdv_str a, rdv_str b)
{
    uint64_t value[2] = {0};
    rdv_str text[2] = {a, b};
    for (size_t k = 0; k < 2; k++) {
        if (!rdv_is_whole(text[k]) || text[k].len > 12)
            return true;
        for (size_t i = 0; i < text[k].len; i++)
            value[k] = value[k] * 10 + (uint64_t)(text[k].p[i] - '0');
    }
    return value[0] == 12 * value[1] || value[1] == 12 * value[0];
}

/* Is the word the name of the currency that both answers name: "200 yen" beside a sign of yen? */
static bool names_their_currency(rdv_str word, rdv_str a, rdv_str b)
{
    rdv_str one = money_currency(a);
    return one.p && rdv_str_eq(one, money_currency(b)) && money_is_currency(word, one);
}

/* The words beside the numbers, which the values do not have, must agree: "am", "decrease", "per
 * hour"; a word of one side alone may be dropped only where it is known to change nothing. */
static int weigh_words(const pair *p, bool maths, rdv_str answer, rdv_str gold, rdv_comparison *out)
{
    if (!(maths || p->kind == RDV_KIND_MONEY) || strcmp(out->why, "unread") == 0 ||
        rdv_str_eq(rdv_trim(answer), rdv_trim(gold)))
        return RDV_OK;
    bool converted = strcmp(out->why, "unit") == 0; /* "60 km per hour" is "1 km per minute" */
    rdv_str as = out->answer_as, gs = out->gold_as;
    turn is = TURN_AGREES;
    turn_word word = {0};
    bool one_calculated = is_calculation(answer) != is_calculation(gold);
    if (out->is == RDV_SAME && one_calculated)
        is = TURN_UNSAID;
    else if (out->is == RDV_SAME)
        is =
            turn_between(answer, gold, p->how.question,
                         maths && !may_have_letters(as) && !may_have_letters(gs), converted, &word);
    else if (out->is == RDV_DIFFERENT && maths && !converted &&
             (turn_may_change(answer, gold, are_opposite(as, gs), may_be_dozens(as, gs)) ||
              is_cut_off(answer) || is_cut_off(gold) || one_calculated ||
              names_constant(as) != names_constant(gs) ||
              may_rename_constant(as, gs, p->how.question) ||
              (is_letters(answer) && !may_have_letters(gs)) ||
              (is_letters(gold) && !may_have_letters(as))))
        is = TURN_UNSAID;
    bool nothing = (rdv_str_eq(as, RDV_STR("0")) && rdv_str_eq(word.of, RDV_STR("change"))) ||
                   (is == TURN_UNSAID && names_their_currency(word.said, answer, gold)) ||
                   rdv_str_eq(as, RDV_STR("{}"));
    if (is == TURN_AGREES || nothing || (is == TURN_OPPOSED && converted))
        return RDV_OK;
    out->is = is == TURN_OPPOSED ? RDV_DIFFERENT : RDV_CANNOT_TELL;
    out->why = is == TURN_OPPOSED ? "unit" : "assumption";
    out->reason =
        is == TURN_OPPOSED ? RDV_STR("the words beside the numbers turn them opposite ways")
        : !word.said.len ? RDV_STR("a word beside one of the numbers may make another number of it")
                         : rdv_str_printf(p->arena, "only one of both says \"%.*s\"",
                                          RDV_FMT(rdv_slice(word.said, 0, 40)));
    return out->reason.p ? RDV_OK : rdv_no_memory(p->err);
}

/* The number of "2.5x" or "2.5 times"; p == NULL: it is no such text. */
static rdv_str number_of_factor(rdv_str s)
{
    static const char *const signs[] = {"x", "\\times", "\xc3\x97", "times"};
    size_t at = 0;
    rdv_str number, bare = split_inside(rdv_trim(s));
    bool is = answer_next_number(bare, &at, &number) && number.p == bare.p &&
              rdv_is_one_of(rdv_trim(rdv_slice(bare, at, bare.len)), signs, 4);
    return is ? number : (rdv_str){0};
}

/* Both without their signs of "times" where the question asks for a factor, or both have one. */
static void without_times(rdv_str *answer, rdv_str *gold, rdv_str question)
{
    static phrase_list asks = {"@asks-for-a-factor"};
    rdv_str a = number_of_factor(*answer), g = number_of_factor(*gold);
    bool asked = (a.p && g.p) || ((a.p || g.p) && phrase_in(question, &asks));
    *answer = asked && a.p ? a : *answer;
    *gold = asked && g.p ? g : *gold;
}

/* A bare number is one of the unit that the question asks for, "How many hours", where the other
 * one has another unit: 90 minutes for 1.5. */
static int with_asked_unit(rdv_str *gold, rdv_str answer, const pair *p)
{
    rdv_str number, letters, end, asked_unit = turn_asked_unit(p->how.question);
    size_t at = 0;
    rdv_str bare = split_inside(*gold), whole = split_inside(answer);
    if (!asked_unit.len || !answer_next_number(bare, &at, &number) || number.len != bare.len ||
        !(measure_split(whole, &end, &letters) || measure_is_sum(whole)))
        return RDV_OK;
    if (measure_is_sum(whole)) /* "1 hour and 30 minutes" has the units of its first part */
        letters = rdv_slice(whole, rdv_skip_digits(whole, 0), whole.len);
    measure is = measure_read(letters), asked = measure_read(asked_unit);
    if (is.n && asked.n && measure_compare(&is, &asked) == MEASURES_CONVERT)
        *gold = rdv_str_printf(p->arena, "%.*s %.*s", RDV_FMT(bare), RDV_FMT(asked_unit));
    return gold->p ? RDV_OK : rdv_no_memory(p->err);
}

/* Without "It's " and its like before a value. */
static rdv_str without_contraction(rdv_str s)
{
    static phrase_list words = {"@pronoun;there;here"};
    static const char *const verbs[] = {"'s ", "\xe2\x80\x99s "};
    rdv_str bare = rdv_trim(s);
    size_t end = rdv_skip_letters(bare, 0);
    rdv_str rest = rdv_slice(bare, end, bare.len);
    if (phrase_is(rdv_slice(bare, 0, end), &words))
        for (size_t k = 0; k < 2; k++)
            if (rdv_starts(rest, rdv_str_of(verbs[k])) &&
                !rdv_istarts(rdv_slice(rest, strlen(verbs[k]), rest.len), RDV_STR("no ")))
                return rdv_slice(rest, strlen(verbs[k]), rest.len);
    return s;
}

/* "five cents" as "5 cents", in the arena; another text as it is. p == NULL: out of memory. */
static rdv_str money_in_digits(rdv_str s, rdv_arena *arena)
{
    uint64_t part, of;
    rdv_str unit_of;
    bool may = s.len && s.len < 100 && rdv_is_alpha(s.p[0]) &&
               counted_words_read(s, &part, &of, &unit_of) && of == 1 &&
               rdv_skip_letters(unit_of, 0) == unit_of.len; /* not "six cent vingt-neuf" */
    rdv_str digits =
        may ? rdv_str_printf(arena, "%llu %.*s", (unsigned long long)part, RDV_FMT(unit_of)) : s;
    return may && digits.p && !money_currency(digits).p ? s : digits;
}

/* A bare whole number without the commas of its thousands, in the arena if it has any. p == NULL:
 * it is none, or memory is short. */
static rdv_str whole_value(rdv_str s, rdv_arena *arena)
{
    size_t sign = rdv_starts(s, RDV_STR("-")), end = rdv_skip_digits(s, sign);
    bool grouped = rdv_char_at(s, end) == ',' && end - sign < 4;
    rdv_buf b;
    if (rdv_is_whole(rdv_slice(s, sign, s.len)))
        return sign && s.p[sign] == '0' ? (rdv_str){0} : s;
    if (!grouped || end == sign || s.p[sign] == '0' || s.len > WHOLE_TEXT_MOST)
        return (rdv_str){0};
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add(&b, rdv_slice(s, 0, end));
    for (; end < s.len; end += 4) {
        if (s.p[end] != ',' || rdv_skip_digits(s, end + 1) != end + 4)
            return (rdv_str){0};
        rdv_buf_add(&b, rdv_slice(s, end + 1, end + 4));
    }
    return rdv_buf_str(&b);
}

/* Two whole numbers, of which nothing else decides. RDV_NONE: they are not. */
static int compare_wholes(rdv_str answer, rdv_str gold, rdv_arena *arena, rdv_comparison *out,
                          rdv_error *err)
{
    rdv_str as = whole_value(answer, arena), gs = as.p ? whole_value(gold, arena) : as;
    if (!gs.p)
        return RDV_NONE;
    bool same = rdv_str_eq(as, gs);
    *out = (rdv_comparison){.is = same ? RDV_SAME : RDV_DIFFERENT,
                            .why = rdv_str_eq(answer, gold) ? "identical" : "exact",
                            .answer_as = as,
                            .gold_as = gs};
    if (!same)
        out->reason = rdv_str_printf(arena, "%.*s is not %.*s", RDV_FMT(answer), RDV_FMT(gold));
    return same || out->reason.p ? RDV_OK : rdv_no_memory(err);
}

/* Is it the bare letter of an option, and none of the options a text that it could be? */
static bool is_bare_letter(rdv_str s, const rdv_answer_form *form)
{
    size_t n = form && form->n_options ? form->n_options : LETTERS_UNLISTED;
    if (s.len != 1 || s.p[0] < 'A' || s.p[0] > 'Z' || (size_t)(s.p[0] - 'A') >= n)
        return false;
    for (size_t i = 0; form && i < form->n_options; i++)
        if (form->options[i].len < OPTION_TEXT_LEAST)
            return false;
    return true;
}

/* Two letters of options, of which nothing else decides. */
static int compare_letters(rdv_str answer, rdv_str gold, rdv_arena *arena, rdv_comparison *out,
                           rdv_error *err)
{
    bool same = answer.p[0] == gold.p[0];
    *out = (rdv_comparison){.is = same ? RDV_SAME : RDV_DIFFERENT,
                            .why = same ? "identical" : "option",
                            .answer_as = answer,
                            .gold_as = gold};
    if (!same)
        out->reason = rdv_str_printf(arena, "%c is not %c", answer.p[0], gold.p[0]);
    return same || out->reason.p ? RDV_OK : rdv_no_memory(err);
}

/* How a value was understood, with the unit that stands behind it in the text. */
static int show_unit(rdv_str text, rdv_arena *arena, rdv_str *as, rdv_error *err)
{
    rdv_str number, letters;
    if (!as->len || rdv_has_letter(*as) || !measure_split(split_inside(text), &number, &letters) ||
        !measure_read(letters).n)
        return RDV_OK;
    *as = rdv_str_printf(arena, "%.*s %.*s", RDV_FMT(*as), RDV_FMT(rdv_trim(letters)));
    return as->p ? RDV_OK : rdv_no_memory(err);
}

static int compare_one(rdv_str answer, rdv_str gold, const rdv_answer_form *form,
                       const rdv_compare_options *how, math_work *work, rdv_arena *arena,
                       rdv_comparison *out, rdv_error *err)
{
    hedge hedged = HEDGE_NONE, gold_hedged = HEDGE_NONE;
    rdv_kind kind = key_kind(form);
    bool maths = kind == RDV_KIND_NUMBER || kind == RDV_KIND_LATEX;
    pair p = {
        .kind = kind, .how = {.size = sizeof p.how}, .work = work, .arena = arena, .err = err};
    int rc = rdv_options_take(&p.how, sizeof p.how, how, err);
    if (rc == RDV_OK)
        rc = read_tolerance(p.how.tolerance, arena, &p.how.tolerance, err);
    if (rc != RDV_OK)
        return rc;
    rc = maths && !p.how.tolerance.p ? compare_wholes(answer, gold, arena, out, err) : RDV_NONE;
    if (kind == RDV_KIND_OPTION && is_bare_letter(answer, form) && is_bare_letter(gold, form))
        rc = compare_letters(answer, gold, arena, out, err);
    if (rc != RDV_NONE)
        return rc;
    rc = RDV_OK;
    if (kind != RDV_KIND_TEXT && kind != RDV_KIND_PHRASE) {
        rdv_str whole = rdv_trim(gold);
        gold = gold_answer(gold);
        answer = rdv_str_eq(rdv_trim(answer), whole) ? gold : answer;
    }
    bool identical = rdv_str_eq(rdv_trim(answer), rdv_trim(gold));
    if (maths) {
        rdv_str listed = split_boxes(answer, arena), gold_listed = split_boxes(gold, arena);
        if ((answer.p && !listed.p) || (gold.p && !gold_listed.p))
            return rdv_no_memory(err);
        answer = without_contraction(listed);
        gold = without_contraction(gold_listed);
        rdv_str bare = rdv_trim(answer);
        if (rdv_ends(bare, RDV_STR(".")) && !rdv_has_digit(bare)) /* "A dozen." */
            answer = rdv_slice(bare, 0, bare.len - 1);
        rdv_str in_answer = money_in_digits(rdv_trim(answer), arena); /* "six cents" is no 600 */
        rdv_str in_gold = money_in_digits(rdv_trim(gold), arena);
        in_answer = foreign_number_in_digits(in_answer, arena);
        in_gold = foreign_number_in_digits(in_gold, arena);
        if ((answer.p && !in_answer.p) || (gold.p && !in_gold.p))
            return rdv_no_memory(err);
        answer = in_answer;
        gold = in_gold;
        without_times(&answer, &gold, p.how.question);
    }
    bool text = kind == RDV_KIND_TEXT && form && form->any_case, other_constant = false;
    if ((maths || text) &&
        letter_of_clauses(&answer, &gold, p.how.question, arena, &other_constant) < 0)
        return rdv_no_memory(err);
    rdv_str given = answer, given_gold = gold;
    if (hedge_applies(kind)) {
        answer = hedge_after_withdrawal(chinese_bare(answer), kind);
        hedged = hedge_of(answer, &answer);
        gold_hedged = hedge_of(hedge_after_withdrawal(chinese_bare(gold), kind), &gold);
    }
    rdv_str renamed = letter_as_in_gold(answer, gold, arena);
    if (!renamed.p && answer.p)
        return rdv_no_memory(err);
    p.answer = renamed;
    p.gold = gold;
    rdv_comparison c;
    if (maths && p.how.question.p)
        rc = with_asked_unit(&p.gold, renamed, &p);
    if (rc != RDV_OK)
        return rc;
    if (p.gold.p != gold.p)
        given_gold = p.gold;
    bool money = maths && pair_compare_currencies(&p, &c, &rc);
    maths = maths && !money;
    bool none =
        !money && (maths || text) &&
        (pair_compare_nothing(&p, &c, &rc) || (rc == RDV_OK && pair_compare_ordinals(&p, &c)));
    maths = maths && !none;
    if (rc == RDV_OK && !money && !none)
        rc = maths ? pair_compare_maths(&p, &c) : pair_compare_keys(&p, form, &c);
    if (rc == RDV_OK && maths && c.is == RDV_DIFFERENT && p.how.question.p) {
        rdv_str asked = p.answer; /* "21" for 3 weeks, where days are asked for */
        rc = with_asked_unit(&asked, p.gold, &p);
        if (rc == RDV_OK && asked.p != p.answer.p)
            rc = pair_compare_as(&p, asked, p.gold, &c);
    }
    if (rc == RDV_OK && maths && c.is != RDV_SAME)
        rc = pair_compare_two_units(&p, &c);
    if (rc == RDV_OK && maths)
        rc = pair_compare_restated(&p, &c);
    if (rc == RDV_OK && maths && c.is == RDV_CANNOT_TELL)
        rc = pair_compare_sums(&p, &c);
    if (rc == RDV_OK && maths && c.is != RDV_SAME)
        rc = pair_compare_ungrouped(&p, &c);
    if (rc == RDV_OK && maths && c.is != RDV_SAME)
        rc = pair_compare_shortened(&p, &c);
    if (rc == RDV_OK && maths)
        rc = pair_compare_spaced(&p, &c);
    if (rc == RDV_OK && maths && c.is != RDV_SAME)
        rc = pair_compare_reworded(&p, &given, &given_gold, &c);
    if (rc == RDV_OK && maths && c.is == RDV_SAME)
        pair_weigh_braces(&p, &c);
    if (rc == RDV_OK && maths)
        pair_weigh_scales(&p, &c);
    if (rc == RDV_OK && maths)
        rc = pair_weigh_equation(&p, &c);
    if (rc == RDV_OK && maths && c.is != RDV_SAME)
        rc = pair_compare_chain(&p, &given, &c);
    if (rc == RDV_OK && (maths || (p.kind == RDV_KIND_TEXT && !none)))
        rc = pair_compare_chemical(&p, &c);
    if (rc == RDV_OK && text && !none && c.is == RDV_DIFFERENT)
        rc = weigh_spelling(&p, &given, &given_gold, &c);
    if (rc == RDV_OK && text && c.is == RDV_SAME && !rdv_str_eq(c.answer_as, c.gold_as) &&
        letter_case_tells(c.answer_as, c.gold_as, p.how.question)) {
        c.is = RDV_CANNOT_TELL;
        c.why = "assumption";
        c.reason = RDV_STR("its capital letters are others, which may mean another thing");
    }
    rdv_comparison exact;
    rdv_str whole = p.gold;
    p.answer = align_to_gold(renamed, whole);
    p.gold = align_exact_part(whole);
    bool part = p.answer.len < renamed.len || p.gold.len < whole.len;
    if (rc == RDV_OK && maths && c.is != RDV_SAME && part) {
        rc = pair_compare_maths(&p, &exact);
        if (rc == RDV_OK && exact.is == RDV_SAME)
            c = exact;
    }
    p.answer = renamed;
    p.gold = whole;
    if (rc == RDV_OK && maths && c.is == RDV_SAME)
        rc = pair_weigh_rounding(&p, &c);
    if (rc != RDV_OK)
        return rc;
    bool read = maths || (kind == RDV_KIND_TEXT && !none && strcmp(c.why, "text") != 0);
    rc = weigh_words(&p, read, given, given_gold, &c);
    if (rc == RDV_OK)
        rc = weigh_hedge(&p, hedged, gold_hedged, &c);
    if (c.is == RDV_DIFFERENT && other_constant) {
        c.is = RDV_CANNOT_TELL; /* "Ae^x" may be "-Ce^x" */
        c.why = "assumption";
        c.reason = RDV_STR("a constant of one of both may be written otherwise");
    }
    if (c.is == RDV_SAME && identical)
        c.why = "identical";
    if (rc == RDV_OK && read && strcmp(c.why, "unit") == 0)
        rc = show_unit(given, arena, &c.answer_as, err);
    if (rc == RDV_OK && read && strcmp(c.why, "unit") == 0)
        rc = show_unit(given_gold, arena, &c.gold_as, err);
    *out = c;
    return rc;
}

int compare_answers(rdv_str answer, rdv_str gold, const rdv_answer_form *form,
                    const rdv_compare_options *how, rdv_arena *arena, rdv_comparison *out,
                    rdv_error *err)
{
    rdv_comparison best, other;
    math_work work = {MATH_WORK_MAX}; /* of all gold answers together */
    rdv_answer_form asked = form ? *form : (rdv_answer_form){0};
    int rc =
        form ? form_with_question(&asked, &gold, question_of_options(how), arena, err) : RDV_OK;
    if (rc != RDV_OK)
        return rc;
    form = form ? &asked : NULL;
    rc = compare_one(answer, gold, form, how, &work, arena, &best, err);
    bool several = form && form->n_golds > 1 && rdv_str_eq(gold, form->golds[0]);
    for (size_t i = 1; several && rc >= 0 && i < form->n_golds; i++) {
        if (rc == RDV_OK && best.is == RDV_SAME)
            break;
        int code = compare_one(answer, form->golds[i], form, how, &work, arena, &other, err);
        if (code < 0)
            return code;
        if (code == RDV_OK && (rc == RDV_NONE || grade_same_is_better(other.is, best.is))) {
            best = other;
            rc = RDV_OK;
        }
    }
    if (rc == RDV_OK)
        *out = best;
    return rc;
}
