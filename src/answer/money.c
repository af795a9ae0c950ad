/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/money.h"

#include "answer/number.h"
#include "answer/result.h"
#include "base/str.h"
#include "language/number_words.h"
#include "language/phrase.h"

/* Before the amount; longer ones first. */
static const money_unit signs[] = {
    {"US$", "USD", 1},      {"CA$", "CAD", 1},          {"C$", "CAD", 1},
    {"AU$", "AUD", 1},      {"A$", "AUD", 1},           {"\\$", "USD", 1},
    {"$", "USD", 1},        {"\xe2\x82\xac", "EUR", 1}, {"\xc2\xa3", "GBP", 1},
    {"\\pounds", "GBP", 1}, {"\xc2\xa5", "JPY", 1},     {"\xe2\x82\xb9", "INR", 1},
    {"\\euro", "EUR", 1},
};

/* After the amount; codes also before it. */
static const money_unit words[] = {
    {"USD", "USD", 1},         {"EUR", "EUR", 1},
    {"GBP", "GBP", 1},         {"JPY", "JPY", 1},
    {"INR", "INR", 1},         {"CAD", "CAD", 1},
    {"AUD", "AUD", 1},         {"CHF", "CHF", 1},
    {"CNY", "CNY", 1},         {"dollars", "USD", 1},
    {"dollar", "USD", 1},      {"bucks", "USD", 1},
    {"euros", "EUR", 1},       {"euro", "EUR", 1},
    {"pounds", "GBP", 1},      {"pound", "GBP", 1},
    {"yen", "JPY", 1},         {"rupees", "INR", 1},
    {"rupee", "INR", 1},       {"francs", "CHF", 1},
    {"franc", "CHF", 1},       {"\xe2\x82\xac", "EUR", 1},
    {"\xc2\xa3", "GBP", 1},    {"pesos", "MXN", 1},
    {"peso", "MXN", 1},        {"won", "KRW", 1},
    {"rubles", "RUB", 1},      {"ruble", "RUB", 1},
    {"roubles", "RUB", 1},     {"lira", "TRY", 1},
    {"kronor", "SEK", 1},      {"krona", "SEK", 1},
    {"kroner", "NOK", 1},      {"krone", "NOK", 1},
    {"reais", "BRL", 1},       {"rand", "ZAR", 1},
    {"shekels", "ILS", 1},     {"dirhams", "AED", 1},
    {"baht", "THB", 1},        {"riyals", "SAR", 1},
    {"yuan", "CNY", 1},        {"cents", "USD", 100},
    {"cent", "USD", 100},      {"\xc2\xa2", "USD", 100},
    {"pence", "GBP", 100},     {"penny", "GBP", 100},
    {"p", "GBP", 100},         {"$", "USD", 1},
    {"ct", "USD", 100},        {"cts", "USD", 100},
    {"rappen", "CHF", 100},    {"rp", "CHF", 100},
    {"centimes", "CHF", 100},  {"kopeks", "RUB", 100},
    {"kopecks", "RUB", 100},   {"paise", "INR", 100},
    {"centavos", "MXN", 100},  {"c\u00e9ntimos", "EUR", 100},
    {"centesimi", "EUR", 100},
};
#define CODES 9

/* Before "dollars". */
static const money_unit nations[] = {
    {"US", "USD", 1},        {"U.S.", "USD", 1},        {"American", "USD", 1},
    {"Canadian", "CAD", 1},  {"Australian", "AUD", 1},  {"Singapore", "SGD", 1},
    {"Hong Kong", "HKD", 1}, {"New Zealand", "NZD", 1},
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

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
static size_t whole_name_end(rdv_str s, size_t i, const char *name)
{
    rdv_str n = rdv_str_of(name);
    size_t end = i + n.len;
    bool here = rdv_istarts(rdv_slice(s, i, s.len), n);
    bool goes_on = rdv_is_alpha(name[0]) && end < s.len && rdv_is_alnum(s.p[end]);
    return here && !goes_on ? end : 0;
}

/* Most differ in their first byte. */
static inline size_t name_end(rdv_str s, size_t i, const char *name)
{
    bool may = i < s.len && rdv_lower(s.p[i]) == rdv_lower(name[0]);
    return may ? whole_name_end(s, i, name) : 0;
}

/* The sign or code that ends before byte `i`, over blanks; where it begins into *begin. */
static const money_unit *unit_before(rdv_str s, size_t i, size_t *begin)
{
    while (i > 0 && s.p[i - 1] == ' ')
        i--;
    char last = i > 0 ? s.p[i - 1] : '\0';
    if (!rdv_is_alpha(last) && last != '$' && !(last & 0x80))
        return NULL;
    for (size_t k = 0; k < COUNT(signs) + CODES; k++) {
        const money_unit *u = k < COUNT(signs) ? &signs[k] : &words[k - COUNT(signs)];
        rdv_str name = rdv_str_of(u->name);
        if (i < name.len || !rdv_str_eq(rdv_slice(s, i - name.len, i), name))
            continue;
        *begin = i - name.len;
        return u;
    }
    return NULL;
}

/* The sign that a number begins with: "-$5", "$5". */
static const money_unit *unit_within(rdv_str number)
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

/* "19" of "19,99" with its cents: one or two digits behind a comma, of an amount without a point.
 */
static rdv_str with_cents(rdv_str s, rdv_str number)
{
    size_t comma = (size_t)(number.p - s.p) + number.len, end = rdv_skip_digits(s, comma + 1);
    bool cents = rdv_char_at(s, comma) == ',' && (end == comma + 2 || end == comma + 3) &&
                 rdv_is_digit(number.p[number.len - 1]) && rdv_char_at(s, end) != ',' &&
                 rdv_find_char(number, '.', 0) == RDV_NOT_FOUND &&
                 rdv_find_char(number, ',', 0) == RDV_NOT_FOUND;
    return cents ? (rdv_str){number.p, number.len + end - comma} : number;
}

/* The next number of `s` at or after byte *from, with its currency and scale. */
bool money_next(rdv_str s, size_t *from, money_amount *a)
{
    size_t first = *from;
    if (!answer_next_number(s, from, &a->number))
        return false;
    a->number = with_cents(s, a->number);
    size_t number = (size_t)(a->number.p - s.p), before = number;
    a->end = number + a->number.len;
    a->power = 0;
    a->unit = unit_within(a->number);
    const money_unit *prefix = unit_before(s, number + (a->unit && a->number.p[0] == '$'), &before);
    a->begin = prefix && before >= first ? before : number;
    if (prefix && before >= first)
        a->unit = prefix;
    size_t next = skip_blanks(s, a->end), end = 0;
    *from = a->end;
    bool dollars = next < s.len && s.p[next] == '$' && rdv_find_char(s, '$', 0) == next;
    if (next == s.len || !(rdv_is_alpha(s.p[next]) || (s.p[next] & 0x80) || dollars))
        return true;
    rdv_str scale = rdv_slice(s, next, rdv_skip_letters(s, next)), word = scale_of_letters(scale);
    if (!rdv_is_digit(rdv_char_at(s, next + scale.len)) &&
        scale_word(word.p ? word : scale, &a->power))
        a->end = next + scale.len;
    next = skip_blanks(s, a->end);
    const money_unit *nation = NULL;
    for (size_t k = 0; k < COUNT(nations) && !nation; k++)
        if ((end = name_end(s, next, nations[k].name)) &&
            name_end(s, skip_blanks(s, end), "dollar") +
                name_end(s, skip_blanks(s, end), "dollars"))
            nation = &nations[k];
    next = nation ? skip_blanks(s, end) : next;
    end = 0;
    for (size_t k = 0; k < COUNT(words) && !end; k++)
        if ((words[k].name[0] != '$' || dollars) && (end = name_end(s, next, words[k].name))) {
            a->unit = nation ? nation : &words[k];
            a->end = end;
        }
    *from = a->end;
    return true;
}

size_t money_sign_len(rdv_str s)
{
    size_t begin = s.len;
    const money_unit *u = unit_before(s, s.len, &begin);
    return u && strcmp(u->name, "$") != 0 ? s.len - begin : 0;
}

/* Has the currency cents, as many have? */
static bool has_cents(const char *currency)
{
    static const char *const of[] = {"USD", "EUR", "CAD", "AUD", "SGD", "HKD", "NZD", "ZAR"};
    return rdv_is_one_of(rdv_str_of(currency), of, COUNT(of));
}

/* "2 dollars and 50 cents": the second amount, a part of the first one's currency. */
bool money_next_part(rdv_str s, size_t *from, const money_amount *whole, money_amount *part)
{
    size_t and = skip_blanks(s, *from), end = name_end(s, and, "and"), at = end ? end : *from;
    if (!whole->unit || whole->unit->parts != 1 || !money_next(s, &at, part) || !part->unit ||
        part->unit->parts == 1 ||
        !(rdv_str_eq(rdv_str_of(part->unit->currency), rdv_str_of(whole->unit->currency)) ||
          (strcmp(part->unit->currency, "USD") == 0 && has_cents(whole->unit->currency))) ||
        rdv_trim(rdv_slice(s, end ? end : *from, part->begin)).len)
        return false;
    *from = at;
    return true;
}

bool money_is_compound(rdv_str s)
{
    money_amount whole, part;
    size_t from = 0;
    s = rdv_trim(s);
    s.len -= rdv_ends(s, RDV_STR("."));
    return money_next(s, &from, &whole) && whole.begin == 0 &&
           money_next_part(s, &from, &whole, &part) && from == s.len;
}

/* What an amount is for, without its plural: "per hour", "/hour", "an hour"; p == NULL: none. */
rdv_str money_rate(rdv_str after)
{
    static const char *const starts[] = {"/", "per ", "a ", "an ", "every "};
    static phrase_list times = {"@rate-of-time"};
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
        if (end && (k < 2 || phrase_is(word, &times)))
            return word;
    }
    return (rdv_str){0};
}

bool money_changes(rdv_str after)
{
    static phrase_list changes = {"@changes-an-amount"};
    rdv_str rest = rdv_trim(after);
    size_t end = 0;
    if (rdv_starts(after, RDV_STR("+"))) /* "$5+" */
        return true;
    while (end < rest.len && rdv_is_alpha(rest.p[end]))
        end++;
    return phrase_is(rdv_slice(rest, 0, end), &changes) || money_rate(after).p;
}

rdv_str money_currency(rdv_str s)
{
    money_amount a, more;
    size_t from = 0, dollars = 0;
    bool named = false; /* may there be a unit: a word, or a sign beyond ASCII? */
    for (size_t i = 0; i < s.len && s.len <= 100; i++) {
        dollars += s.p[i] == '$';
        named = named || rdv_is_alpha(s.p[i]) || (s.p[i] & 0x80);
    }
    if ((!named && dollars != 1) || s.len > 100 || !money_next(s, &from, &a) || !a.unit ||
        money_next(s, &from, &more))
        return (rdv_str){0};
    bool weight = rdv_istarts(rdv_str_of(a.unit->name), RDV_STR("pound")) ||
                  rdv_str_eq(rdv_str_of(a.unit->name), RDV_STR("p"));
    bool sign = strchr(a.unit->name, '$') != NULL;
    if (weight || (sign && dollars != 1))
        return (rdv_str){0};
    return a.unit->parts == 1                     ? rdv_str_of(a.unit->currency)
           : strcmp(a.unit->currency, "USD") == 0 ? RDV_STR("cents")
                                                  : RDV_STR("other/100");
}

bool money_is_currency(rdv_str word, rdv_str currency)
{
    for (size_t k = 0; k < COUNT(words); k++)
        if (rdv_str_ieq(word, rdv_str_of(words[k].name)))
            return words[k].parts == 1 && rdv_str_eq(currency, rdv_str_of(words[k].currency));
    return false;
}

bool money_last(rdv_str s, rdv_str *out)
{
    money_amount a, part;
    bool found = false;
    for (size_t from = 0; money_next(s, &from, &a);) {
        if (!a.unit)
            continue;
        size_t end = money_next_part(s, &from, &a, &part) ? part.end : a.end;
        *out = rdv_slice(s, a.begin, end);
        found = true;
    }
    return found || answer_last_value(s, out);
}
