/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/turn.h"

#include "answer/announcement.h"
#include "answer/degrees.h"
#include "answer/gold.h"
#include "answer/lone_number.h"
#include "answer/measure.h"
#include "answer/money.h"
#include "answer/number.h"
#include "answer/span.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"
#include "language/number_words.h"
#include "language/rule.h"
#include "language/word_class.h"
#include "notation/units.h"

#define SIDES_MOST 16
#define WORDS_MOST 64

/* "era", "before", of the row "era before". */
typedef struct side {
    rdv_str what, which;
    rdv_str said;  /* in the answer: "BC" */
    bool may_miss; /* one answer may leave it out */
} side;

/* The words of an answer. Its lists hold nothing behind what is counted. */
typedef struct beside {
    size_t n_sides, n_words, n_order, numbers;
    size_t begin, end; /* of the sides' cues in the text */
    rdv_str per;       /* what it is a rate of, without the sign of the plural */
    rdv_str first;     /* of its units, as it is written */
    bool unit, money;  /* has it a unit, and is that one of money? */
    bool share;        /* in percent */
    bool counts;       /* in dozens */
    size_t scales;     /* words that multiply it */
    bool rate;         /* is its unit a rate: "mph" */
    bool below;        /* of gold: a number with a minus, which words may say */
    bool full;
    bool turns_only;     /* is nothing but its sides, scales and rate asked for? */
    const char *no_unit; /* a word that is known to be none; NULL: none is known */
    side sides[SIDES_MOST];
    rdv_str words[WORDS_MOST]; /* others, that are not plain */
    rdv_str order[WORDS_MOST]; /* numbers, sides and words as they follow each other */
} beside;

static void clear_words(beside *b)
{
    memset(b, 0, offsetof(beside, sides));
}

/* Without the sign of the plural: hours. */
static rdv_str singular(rdv_str word)
{
    return word.len > 3 && rdv_lower(word.p[word.len - 1]) == 's' ? rdv_slice(word, 0, word.len - 1)
                                                                  : word;
}

static bool is_same_word(rdv_str a, rdv_str b)
{
    return rdv_str_ieq(singular(a), singular(b));
}

/* ---- the words of an answer ------------------------------------------------------------------ */

static void add_side(beside *b, rdv_str says, rdv_str said)
{
    size_t blank = rdv_find_char(says, ' ', 0);
    side s = {.what = rdv_slice(says, 0, blank),
              .which = rdv_slice(says, blank + 1, says.len),
              .said = said};
    s.may_miss = rdv_ends(s.which, RDV_STR(" ?"));
    for (size_t i = 0; i < b->n_sides; i++)
        if (rdv_str_eq(b->sides[i].what, s.what) && rdv_str_eq(b->sides[i].which, s.which))
            return;
    b->full = b->full || b->n_sides == SIDES_MOST;
    if (!b->full)
        b->sides[b->n_sides++] = s;
}

static void add_in_order(beside *b, rdv_str text)
{
    if (b->n_order < WORDS_MOST)
        b->order[b->n_order++] = text;
}

static void add_word(beside *b, rdv_str word)
{
    b->full = b->full || b->n_words == WORDS_MOST;
    if (!b->full)
        b->words[b->n_words++] = word;
    add_in_order(b, word);
}

/* A mark of feet, inches, minutes or seconds behind a digit: 5' 6", but not the end of a quotation.
 */
static bool is_mark(rdv_str s, size_t i)
{
    char c = s.p[i];
    bool mark = c == '\'' || c == '"';
    bool beyond = rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x80\xb2")) ||
                  rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x80\xb3"));
    if (!(mark || beyond))
        return false;
    bool quoted = mark && rdv_find_char(rdv_slice(s, 0, i), c, 0) != RDV_NOT_FOUND;
    return !quoted && !rdv_is_digit(rdv_char_at(s, i + 1)) && !rdv_is_alpha(rdv_char_at(s, i + 1));
}

/* "1990s" at the "s" */
static bool is_decade(rdv_str s, size_t i)
{
    return i >= 3 && rdv_char_at(s, i) == 's' && s.p[i - 1] == '0' && rdv_is_digit(s.p[i - 2]) &&
           rdv_is_digit(s.p[i - 3]) && !rdv_is_alnum(rdv_char_at(s, i + 1));
}

static void add_marks(beside *b, rdv_str s)
{
    for (size_t i = 1; i < s.len; i++) {
        if (!rdv_is_digit(s.p[i - 1]))
            continue;
        bool inches = s.p[i] == '"' || rdv_char_at(s, i + 2) == '\xb3';
        if (is_decade(s, i))
            add_side(b, RDV_STR("decade years"), rdv_slice(s, i, i + 1));
        if (is_mark(s, i))
            add_side(b, inches ? RDV_STR("mark inches") : RDV_STR("mark feet"),
                     rdv_slice(s, i, i + rdv_utf8_len(s, i)));
    }
}

/* A word of the value itself: a number in words, a function. */
static bool is_of_value(rdv_str word)
{
    static const char *const signs[] = {"pi", "sqrt", "inf"};
    const unsigned values = WORD_NUMBER | WORD_FRACTION | WORD_MULTIPLE | WORD_FUNCTION;
    return (word_find(word) & values) || rdv_is_one_of(word, signs, sizeof signs / sizeof *signs);
}

/* Where the word stands in the text; its length: it is what a contraction stands for, "not" of
 * "n't". */
static size_t place_of(rdv_str s, rdv_str word)
{
    uintptr_t begin = (uintptr_t)s.p, at = (uintptr_t)word.p;
    return at >= begin && at < begin + s.len ? (size_t)(at - begin) : s.len;
}

/* "square" and "cubic" are parts of units. */
static bool is_power(rdv_str word)
{
    static const char *const words[] = {"square", "squared", "cubic", "cubed"};
    return rdv_is_one_of(word, words, sizeof words / sizeof *words);
}

/* The unit of a rate at its first word, with its power: "cubic centimeter", "cm^3"; *i is behind
 * that word, and is moved behind the unit. */
static rdv_str with_power(rdv_str s, rdv_str word, size_t *i)
{
    size_t begin = place_of(s, word), at = *i;
    cue_token next;
    if (begin == s.len)
        return word;
    if (is_power(word) && cue_next_token(s, &at, &next) && rdv_is_alpha(next.text.p[0])) {
        *i = at;
        return singular(rdv_slice(s, begin, at));
    }
    size_t len = measure_len(rdv_slice(s, begin, s.len));
    rdv_str behind = rdv_slice(s, begin + word.len, begin + len);
    bool power = rdv_starts(behind, RDV_STR("^")) || rdv_starts(behind, RDV_STR("\xc2")) ||
                 is_power(rdv_trim(behind));
    return power ? rdv_slice(s, begin, begin + len) : singular(word);
}

/* "per hour", "an hour", "each day" behind a word or an amount, "a ticket" behind an amount: the
 * word after byte *i, which is moved behind it; empty: it is no rate. */
static rdv_str rate_at(rdv_str s, rdv_str word, rdv_str last, size_t *i)
{
    static const char *const articles[] = {"a", "an", "each", "every"};
    unsigned value;
    bool slash = rdv_str_eq(word, RDV_STR("/")), per = slash || rdv_str_ieq(word, RDV_STR("per"));
    bool behind = rdv_is_one_of(word, articles, 4) && last.len && !number_word(last, &value) &&
                  !fraction_word(last, &value) && !rdv_str_ieq(last, RDV_STR("of")) &&
                  !rdv_str_ieq(last, RDV_STR("and"));
    cue_token next;
    unit_meaning m;
    size_t at = *i, begin = place_of(s, word);
    if (!(per || behind) || !cue_next_token(s, &at, &next) || !rdv_is_alpha(next.text.p[0]) ||
        rdv_str_ieq(next.text, RDV_STR("cent")) ||
        (slash && (next.text.len < 2 || !unit_find_in_prose(next.text, &m))))
        return (rdv_str){0};
    size_t mille = place_of(s, next.text), end;
    size_t thing = place_of(s, last), of = rdv_trim_end(rdv_slice(s, 0, thing)).len;
    bool amount = rdv_is_digit(rdv_char_at(last, 0)) || /* "12 yen a ticket" */
                  (of && rdv_is_digit(s.p[of - 1]) &&
                   !announcement_row_at(s, thing, 1u << EFFECT_PLAIN, &end));
    const unsigned others = 1u << EFFECT_TURNED | 1u << EFFECT_PLAIN | 1u << EFFECT_SCALE;
    if (!per && !unit_find_in_prose(next.text, &m) &&
        (!amount || announcement_row_at(s, mille, others, &end)))
        return (rdv_str){0};
    if (per && (announcement_row_at(s, begin, 1u << EFFECT_TURNED, &end) ||
                announcement_row_at(s, mille, 1u << EFFECT_TURNED, &end)))
        return (rdv_str){0};
    *i = at;
    return with_power(s, next.text, i);
}

static bool is_percent(rdv_str word)
{
    static const char *const percents[] = {"percent", "cent", "pct"};
    return rdv_is_one_of(word, percents, 3);
}

/* A word that is no command, or a sign such as "%" that a row may begin with. */
static void take_word(beside *b, rdv_str s, rdv_str word, rdv_str last, bool letters, size_t *i)
{
    const unsigned effects = 1u << EFFECT_TURNED | 1u << EFFECT_SCALE | 1u << EFFECT_PLAIN;
    size_t begin = place_of(s, word), end = *i;
    unit_meaning m;
    size_t at = *i;
    cue_token next;
    if (rdv_str_ieq(word, RDV_STR("per")) && cue_next_token(s, &at, &next) &&
        rdv_str_ieq(next.text, RDV_STR("cent"))) {
        *i = at;
        b->share = true;
        return;
    }
    rdv_str per = letters ? rate_at(s, word, last, i) : (rdv_str){0};
    const rule *row = per.len ? NULL : announcement_row_at(s, begin, effects, &end);
    if (per.len) {
        b->per = per;
    } else if (row && row->effect == EFFECT_TURNED) {
        b->begin = b->n_sides ? b->begin : begin;
        add_side(b, row->says, rdv_slice(s, begin, end));
        add_in_order(b, word);
        *i = end > *i ? end : *i;
        b->end = *i;
    } else if (row || !letters) {
        b->scales += row && row->effect == EFFECT_SCALE;
        b->counts = b->counts || (row && announcement_counts(row));
    } else if (b->turns_only) {
        return;
    } else if (is_percent(word)) {
        b->share = true;
    } else if (word.len > 1 && word.p != b->no_unit && unit_find_in_prose(word, &m)) {
        b->unit = true;
        b->first = b->first.len ? b->first : word;
        b->money = b->money || unit_is_money(m.unit);
    } else if (word.len > 1 && !is_of_value(word)) {
        add_word(b, word);
    }
}

/* A token of the text, of which *i is the end. */
static void take_token(beside *b, rdv_str s, const cue_token *token, rdv_str last, size_t *i)
{
    char first = token->text.p[0];
    bool sign = (unsigned char)first >= 0x80 || first == '%';
    bool letters = rdv_is_alpha(first) || first == '/' ||
                   (sign && rdv_utf8_len(token->text, 0) < token->text.len);
    b->share = b->share || first == '%';
    if (letters || sign)
        take_word(b, s, token->text, last, letters, i);
}

static bool may_have_words(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (rdv_is_alpha(s.p[i]) || (s.p[i] & 0x80) || s.p[i] == '$' || s.p[i] == '"' ||
            s.p[i] == '\'')
            return true;
    return false;
}

static void read_words(rdv_str s, bool turns_only, beside *b)
{
    static const char *const names[] = {"\\begin", "\\end", "\\operatorname", "\\mathbb"};
    cue_token token, last = {0};
    size_t i = 0, line = 0;
    clear_words(b);
    b->turns_only = turns_only;
    if (!may_have_words(s))
        return;
    add_marks(b, s);
    for (; cue_next_token(s, &i, &token) && line < 1000; last = token, line++) {
        b->numbers += token.number;
        if (token.number)
            add_in_order(b, token.text);
        if (token.number && answer_class_has(CLASS_MODULUS, last.text)) /* "5 mod 7" */
            add_word(b, token.text);
        if (!last.text.len || !rdv_is_one_of(last.text, names, 4))
            take_token(b, s, &token, last.text, &i);
    }
    b->full = b->full || line == 1000;
}

/* All but whether a sign of money stands there. */
static void words_of(rdv_str s, beside *b)
{
    read_words(s, false, b);
}

/* What turns a value, and what it is a rate of. In a long text its other words count too, because
 * reading ends where they are too many. */
static void turns_of(rdv_str s, beside *b)
{
    read_words(s, s.len < 2 * WORDS_MOST, b);
}

/* Does the text begin with a unit that is a rate: "mph", "km/h"? */
static bool is_rate(rdv_str behind)
{
    measure m = measure_read(behind);
    bool is = false;
    for (size_t i = 0; i < MEASURE_BASES; i++)
        is = is || m.power[i] < 0;
    return is;
}

static void beside_of(rdv_str s, beside *b)
{
    rdv_str number;
    size_t at = 0;
    words_of(s, b);
    if (may_have_words(s) && money_currency(s).p)
        b->money = b->unit = true;
    if (b->unit && answer_next_number(s, &at, &number))
        b->rate = is_rate(rdv_slice(s, at, s.len));
}

/* ---- agreement ------------------------------------------------------------------------------- */

/* How many of the sides of `what` are in both, and in one of both. */
static size_t shared_sides(const beside *x, const beside *y, rdv_str what, size_t *of_x)
{
    size_t shared = 0;
    *of_x = 0;
    for (size_t i = 0; i < x->n_sides; i++) {
        bool is = rdv_str_eq(x->sides[i].what, what);
        *of_x += is;
        for (size_t k = 0; k < y->n_sides && is; k++)
            shared += rdv_str_eq(y->sides[k].what, what) &&
                      rdv_str_eq(x->sides[i].which, y->sides[k].which);
    }
    return shared;
}

/* Do the sides of `what` stand in one order: "30 degrees east of north"? */
static bool same_sequence(const beside *x, const beside *y, rdv_str what)
{
    bool same = true;
    for (size_t i = 0, k = 0; i < x->n_sides && same; i++) {
        if (!rdv_str_eq(x->sides[i].what, what))
            continue;
        while (k < y->n_sides && !rdv_str_eq(y->sides[k].what, what))
            k++;
        same = k < y->n_sides && rdv_str_eq(x->sides[i].which, y->sides[k++].which);
    }
    return same;
}

/* Do the sides of the first agree with those of the second? What only one says, the question may
 * say, if it says no other side of it. *other: one that does not agree. */
static turn sides_agree(const beside *x, const beside *y, const beside *asked, side *other)
{
    turn is = TURN_AGREES;
    for (size_t i = 0; i < x->n_sides; i++) {
        rdv_str what = x->sides[i].what;
        size_t in_x, in_y, said, shared = shared_sides(x, y, what, &in_x);
        shared_sides(y, x, what, &in_y);
        size_t in_question = shared_sides(x, asked, what, &said);
        shared_sides(asked, x, what, &said);
        if ((in_x == in_y && shared == in_x && same_sequence(x, y, what)) ||
            (!in_y && (x->sides[i].may_miss || (in_question == in_x && said == in_x))))
            continue;
        *other = x->sides[i];
        if (in_y && !shared)
            return TURN_OPPOSED;
        is = TURN_UNSAID;
    }
    return is;
}

static bool has_word(const beside *b, rdv_str word)
{
    for (size_t i = 0; i < b->n_words; i++)
        if (is_same_word(b->words[i], word))
            return true;
    return false;
}

/* Does the word stand in the question, as a word? */
static bool is_asked(rdv_str question, rdv_str word)
{
    cue_token token;
    for (size_t i = 0; cue_next_token(question, &i, &token);)
        if (is_same_word(token.text, word))
            return true;
    return false;
}

/* "square metres squared" has two of them. */
static size_t powers_of(const beside *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n_words; i++)
        n += is_power(b->words[i]);
    return n;
}

/* How many words of the first are not in the second; *unsure: one of them may not be dropped. */
static size_t words_alone(const beside *x, const beside *y, rdv_str question, bool converted,
                          bool *unsure, rdv_str *word)
{
    size_t n = 0;
    for (size_t i = 0; i < x->n_words; i++) {
        if (has_word(y, x->words[i]) || (converted && measure_read(x->words[i]).n) ||
            (x->unit && is_power(x->words[i])))
            continue;
        n++;
        if (question.p ? is_asked(question, x->words[i]) : rdv_is_ascii(x->words[i]))
            continue;
        *word = x->words[i];
        *unsure = true;
    }
    return n;
}

/* Sides that may be left out, and are: words like others, where the other has some too. */
static size_t weak_sides_alone(const beside *x, const beside *y)
{
    size_t n = 0, of_x;
    for (size_t i = 0; i < x->n_sides; i++)
        n += x->sides[i].may_miss && !shared_sides(x, y, x->sides[i].what, &of_x);
    return n;
}

/* Of several numbers, "3 cats, 5 dogs": do they and their words stand in one order? */
static bool same_order(const beside *x, const beside *y)
{
    bool same = x->n_order == y->n_order;
    for (size_t i = 0; i < x->n_order && same; i++)
        same = is_same_word(x->order[i], y->order[i]);
    return same || x->n_order == x->numbers || y->n_order == y->numbers;
}

/* Are they two units of one dimension, as minutes and hours? */
static bool is_other_unit(rdv_str a, rdv_str b)
{
    measure first = measure_read(a), second = measure_read(b);
    return first.n && second.n && measure_compare(&first, &second) == MEASURES_CONVERT;
}

static turn words_agree(const beside *x, const beside *y, rdv_str question, bool converted,
                        rdv_str *word)
{
    bool unsure = false;
    size_t in_x = words_alone(x, y, question, converted, &unsure, word);
    size_t in_y = words_alone(y, x, question, converted, &unsure, word);
    bool other_thing = (x->unit && !y->unit && in_y) || (y->unit && !x->unit && in_x) ||
                       (x->share && !y->share && in_y) || (y->share && !x->share && in_x) ||
                       (x->unit && y->unit && x->money != y->money) || (x->money && y->share) ||
                       (y->money && x->share) ||
                       (!converted && is_other_unit(x->first, y->first)) ||
                       (!y->unit && is_other_unit(x->first, turn_asked_unit(question)));
    in_x += weak_sides_alone(x, y);
    in_y += weak_sides_alone(y, x);
    bool several = x->numbers > 1 && !same_order(x, y);
    if (x->full || y->full || powers_of(x) > 1 || powers_of(y) > 1)
        unsure = true;
    if (!word->len && x->n_words)
        *word = x->words[0];
    return unsure || (in_x && in_y) || other_thing || several ? TURN_UNSAID : TURN_AGREES;
}

/* "h" and "hour" are one. */
static bool is_one_rate(rdv_str a, rdv_str b)
{
    measure first = measure_read(a), second = measure_read(b);
    return rdv_str_ieq(a, b) ||
           (first.n && second.n && measure_compare(&first, &second) == MEASURES_SAME);
}

/* Does the question ask for another rate than this one, and nowhere speak of it: "a day" for "per
 * hour"? */
static bool is_other_rate(rdv_str per, rdv_str question)
{
    beside asked;
    if (!per.len)
        return false;
    turns_of(question, &asked);
    return asked.per.len && !is_one_rate(per, asked.per) && !is_asked(question, per);
}

bool turn_asks_for_rate(rdv_str question, rdv_str per)
{
    static const char *const words[] = {"each", "every", "rate"};
    rdv_str day = rdv_str_ieq(per, RDV_STR("day")) ? RDV_STR("dai") : per;
    cue_token token;
    for (size_t i = 0; cue_next_token(question, &i, &token);) {
        rdv_str stem = rdv_slice(token.text, 0, token.text.len - 2); /* "hourly" */
        if (is_same_word(token.text, per) || rdv_is_one_of(token.text, words, 3) ||
            (token.text.len > 4 && rdv_ends(token.text, RDV_STR("ly")) && rdv_str_ieq(stem, day)))
            return true;
    }
    return false;
}

/* A rate that only `x` names, for a number that may be it. "$12" is an amount where nothing asks
 * for a rate, and 12 is any number. */
static bool may_leave_rate(const beside *x, const beside *y, rdv_str question, bool gold_has)
{
    if (is_other_rate(x->per, question))
        return false;
    bool asked = turn_asks_for_rate(question, x->per), known = asked || measure_read(x->per).n;
    return y->rate || (known && (!y->unit || (gold_has && asked)));
}

turn turn_between(rdv_str answer, rdv_str gold, rdv_str question, bool numbers, bool converted,
                  turn_word *word)
{
    beside x, y, asked = {0};
    *word = (turn_word){0};
    beside_of(answer, &x);
    beside_of(gold, &y);
    if (question.p && (x.n_sides || y.n_sides))
        beside_of(question, &asked);
    side other = {0};
    turn is = sides_agree(&x, &y, &asked, &other);
    if (is != TURN_OPPOSED) {
        turn back = sides_agree(&y, &x, &asked, &other);
        is = back == TURN_AGREES ? is : back;
    }
    *word = (turn_word){.of = other.what, .said = other.said};
    if (is != TURN_AGREES)
        return is;
    if (x.per.len && y.per.len && !is_one_rate(x.per, y.per)) {
        word->said = x.per;
        return TURN_OPPOSED;
    }
    if ((x.per.len && !y.per.len && !may_leave_rate(&x, &y, question, false)) ||
        (y.per.len && !x.per.len && !may_leave_rate(&y, &x, question, true))) {
        word->said = x.per.len ? x.per : y.per;
        return TURN_UNSAID;
    }
    return numbers && !(measure_is_sum(answer) && measure_is_sum(gold))
               ? words_agree(&x, &y, question, converted, &word->said)
               : TURN_AGREES;
}

static bool makes_another_number(rdv_str what)
{
    static const char *const kinds[] = {"share", "sign",   "mark",  "factor",
                                        "count", "decade", "digits"};
    return rdv_is_one_of(what, kinds, sizeof kinds / sizeof *kinds);
}

bool turn_may_change(rdv_str answer, rdv_str gold, bool opposite, bool dozens)
{
    beside x, y, none = {0};
    side other = {0};
    beside_of(answer, &x);
    beside_of(gold, &y);
    bool differ = sides_agree(&x, &y, &none, &other) != TURN_AGREES ||
                  sides_agree(&y, &x, &none, &other) != TURN_AGREES;
    bool sum = (x.numbers > 1 && x.unit && !y.unit) || (y.numbers > 1 && y.unit && !x.unit);
    return sum || (dozens && ((x.counts && !y.scales) || (y.counts && !x.scales))) ||
           (differ && (opposite || makes_another_number(other.what))) ||
           ((x.per.len || y.per.len) && !rdv_str_ieq(x.per, y.per));
}

/* ---- keys and replies ------------------------------------------------------------------------ */

void turn_key(rdv_str answer, rdv_buf *out)
{
    beside b;
    beside_of(answer, &b);
    for (size_t i = 0; i < b.n_sides; i++) {
        size_t least = i; /* in the order of their names */
        for (size_t k = i + 1; k < b.n_sides; k++) {
            int order = rdv_str_cmp(b.sides[k].what, b.sides[least].what);
            if (order < 0 ||
                (order == 0 && rdv_str_cmp(b.sides[k].which, b.sides[least].which) < 0))
                least = k;
        }
        side s = b.sides[least];
        b.sides[least] = b.sides[i];
        b.sides[i] = s;
        if (!s.may_miss)
            rdv_buf_printf(out, " {%.*s %.*s}", RDV_FMT(s.what), RDV_FMT(s.which));
    }
}

/* Behind the blanks and the ends of a box, formula or bold text at byte `i`; a "\text{" too. */
static size_t marks_end(rdv_str s, size_t i)
{
    static const char *const marks[] = {"\\)", "\\]",    "\\,",      "\\;",     "\\!",
                                        "\\ ", "\\text", "\\mathrm", "\xc2\xa0"};
    for (size_t before = s.len; i != before;) {
        before = i;
        i = rdv_skip_any(s, i, " ~}{$*");
        char c = rdv_char_at(s, i);
        for (size_t k = 0; (c == '\\' || c == '\xc2') && k < sizeof marks / sizeof *marks; k++)
            if (rdv_char_at(s, i) == marks[k][0] &&
                rdv_starts(rdv_slice(s, i, s.len), rdv_str_of(marks[k])))
                i += strlen(marks[k]);
    }
    return i;
}

/* Without the beginning of a box, formula or bold text at its end. */
static rdv_str without_marks(rdv_str s)
{
    rdv_str box = RDV_STR("\\boxed{");
    for (size_t len = SIZE_MAX; len != s.len;) {
        len = s.len;
        s = rdv_trim_end(rdv_ends(s, box) ? rdv_slice(s, 0, s.len - box.len) : s);
        while (s.len && strchr("$*({\\", s.p[s.len - 1]))
            s.len--;
    }
    return s;
}

/* Is it of the number itself, whatever the number counts? "5 times" are 5. */
static bool is_own(rdv_str what)
{
    static const char *const kinds[] = {"share", "sign", "decade", "era"};
    return rdv_is_one_of(what, kinds, sizeof kinds / sizeof *kinds);
}

/* Where the words that qualify the number end that ends at byte `end` of its clause. A word that is
 * none ends them, unless gold has as many others; where gold has sides, they may stand behind it.
 * asked: a question whose words multiply nothing. */
static size_t words_behind(rdv_str s, size_t end, const beside *gold, bool bare, rdv_str asked,
                           beside *b)
{
    cue_token token, last = {.text = rdv_slice(s, 0, end)};
    bool pence =
        gold->money && rdv_char_at(s, end) == 'p' && !rdv_is_alnum(rdv_char_at(s, end + 1));
    bool cents = gold->money && rdv_starts(rdv_slice(s, end, s.len), RDV_STR("\xc2\xa2"));
    size_t to = cents ? end + 2 : is_decade(s, end) || pence ? end + 1 : end;
    size_t most = gold->n_words ? gold->n_words : 1;
    for (size_t i = marks_end(s, to), line = 0; i < s.len && line < WORDS_MOST; line++) {
        size_t sides = b->n_sides, words = b->n_words, scales = b->scales, stop;
        bool row = announcement_row_at(s, i, 1u << EFFECT_TURNED | 1u << EFFECT_SCALE, &stop);
        size_t cent = rdv_istarts(rdv_slice(s, i, s.len), RDV_STR("per cent")) ? i + 8 : 0;
        if (cent) {
            b->share = true;
            to = i = cent;
            continue;
        }
        bool none =
            row || s.p + i == b->no_unit || is_percent(rdv_slice(s, i, rdv_skip_letters(s, i)));
        size_t len = none ? 0 : measure_len(rdv_slice(s, i, s.len));
        bool share = b->share, rate = b->per.len > 0;
        token.text = rdv_slice(s, i, i + len);
        i += len;
        if (!len) {
            if (!cue_next_token(s, &i, &token) || token.number)
                break;
            take_token(b, s, &token, last.text, &i);
        }
        bool turned = b->n_sides > sides && (!bare || is_own(b->sides[sides].what));
        bool said = len || (b->per.len > 0) > rate || (b->n_words > words && b->n_words <= most);
        bool scaled = b->scales > scales && b->scales == line + 1 && !is_asked(asked, token.text);
        if (turned || scaled || (b->share && !share) || (said && !bare))
            to = i;
        else if (b->n_words > most && !gold->n_sides)
            break;
        last = token;
        i = marks_end(s, i);
    }
    return to;
}

/* Is what stands before a minus its left operand: "x - ", "(5) - "? spaced: a blank stands on both
 * sides of the minus. */
static bool is_operand(rdv_str s, bool spaced)
{
    rdv_str bare = rdv_trim_end(s);
    char last = bare.len ? bare.p[bare.len - 1] : '\n';
    bool item = spaced && !strchr("$=(", last); /* "- \boxed{5}" of a list */
    return rdv_is_digit(last) || strchr(")}]", last) || item ||
           (rdv_is_alpha(last) && bare.len == s.len);
}

/* The sign before the number at byte *begin, which its answer lacks, and where it begins: plus or
 * minus; before a box, a formula or bold text, a minus or the sign of a currency. */
static rdv_str sign_before(rdv_str text, size_t *begin, bool bare)
{
    static const char *const signs[] = {"\\pm",         "\xc2\xb1", "-",
                                        "\xe2\x88\x92", "minus",    "negative"};
    rdv_str all = rdv_slice(text, 0, *begin), before = without_marks(all);
    rdv_str near =
        rdv_trim_end(rdv_ends(all, RDV_STR("\\boxed{")) ? rdv_slice(all, 0, all.len - 7) : all);
    bool crosses = before.len < rdv_trim_end(all).len ||
                   rdv_starts(rdv_slice(text, *begin, text.len), RDV_STR("\\boxed{"));
    size_t money = bare ? 0 : money_sign_len(near);
    if (money) {
        *begin = near.len - money;
        return rdv_slice(near, *begin, near.len);
    }
    for (size_t k = 0; k < (crosses ? 6 : 2); k++) {
        rdv_str sign = rdv_str_of(signs[k]), left = rdv_slice(before, 0, before.len - sign.len);
        bool blank = before.len < all.len && rdv_is_space(text.p[before.len]);
        bool minus = k == 2 || k == 3;
        if (!rdv_ends(before, sign) || is_operand(left, minus && blank) ||
            (k > 3 && rdv_is_alpha(rdv_char_at(left, left.len - 1))))
            continue;
        *begin = left.len;
        return k < 2 ? sign : RDV_STR("-");
    }
    return (rdv_str){0};
}

/* Where the words that turn the number begin before byte `begin` of its clause. */
static size_t words_before(rdv_str s, size_t from, size_t begin, const beside *gold)
{
    beside b, between;
    turns_of(rdv_slice(s, from, begin), &b);
    if (!b.n_sides)
        return begin;
    words_of(rdv_slice(s, from + b.end, begin), &between);
    return gold->n_sides || gold->below || !between.n_words ? from + b.begin : begin;
}

/* The bytes of a clause. Of a number in a box, a formula or bold text, with marks around it, the
 * clause is a copy without them. */
typedef struct clause {
    rdv_str text;
    size_t first; /* of a number before the clause */
    size_t from, begin, end, to;
    bool across;         /* is it a copy? */
    const char *no_unit; /* the word behind the number, where it is no unit; else NULL */
} clause;

/* Is the digit at byte `i` in the exponent of a unit, "cm^2", "s^{-1}"? */
static bool is_exponent(rdv_str s, size_t i)
{
    size_t sign = i;
    while (sign > 0 && i - sign < 2 && strchr("{-", s.p[sign - 1]))
        sign--;
    return sign > 1 && s.p[sign - 1] == '^' &&
           (rdv_is_alpha(s.p[sign - 2]) || s.p[sign - 2] == '}');
}

static bool ends_clause(char c)
{
    return !c || RDV_IS_IN(c, "\n.,;:!?=");
}

/* The clause as it stands in the text. */
static clause clause_at(rdv_str text, rdv_str answer)
{
    size_t begin = (size_t)(answer.p - text.p), end = begin + answer.len, from = begin, to = end;
    while (from > 0 && !ends_clause(text.p[from - 1]) && !rdv_is_digit(text.p[from - 1]))
        from--;
    while (to < text.len &&
           (text.p[to] == '.' ? to + 1 < text.len && !rdv_is_space(text.p[to + 1])
                              : !ends_clause(text.p[to])) &&
           (!rdv_is_digit(text.p[to]) || is_exponent(text, to)))
        to++;
    size_t first = from;
    while (first > 0 && (rdv_is_digit(text.p[first - 1]) || text.p[first - 1] == '.'))
        first--;
    return (clause){text, first, from, begin, end, to, false, NULL};
}

/* What stands behind the number is looked up once. */
static void look_behind(clause *c)
{
    rdv_str behind = rdv_slice(c->text, marks_end(c->text, c->end), c->text.len);
    c->no_unit = measure_is_no_unit(behind) ? behind.p : NULL;
}

static int clause_of(rdv_str text, rdv_str answer, bool bare, rdv_arena *arena, clause *c,
                     rdv_error *err)
{
    *c = clause_at(text, answer);
    size_t begin = c->begin, end = c->end, from = c->from, to = c->to, first = c->first, at = begin;
    rdv_str sign = sign_before(text, &at, bare), tail = rdv_slice(text, end, to);
    rdv_str head = without_marks(rdv_slice(text, first, at < first ? first : at));
    size_t marks = marks_end(tail, 0), opened = rdv_trim_end(rdv_slice(text, first, begin)).len;
    c->across = sign.len || head.len < opened || rdv_trim(rdv_slice(tail, 0, marks)).len;
    if (!c->across)
        return RDV_OK;
    rdv_buf all;
    rdv_buf_init(&all, arena, 0);
    const rdv_str parts[] = {head,   RDV_STR(" "), sign,
                             answer, RDV_STR(" "), rdv_slice(tail, marks, tail.len)};
    for (size_t k = head.len ? 0 : 2; k < sizeof parts / sizeof *parts; k++)
        rdv_buf_add(&all, parts[k]); /* which may have any bytes */
    c->text = rdv_buf_str(&all);
    c->first = 0;
    c->begin = head.len + (head.len > 0);
    c->from = from - first < c->begin ? from - first : c->begin;
    c->end = c->begin + sign.len + answer.len;
    c->to = c->text.len;
    return c->text.p ? RDV_OK : rdv_no_memory(err);
}

rdv_str turn_asked_unit(rdv_str question)
{
    const rdv_str how = RDV_STR("how");
    cue_token first, many, of;
    rdv_str found = {0};
    unit_meaning m;
    for (size_t at = 0; (at = rdv_ifind(question, how, at)) != RDV_NOT_FOUND; at++) {
        size_t i = at;
        bool asks = cue_begins_at(question, at) && cue_next_token(question, &i, &first) &&
                    rdv_str_ieq(first.text, how) && cue_next_token(question, &i, &many) &&
                    rdv_str_ieq(many.text, RDV_STR("many")) && cue_next_token(question, &i, &of);
        if (asks)
            found = of.text.len > 1 && unit_find_in_prose(of.text, &m) ? of.text : (rdv_str){0};
    }
    size_t in = rdv_find_last(question, RDV_STR(" in "));
    rdv_str last = in == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(question, in + 4, question.len);
    size_t len = found.len ? 0 : measure_len(last);
    bool ends = len > 1 && rdv_skip_any(last, len, " ?.)") == last.len; /* "How fast, in km/h?" */
    return ends ? rdv_slice(last, 0, len) : found;
}

/* Does the clause turn the number the other way than the question asks: "a loss" for "how much
 * profit"? "Before", "each" and their like stand in a question for other things. */
static bool is_opposed(const beside *words, rdv_str question)
{
    static const char *const ways[] = {"change", "height", "compass", "hand", "way", "sign"};
    beside asked;
    for (size_t i = 0, read = 0; i < words->n_sides; i++) {
        rdv_str what = words->sides[i].what;
        if (!rdv_is_one_of(what, ways, sizeof ways / sizeof *ways))
            continue;
        if (!read++)
            turns_of(question, &asked);
        size_t said, in_question, shared = shared_sides(words, &asked, what, &said);
        shared_sides(&asked, words, what, &in_question);
        if (in_question && !shared)
            return true;
    }
    return false;
}

/* The unit behind the number; empty: it has none. */
static rdv_str unit_behind(const clause *c)
{
    size_t hyphen =
        rdv_char_at(c->text, c->end) == '-' && rdv_is_alpha(rdv_char_at(c->text, c->end + 1));
    rdv_str behind = rdv_slice(c->text, marks_end(c->text, c->end + hyphen), c->text.len);
    return rdv_slice(behind, 0, behind.p == c->no_unit ? 0 : measure_len(behind));
}

/* Where the unit behind the number ends. */
static size_t with_unit(const clause *c)
{
    rdv_str behind = unit_behind(c);
    return behind.len ? (size_t)(behind.p - c->text.p) + behind.len : c->end;
}

/* Is the number the last part of a sum of measures that ends at byte `end`, "1 hour and 30
 * minutes", "3 euros and 20 cents"? */
static bool is_sum(const clause *c, size_t end)
{
    rdv_str sum = rdv_slice(c->text, c->first, end);
    return measure_is_sum(sum) || money_is_compound(sum);
}

/* Does a word behind byte `i` compare or shift the quantity that ends there, "more than that"? */
static bool is_shifted_behind(rdv_str s, size_t i)
{
    i = rdv_skip_any(s, i, " ");
    return answer_class_has(CLASS_SHIFTED, rdv_slice(s, i, rdv_skip_letters(s, i)));
}

/* Must the words beside a number be read with it although gold is a bare one: has it another unit
 * than the question asks for, or does its clause turn it the other way? */
static bool is_not_as_asked(rdv_str question, const clause *c)
{
    beside words;
    rdv_str behind = unit_behind(c), asked_unit = behind.len ? turn_asked_unit(question) : behind;
    if (asked_unit.len && is_other_unit(behind, asked_unit))
        return true;
    turns_of(rdv_slice(c->text, c->from, c->to), &words);
    return is_other_rate(words.per, question) || is_opposed(&words, question);
}

int turn_with_words(rdv_str text, rdv_str answer, rdv_str gold, rdv_str question, rdv_arena *arena,
                    rdv_str *out, rdv_error *err)
{
    beside g, b;
    rdv_str number, letters;
    clause c;
    *out = answer;
    if (!answer.len || answer.p < text.p || answer.p > text.p + text.len || !rdv_has_digit(answer))
        return RDV_OK;
    gold = rdv_trim(gold_answer(gold));
    beside_of(gold, &g);
    bool bare =
        rdv_is_whole(gold) || !(measure_split(gold, &number, &letters) || g.n_sides || g.n_words ||
                                g.unit || g.share || g.per.len || g.scales || degrees_in(gold));
    size_t before = (size_t)(answer.p - text.p);
    bool signs = rdv_starts(gold, RDV_STR("-")) &&
                 rdv_is_digit(rdv_char_at(answer, rdv_starts(answer, RDV_STR("$")))) &&
                 !sign_before(text, &before, true).len;
    g.below = signs; /* "it fell by 12" */
    bare = bare && !signs;
    bool as_asked = bare && rdv_str_eq(answer, gold); /* "how many dozen" */
    int code = clause_of(text, answer, bare, arena, &c, err);
    if (code != RDV_OK)
        return code;
    look_behind(&c);
    clear_words(&b);
    b.no_unit = c.no_unit;
    bare = bare && !(question.p && is_not_as_asked(question, &c));
    size_t after = 0;
    bool single = answer_next_number(answer, &after, &number) &&
                  !answer_next_number(answer, &after, &letters); /* no list "12 and 13" */
    number_changed is = c.across && single ? number_change(c.text, c.begin, c.end) : NUMBER_PLAIN;
    bool word = c.begin > 1 && rdv_is_alpha(c.text.p[c.begin - 2]);
    size_t begin = c.begin, end = c.to;
    if (is == NUMBER_BEFORE && word) { /* "at least \boxed{5}" */
        begin = c.from;
        end = c.end;
    } else if (is != NUMBER_AFTER) { /* not "**5** squared" */
        end = begin + words_behind(rdv_slice(c.text, begin, c.to), c.end - begin, &g, bare,
                                   as_asked ? question : (rdv_str){0}, &b);
        size_t stop = with_unit(&c); /* "5 ft 6 in tall" */
        bool longer = c.first < c.from, as_read = longer && !bare && is_sum(&c, end);
        if (as_read || (longer && is_sum(&c, stop) && !is_shifted_behind(c.text, stop))) {
            size_t digits = rdv_skip_digits(c.text, c.first);
            bool plain = number_change(c.text, c.first, digits) != NUMBER_BEFORE;
            begin = plain ? c.first : cue_sentence_begin(c.text, c.first); /* "at least" */
            end = as_read ? end : stop;
        } else if (!bare && b.n_sides && answer_is_bound(c.text, c.begin)) /* "after 5 pm" */
            begin = c.from;
        else if (!bare && !b.n_sides)
            begin = words_before(c.text, c.from, begin, &g);
    }
    if (begin < c.begin || end - begin > answer.len)
        *out = rdv_slice(c.text, begin, end);
    return RDV_OK;
}

int turn_with_sum(rdv_str text, rdv_str answer, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    const rdv_str of_measure = RDV_STR("1 h"); /* gold with a unit: then the answer has its own */
    rdv_str sum;
    *out = answer;
    if (!rdv_lies_in(answer, text) || !rdv_has_digit(answer))
        return RDV_OK;
    clause c = clause_at(text, answer);
    bool second = c.first < c.from && measure_begins_sum(rdv_slice(text, c.first, c.begin));
    if (!second && !rdv_has_letter(answer)) /* there is no other quantity to add */
        return RDV_OK;
    int code = turn_with_words(text, answer, of_measure, (rdv_str){0}, arena, &sum, err);
    if (code == RDV_OK && measure_is_sum(sum))
        *out = sum;
    return code;
}
