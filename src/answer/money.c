/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/money.h"

#include <rederive/math.h>

#include "answer/lone_number.h"
#include "answer/number.h"
#include "answer/result.h"
#include "answer/span.h"
#include "answer/value.h"
#include "base/arena.h"
#include "base/str.h"

/* A sign, code or word of a currency; parts: how many of it make one of the currency. */
typedef struct unit {
    const char *name, *currency;
    unsigned parts;
} unit;

/* Before the amount; longer ones first. */
static const unit signs[] = {
    {"US$", "USD", 1},      {"CA$", "CAD", 1},          {"C$", "CAD", 1},
    {"AU$", "AUD", 1},      {"A$", "AUD", 1},           {"\\$", "USD", 1},
    {"$", "USD", 1},        {"\xe2\x82\xac", "EUR", 1}, {"\xc2\xa3", "GBP", 1},
    {"\\pounds", "GBP", 1}, {"\xc2\xa5", "JPY", 1},     {"\xe2\x82\xb9", "INR", 1},
    {"\\euro", "EUR", 1},
};

/* After the amount; codes also before it. */
static const unit words[] = {
    {"USD", "USD", 1},          {"EUR", "EUR", 1},        {"GBP", "GBP", 1},
    {"JPY", "JPY", 1},          {"INR", "INR", 1},        {"CAD", "CAD", 1},
    {"AUD", "AUD", 1},          {"CHF", "CHF", 1},        {"CNY", "CNY", 1},
    {"dollars", "USD", 1},      {"dollar", "USD", 1},     {"bucks", "USD", 1},
    {"euros", "EUR", 1},        {"euro", "EUR", 1},       {"pounds", "GBP", 1},
    {"pound", "GBP", 1},        {"yen", "JPY", 1},        {"rupees", "INR", 1},
    {"rupee", "INR", 1},        {"francs", "CHF", 1},     {"franc", "CHF", 1},
    {"\xe2\x82\xac", "EUR", 1}, {"\xc2\xa3", "GBP", 1},   {"pesos", "MXN", 1},
    {"peso", "MXN", 1},         {"won", "KRW", 1},        {"rubles", "RUB", 1},
    {"ruble", "RUB", 1},        {"roubles", "RUB", 1},    {"lira", "TRY", 1},
    {"kronor", "SEK", 1},       {"krona", "SEK", 1},      {"kroner", "NOK", 1},
    {"krone", "NOK", 1},        {"reais", "BRL", 1},      {"rand", "ZAR", 1},
    {"shekels", "ILS", 1},      {"dirhams", "AED", 1},    {"baht", "THB", 1},
    {"riyals", "SAR", 1},       {"yuan", "CNY", 1},       {"cents", "USD", 100},
    {"cent", "USD", 100},       {"\xc2\xa2", "USD", 100}, {"pence", "GBP", 100},
    {"penny", "GBP", 100},      {"p", "GBP", 100},
};
#define CODES 9

/* Before "dollars". */
static const unit nations[] = {
    {"US", "USD", 1},        {"U.S.", "USD", 1},        {"American", "USD", 1},
    {"Canadian", "CAD", 1},  {"Australian", "AUD", 1},  {"Singapore", "SGD", 1},
    {"Hong Kong", "HKD", 1}, {"New Zealand", "NZD", 1},
};

static const struct {
    const char *word, *factor;
} scales[] = {{"hundred", "100"},     {"thousand", "1000"}, {"k", "1000"},
              {"million", "1000000"}, {"m", "1000000"},     {"billion", "1000000000"},
              {"bn", "1000000000"}};
#define COUNT(list) (sizeof(list) / sizeof *(list))

typedef struct amount {
    rdv_str number;   /* with its sign and currency, as answer_next_number() gives it */
    const unit *unit; /* NULL: none is named */
    const char *factor;
    size_t begin, end; /* bytes of the text, with its currency */
} amount;

static size_t skip_blanks(rdv_str s, size_t i)
{
    for (;;) {
        while (i < s.len && (s.p[i] == ' ' || s.p[i] == '~'))
            i++;
        if (!rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\\text{")))
            return i;
        i += 6;
    }
}

/* The byte after `name` at byte `i`, as a whole word, or 0. */
static size_t name_end(rdv_str s, size_t i, const char *name)
{
    if (i >= s.len || rdv_lower(s.p[i]) != rdv_lower(name[0]))
        return 0;
    rdv_str n = rdv_str_of(name);
    size_t end = i + n.len;
    bool here = rdv_istarts(rdv_slice(s, i, s.len), n);
    bool goes_on = rdv_is_alpha(name[0]) && end < s.len && rdv_is_alnum(s.p[end]);
    return here && !goes_on ? end : 0;
}

/* The sign or code that ends before byte `i`, over blanks; where it begins into *begin. */
static const unit *unit_before(rdv_str s, size_t i, size_t *begin)
{
    while (i > 0 && s.p[i - 1] == ' ')
        i--;
    char last = i > 0 ? s.p[i - 1] : '\0';
    if (!rdv_is_alpha(last) && last != '$' && !(last & 0x80))
        return NULL;
    for (size_t k = 0; k < COUNT(signs) + CODES; k++) {
        const unit *u = k < COUNT(signs) ? &signs[k] : &words[k - COUNT(signs)];
        rdv_str name = rdv_str_of(u->name);
        if (i < name.len || !rdv_str_eq(rdv_slice(s, i - name.len, i), name))
            continue;
        *begin = i - name.len;
        return u;
    }
    return NULL;
}

/* The sign that a number begins with: "-$5", "$5". */
static const unit *unit_within(rdv_str number)
{
    bool plain = true;
    for (size_t i = 0; i < number.len; i++)
        plain = plain && (rdv_is_digit(number.p[i]) || number.p[i] == '.' || number.p[i] == ',');
    if (plain)
        return NULL;
    for (size_t k = 0; k < COUNT(signs); k++)
        if (rdv_find(number, rdv_str_of(signs[k].name), 0) != RDV_NOT_FOUND)
            return &signs[k];
    return NULL;
}

/* The next number of `s` at or after byte *from, with its currency and scale. */
static bool next_amount(rdv_str s, size_t *from, amount *a)
{
    size_t first = *from;
    if (!answer_next_number(s, from, &a->number))
        return false;
    size_t number = (size_t)(a->number.p - s.p), before = number;
    a->end = number + a->number.len;
    a->factor = "1";
    a->unit = unit_within(a->number);
    const unit *prefix = unit_before(s, number + (a->unit && a->number.p[0] == '$'), &before);
    a->begin = prefix && before >= first ? before : number;
    if (prefix && before >= first)
        a->unit = prefix;
    size_t next = skip_blanks(s, a->end), end = 0;
    *from = a->end;
    if (next == s.len || !(rdv_is_alpha(s.p[next]) || (s.p[next] & 0x80)))
        return true;
    for (size_t k = 0; k < COUNT(scales) && !end; k++)
        if ((end = name_end(s, next, scales[k].word))) {
            a->factor = scales[k].factor;
            a->end = end;
        }
    next = skip_blanks(s, a->end);
    const unit *nation = NULL;
    for (size_t k = 0; k < COUNT(nations) && !nation; k++)
        if ((end = name_end(s, next, nations[k].name)) &&
            name_end(s, skip_blanks(s, end), "dollar") +
                name_end(s, skip_blanks(s, end), "dollars"))
            nation = &nations[k];
    next = nation ? skip_blanks(s, end) : next;
    end = 0;
    for (size_t k = 0; k < COUNT(words) && !end; k++)
        if ((end = name_end(s, next, words[k].name))) {
            a->unit = nation ? nation : &words[k];
            a->end = end;
        }
    *from = a->end;
    return true;
}

/* "2 dollars and 50 cents": the second amount, a part of the first one's currency. */
static bool next_part(rdv_str s, size_t *from, const amount *whole, amount *part)
{
    size_t and = skip_blanks(s, *from), end = name_end(s, and, "and"), at = end ? end : *from;
    if (!whole->unit || whole->unit->parts != 1 || !next_amount(s, &at, part) || !part->unit ||
        part->unit->parts == 1 ||
        !rdv_str_eq(rdv_str_of(part->unit->currency), rdv_str_of(whole->unit->currency)) ||
        rdv_trim(rdv_slice(s, end ? end : *from, part->begin)).len)
        return false;
    *from = at;
    return true;
}

/* An exact expression of the amount in its currency. p == NULL in *out: it is no number. */
static int expression(const amount *a, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    rdv_str written = answer_without_separators(a->number, arena), number;
    if (!written.p)
        return rdv_no_memory(err);
    int rc = answer_number_key(written, (answer_reading){0}, arena, &number, err);
    if (rc != RDV_OK)
        return rc;
    if (!rdv_is_digit(number.p[number.len - 1])) /* "{56, 617/500}" */
        return RDV_NONE;
    *out = rdv_str_printf(arena, "(%.*s)*%s/%u", RDV_FMT(number), a->factor,
                          a->unit ? a->unit->parts : 1);
    return out->p ? RDV_OK : rdv_no_memory(err);
}

/* What an amount is for, without its plural: "per hour", "/hour", "an hour"; p == NULL: none. */
static rdv_str rate_of(rdv_str after)
{
    static const char *const starts[] = {"/", "per ", "a ", "an ", "every "};
    static const char *const times[] = {"hour", "day", "week", "month", "year", "minute", "night"};
    after = rdv_trim(after);
    for (size_t k = 0; k < COUNT(starts); k++) {
        rdv_str start = rdv_str_of(starts[k]);
        if (!rdv_istarts(after, start))
            continue;
        rdv_str rest = rdv_trim(rdv_slice(after, start.len, after.len));
        size_t end = 0;
        while (end < rest.len && rdv_is_alpha(rest.p[end]))
            end++;
        rdv_str word = rdv_slice(rest, 0, end);
        if (rdv_ends(word, RDV_STR("s")) && word.len > 3)
            word.len--;
        if (end && (k < 2 || rdv_is_one_of(word, times, COUNT(times))))
            return word;
    }
    return (rdv_str){0};
}

bool answer_money_changes(rdv_str after)
{
    static const char *const changes[] = {"off", "more", "less", "fewer", "short", "cheaper"};
    rdv_str rest = rdv_trim(after);
    size_t end = 0;
    if (rdv_starts(after, RDV_STR("+"))) /* "$5+" */
        return true;
    while (end < rest.len && rdv_is_alpha(rest.p[end]))
        end++;
    return rdv_is_one_of(rdv_slice(rest, 0, end), changes, COUNT(changes)) || rate_of(after).p;
}

rdv_str answer_currency(rdv_str s)
{
    amount a, more;
    size_t from = 0, dollars = 0;
    bool named = false; /* may there be a unit: a word, or a sign beyond ASCII? */
    for (size_t i = 0; i < s.len && s.len <= 100; i++) {
        dollars += s.p[i] == '$';
        named = named || rdv_is_alpha(s.p[i]) || (s.p[i] & 0x80);
    }
    if ((!named && dollars != 1) || s.len > 100 || !next_amount(s, &from, &a) || !a.unit ||
        next_amount(s, &from, &more))
        return (rdv_str){0};
    bool weight = rdv_istarts(rdv_str_of(a.unit->name), RDV_STR("pound")) ||
                  rdv_str_eq(rdv_str_of(a.unit->name), RDV_STR("p"));
    bool sign = strchr(a.unit->name, '$') != NULL;
    if (weight || (sign && dollars != 1))
        return (rdv_str){0};
    return a.unit->parts == 1 ? rdv_str_of(a.unit->currency) : RDV_STR("USD/100");
}

int answer_money_key(rdv_str answer, rdv_arena *arena, rdv_str *key, rdv_error *err)
{
    amount whole, part, other;
    size_t from = 0;
    rdv_str sum, cents;
    if (answer.len > RDV_VALUE_MAX || !next_amount(answer, &from, &whole))
        return RDV_NONE;
    rdv_str bare = rdv_trim(answer);
    bool account = rdv_starts(bare, RDV_STR("(")) && rdv_ends(bare, RDV_STR(")")); /* -$5, or $5 */
    if (answer_is_denied(answer, whole.begin) || account || rdv_ends(whole.number, RDV_STR("%")) ||
        number_change(answer, whole.begin, whole.end) == NUMBER_BEFORE)
        return RDV_NONE;
    bool two = next_part(answer, &from, &whole, &part);
    rdv_str per = rate_of(rdv_slice(answer, from, answer.len));
    if (!per.p && answer_money_changes(rdv_slice(answer, from, answer.len)))
        return RDV_NONE;
    if (next_amount(answer, &from, &other))
        return RDV_NONE;
    int rc = expression(&whole, arena, &sum, err);
    if (rc == RDV_OK && two) {
        rc = expression(&part, arena, &cents, err);
        if (rc == RDV_OK)
            sum = rdv_str_printf(arena, "%.*s+%.*s", RDV_FMT(sum), RDV_FMT(cents));
        if (rc == RDV_OK && !sum.p)
            return rdv_no_memory(err);
    }
    rdv_str number;
    if (rc == RDV_OK)
        rc = rdv_math_key(sum, arena, &number, err);
    if (rc != RDV_OK)
        return rc;
    *key = rdv_str_printf(arena, "%s %.*s%s%.*s", whole.unit ? whole.unit->currency : "?",
                          RDV_FMT(number), per.len ? " per " : "", RDV_FMT(per));
    return key->p ? RDV_OK : rdv_no_memory(err);
}

bool answer_money_may_agree(rdv_str answer, rdv_str gold)
{
    size_t rate = rdv_find(answer, RDV_STR(" per "), 0),
           rate_b = rdv_find(gold, RDV_STR(" per "), 0);
    if (rate == RDV_NOT_FOUND && rate_b != RDV_NOT_FOUND) { /* gold says of what time it is asked */
        gold = rdv_slice(gold, 0, rate_b);
        if (rdv_str_eq(answer, gold))
            return true;
    }
    bool open_a = rdv_starts(answer, RDV_STR("? ")), open_b = rdv_starts(gold, RDV_STR("? "));
    size_t skip_a = open_a ? 2 : 4, skip_b = open_b ? 2 : 4;
    return open_a != open_b &&
           rdv_str_eq(rdv_slice(answer, skip_a, answer.len), rdv_slice(gold, skip_b, gold.len));
}

bool answer_last_money(rdv_str s, rdv_str *out)
{
    amount a, part;
    bool found = false;
    for (size_t from = 0; next_amount(s, &from, &a);) {
        if (!a.unit)
            continue;
        size_t end = next_part(s, &from, &a, &part) ? part.end : a.end;
        *out = rdv_slice(s, a.begin, end);
        found = true;
    }
    return found || answer_last_value(s, out);
}
