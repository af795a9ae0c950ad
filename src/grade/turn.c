/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/turn.h"

#include "answer/announcement.h"
#include "answer/money.h"
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
    bool may_miss; /* one answer may leave it out */
} side;

/* The words of an answer. */
typedef struct beside {
    side sides[SIDES_MOST];
    rdv_str words[WORDS_MOST]; /* others, that are not plain */
    rdv_str order[WORDS_MOST]; /* numbers, sides and words as they follow each other */
    size_t n_sides, n_words, n_order, numbers;
    size_t begin, end; /* of the sides' cues in the text */
    rdv_str per;       /* what it is a rate of, without the sign of the plural */
    const unit *first; /* of its units */
    bool unit, money;  /* has it a unit, and is that one of money? */
    bool share;        /* in percent */
    bool counts;       /* in dozens */
    bool full;
} beside;

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

static void add_side(beside *b, rdv_str says)
{
    size_t blank = rdv_find_char(says, ' ', 0);
    side s = {.what = rdv_slice(says, 0, blank), .which = rdv_slice(says, blank + 1, says.len)};
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

/* A mark of feet, inches, minutes or seconds behind the digit before byte `i`: 5' 6", but not the
 * end of a quotation. */
static bool is_mark(rdv_str s, size_t i)
{
    char c = s.p[i];
    bool mark = c == '\'' || c == '"';
    bool beyond = rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x80\xb2")) ||
                  rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x80\xb3"));
    if (!(mark || beyond) || i == 0 || !rdv_is_digit(s.p[i - 1]))
        return false;
    bool quoted = mark && rdv_find_char(rdv_slice(s, 0, i), c, 0) != RDV_NOT_FOUND;
    return !quoted && !rdv_is_digit(rdv_char_at(s, i + 1)) && !rdv_is_alpha(rdv_char_at(s, i + 1));
}

static void add_marks(beside *b, rdv_str s)
{
    for (size_t i = 1; i < s.len; i++) {
        bool inches = s.p[i] == '"' || rdv_char_at(s, i + 2) == '\xb3';
        if (is_mark(s, i))
            add_side(b, inches ? RDV_STR("mark inches") : RDV_STR("mark feet"));
    }
}

/* A word of the value itself: a number in words, a function. */
static bool is_of_value(rdv_str word)
{
    static const char *const signs[] = {"pi", "sqrt", "inf"};
    unsigned value;
    return number_word(word, &value) || fraction_word(word, &value) ||
           multiple_word(word, &value) || (word_class(word) & WORD_FUNCTION) ||
           rdv_is_one_of(word, signs, sizeof signs / sizeof *signs);
}

/* "per hour", "an hour", "each day" behind a word or an amount: the word after byte *i, which is
 * moved behind it; empty: it is no rate. */
static rdv_str rate_at(rdv_str s, rdv_str word, rdv_str last, size_t *i)
{
    static const char *const articles[] = {"a", "an", "each", "every"};
    unsigned value;
    bool per = rdv_str_ieq(word, RDV_STR("per"));
    bool behind = last.len && !number_word(last, &value) && !fraction_word(last, &value) &&
                  !rdv_str_ieq(last, RDV_STR("of")) && !rdv_str_ieq(last, RDV_STR("and"));
    cue_token next;
    unit_meaning m;
    size_t at = *i;
    if (!(per || (behind && rdv_is_one_of(word, articles, 4))) || !cue_next_token(s, &at, &next) ||
        !rdv_is_alpha(next.text.p[0]) || rdv_str_ieq(next.text, RDV_STR("cent")) ||
        (!per && !unit_find_in_prose(next.text, &m)))
        return (rdv_str){0};
    *i = at;
    return singular(next.text);
}

/* A word that is no command, or a sign such as "%" that a row may begin with. */
static void take_word(beside *b, rdv_str s, rdv_str word, rdv_str last, bool letters, size_t *i)
{
    static const char *const percents[] = {"percent", "cent", "pct"};
    const unsigned effects = 1u << EFFECT_TURNED | 1u << EFFECT_SCALE | 1u << EFFECT_PLAIN;
    size_t begin = (size_t)(word.p - s.p), end = *i;
    unit_meaning m;
    rdv_str per = letters ? rate_at(s, word, last, i) : (rdv_str){0};
    const rule *row = per.len ? NULL : announcement_row_at(s, begin, effects, &end);
    if (per.len) {
        b->per = per;
    } else if (row && row->effect == EFFECT_TURNED) {
        b->begin = b->n_sides ? b->begin : begin;
        add_side(b, row->says);
        add_in_order(b, word);
        *i = end > *i ? end : *i;
        b->end = *i;
    } else if (row || !letters) {
        b->counts = b->counts || (row && row->effect == EFFECT_SCALE &&
                                  !rdv_ends(row->says, RDV_STR("00"))); /* dozens */
    } else if (rdv_is_one_of(word, percents, 3)) {
        b->share = true;
    } else if (word.len > 1 && unit_find_in_prose(word, &m)) {
        b->unit = true;
        b->first = b->first ? b->first : m.unit;
        b->money = b->money || unit_is_money(m.unit);
    } else if (word.len > 1 && !is_of_value(word)) {
        add_word(b, word);
    }
}

static bool may_have_words(rdv_str s)
{
    bool may = false;
    for (size_t i = 0; i < s.len && !may; i++)
        may = rdv_is_alpha(s.p[i]) || (unsigned char)s.p[i] >= 0x80 ||
              (s.p[i] && strchr("$\"'", s.p[i]));
    return may;
}

static void beside_of(rdv_str s, beside *b)
{
    static const char *const names[] = {"\\begin", "\\end", "\\operatorname", "\\mathbb"};
    static const char *const moduli[] = {"mod", "modulo", "\\pmod", "\\bmod", "\\mod"};
    cue_token token, last = {0};
    size_t i = 0, line = 0;
    *b = (beside){0};
    if (!may_have_words(s))
        return;
    add_marks(b, s);
    b->money = b->unit = money_currency(s).p != NULL;
    for (; cue_next_token(s, &i, &token) && line < 1000; last = token, line++) {
        char first = token.text.p[0];
        b->numbers += token.number;
        if (token.number)
            add_in_order(b, token.text);
        bool sign = (unsigned char)first >= 0x80 || first == '%';
        b->share = b->share || first == '%';
        bool letters =
            rdv_is_alpha(first) || (sign && rdv_utf8_len(token.text, 0) < token.text.len);
        bool modulus = token.number && rdv_is_one_of(last.text, moduli, 5);
        if (modulus) /* "5 mod 7" */
            add_word(b, token.text);
        bool name = last.text.len && rdv_is_one_of(last.text, names, 4);
        if (!name && (letters || sign))
            take_word(b, s, token.text, last.text, letters, &i);
    }
    b->full = b->full || line == 1000;
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

/* Do the sides of the first agree with those of the second? What only one says, the question may
 * say, if it says no other side of it. */
static turn sides_agree(const beside *x, const beside *y, const beside *asked, rdv_str *word)
{
    turn is = TURN_AGREES;
    for (size_t i = 0; i < x->n_sides; i++) {
        rdv_str what = x->sides[i].what;
        size_t in_x, in_y, said, shared = shared_sides(x, y, what, &in_x);
        shared_sides(y, x, what, &in_y);
        size_t in_question = shared_sides(x, asked, what, &said);
        shared_sides(asked, x, what, &said);
        if ((in_x == in_y && shared == in_x) ||
            (!in_y && (x->sides[i].may_miss || (in_question == in_x && said == in_x))))
            continue;
        *word = what;
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

static bool is_ascii(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.p[i] >= 0x80)
            return false;
    return true;
}

/* How many words of the first are not in the second; *unsure: one of them may not be dropped. */
static size_t words_alone(const beside *x, const beside *y, rdv_str question, bool *unsure,
                          rdv_str *word)
{
    size_t n = 0;
    for (size_t i = 0; i < x->n_words; i++) {
        if (has_word(y, x->words[i]))
            continue;
        n++;
        if (question.p ? is_asked(question, x->words[i]) : is_ascii(x->words[i]))
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
static bool is_other_unit(const unit *a, const unit *b)
{
    return a && b && a != b && memcmp(a->power, b->power, sizeof a->power) == 0;
}

static turn words_agree(const beside *x, const beside *y, rdv_str question, bool converted,
                        rdv_str *word)
{
    bool unsure = false;
    size_t in_x = words_alone(x, y, question, &unsure, word);
    size_t in_y = words_alone(y, x, question, &unsure, word);
    bool other_thing = (x->unit && !y->unit && in_y) || (y->unit && !x->unit && in_x) ||
                       (x->share && !y->share && in_y) || (y->share && !x->share && in_x) ||
                       (x->unit && y->unit && x->money != y->money) ||
                       (!converted && is_other_unit(x->first, y->first));
    in_x += weak_sides_alone(x, y);
    in_y += weak_sides_alone(y, x);
    bool several = x->numbers > 1 && !same_order(x, y);
    if (x->full || y->full)
        unsure = true;
    if (!word->len && x->n_words)
        *word = x->words[0];
    return unsure || (in_x && in_y) || other_thing || several ? TURN_UNSAID : TURN_AGREES;
}

/* A rate that only `x` names, for a number that may be it. */
static bool may_leave_rate(const beside *x, const beside *y, rdv_str question, bool gold_has)
{
    unit_meaning m;
    bool known = unit_find_in_prose(x->per, &m) || (question.p && is_asked(question, x->per));
    bool compared = x->unit && y->unit && !x->money && !y->money; /* "50 mph" */
    return compared || (known && (gold_has || !y->unit));
}

turn turn_between(rdv_str answer, rdv_str gold, rdv_str question, bool numbers, bool converted,
                  rdv_str *word)
{
    beside x, y, asked = {0};
    *word = (rdv_str){0};
    beside_of(answer, &x);
    beside_of(gold, &y);
    if (question.p && (x.n_sides || y.n_sides))
        beside_of(question, &asked);
    turn is = sides_agree(&x, &y, &asked, word);
    if (is != TURN_OPPOSED) {
        turn other = sides_agree(&y, &x, &asked, word);
        is = other == TURN_AGREES ? is : other;
    }
    if (is != TURN_AGREES)
        return is;
    if (x.per.len && y.per.len && !rdv_str_ieq(x.per, y.per)) {
        *word = x.per;
        return TURN_OPPOSED;
    }
    if ((x.per.len && !y.per.len && !may_leave_rate(&x, &y, question, false)) ||
        (y.per.len && !x.per.len && !may_leave_rate(&y, &x, question, true))) {
        *word = x.per.len ? x.per : y.per;
        return TURN_UNSAID;
    }
    return numbers ? words_agree(&x, &y, question, converted, word) : TURN_AGREES;
}

bool turn_may_change(rdv_str answer, rdv_str gold, bool opposite)
{
    static const char *const kinds[] = {"share", "sign", "mark", "factor", "count"};
    beside x, y, none = {0};
    rdv_str word = {0};
    beside_of(answer, &x);
    beside_of(gold, &y);
    bool differ = sides_agree(&x, &y, &none, &word) != TURN_AGREES ||
                  sides_agree(&y, &x, &none, &word) != TURN_AGREES;
    bool sum = (x.numbers > 1 && x.unit && !y.unit) || (y.numbers > 1 && y.unit && !x.unit);
    return sum || x.counts != y.counts || (differ && (opposite || rdv_is_one_of(word, kinds, 5))) ||
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

rdv_str turn_with_words(rdv_str text, rdv_str answer, rdv_str gold)
{
    beside g, b;
    beside_of(gold, &g);
    if (!g.n_sides || !answer.len || answer.p < text.p || answer.p > text.p + text.len)
        return answer;
    size_t begin = (size_t)(answer.p - text.p), end = begin + answer.len, from = begin, to = end;
    while (from > 0 && !strchr("\n.,;:!?=", text.p[from - 1]) && !rdv_is_digit(text.p[from - 1]))
        from--;
    while (to < text.len && !strchr("\n,;:!?=", text.p[to]) && !rdv_is_digit(text.p[to]) &&
           !(text.p[to] == '.' && to + 1 < text.len && rdv_is_space(text.p[to + 1])))
        to++;
    beside_of(rdv_slice(text, begin, to), &b);
    if (b.n_sides) /* "8% decrease" */
        return rdv_slice(text, begin, begin + b.end);
    beside_of(rdv_slice(text, from, end), &b);
    return b.n_sides ? rdv_slice(text, from + b.begin, end) : answer; /* "a loss of $5" */
}
