/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/date.h"

#include "answer/span.h"
#include "base/arena.h"
#include "base/str.h"

#include <stdio.h>

/* A date in parts; 0: not stated. */
typedef struct date {
    unsigned year, month, day;
} date;

/* The number at byte `i` of at most four digits; the byte after it, or `i`. */
static size_t number_end(rdv_str s, size_t i, unsigned *value)
{
    size_t end = i;
    *value = 0;
    while (rdv_is_digit(rdv_char_at(s, end)) && end - i < 5)
        *value = *value * 10 + (unsigned)(rdv_char_at(s, end++) - '0');
    return end - i > 4 ? i : end;
}

static bool is_calendar_date(date d)
{
    static const unsigned days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = d.year % 4 == 0 && (d.year % 100 != 0 || d.year % 400 == 0);
    if (d.month < 1 || d.month > 12 || d.day > days[d.month - 1])
        return false;
    return !(d.month == 2 && d.day == 29 && !leap);
}

/* "2021-05-01", "2021/05". */
static size_t year_first_end(rdv_str s, size_t i, size_t end, date *d)
{
    char sign = rdv_char_at(s, end);
    size_t month = number_end(s, end + 1, &d->month);
    if (month == end + 1 || month - end > 3)
        return i;
    d->day = 0;
    if (rdv_char_at(s, month) != sign)
        return month - end == 3 && sign != '.' ? month : i;
    size_t day = number_end(s, month + 1, &d->day);
    return day == month + 1 || day - month > 3 || d->day == 0 ? i : day;
}

/* "05/01/2021", "1.5.2021", "05/2021", with two digits of the year only after '/'. */
static size_t year_last_end(rdv_str s, size_t i, size_t end, bool day_first, date *d)
{
    char sign = rdv_char_at(s, end);
    unsigned second, first = d->month;
    size_t middle = number_end(s, end + 1, &second);
    if (middle == end + 5 && sign == '/' && rdv_char_at(s, middle) != sign) {
        *d = (date){second, first, 0};
        return middle;
    }
    size_t last = number_end(s, middle + 1, &d->year), digits = last - middle - 1;
    if (middle == end + 1 || middle - end > 3 || rdv_char_at(s, middle) != sign ||
        !(digits == 4 || (digits == 2 && sign == '/')) || second == 0 || first == 0)
        return i;
    if (digits == 2)
        d->year += d->year < 69 ? 2000 : 1900; /* as POSIX's strptime() */
    bool swap = day_first || sign == '.';
    *d = (date){d->year, swap ? second : first, swap ? first : second};
    if (!is_calendar_date(*d))
        *d = (date){d->year, d->day, d->month};
    return last;
}

static size_t numeric_end(rdv_str s, size_t i, bool day_first, date *d)
{
    unsigned first;
    size_t end = number_end(s, i, &first);
    if (end == i || !rdv_char_at(s, end) || !strchr("/-.", rdv_char_at(s, end)) ||
        !rdv_is_digit(rdv_char_at(s, end + 1)))
        return i;
    size_t stop;
    if (end - i == 4) {
        *d = (date){first, 0, 0};
        stop = year_first_end(s, i, end, d);
    } else {
        *d = (date){0, first, 0};
        stop = end - i <= 2 ? year_last_end(s, i, end, day_first, d) : i;
    }
    bool more =
        rdv_char_at(s, stop) == rdv_char_at(s, end) && rdv_is_digit(rdv_char_at(s, stop + 1));
    return stop == i || more || !is_calendar_date(*d) ? i : stop;
}

/* Names of months in German, French, Spanish, Italian, Portuguese and Dutch, but those that are
 * English too. */
static const struct {
    const char *name;
    unsigned month;
} foreign_months[] = {
    {"januar", 1},         {"j\u00e4nner", 1}, {"janvier", 1},   {"enero", 1},
    {"gennaio", 1},        {"janeiro", 1},     {"januari", 1},   {"februar", 2},
    {"f\u00e9vrier", 2},   {"febrero", 2},     {"febbraio", 2},  {"fevereiro", 2},
    {"februari", 2},       {"m\u00e4rz", 3},   {"mars", 3},      {"marzo", 3},
    {"mar\u00e7o", 3},     {"maart", 3},       {"avril", 4},     {"abril", 4},
    {"aprile", 4},         {"mai", 5},         {"mayo", 5},      {"maggio", 5},
    {"maio", 5},           {"mei", 5},         {"juni", 6},      {"juin", 6},
    {"junio", 6},          {"giugno", 6},      {"junho", 6},     {"juli", 7},
    {"juillet", 7},        {"julio", 7},       {"luglio", 7},    {"julho", 7},
    {"ao\u00fbt", 8},      {"agosto", 8},      {"augustus", 8},  {"septembre", 9},
    {"septiembre", 9},     {"settembre", 9},   {"setembro", 9},  {"oktober", 10},
    {"octobre", 10},       {"octubre", 10},    {"ottobre", 10},  {"outubro", 10},
    {"novembre", 11},      {"noviembre", 11},  {"novembro", 11}, {"dezember", 12},
    {"d\u00e9cembre", 12}, {"diciembre", 12},  {"dicembre", 12}, {"dezembro", 12}};

/* A whole name of another language at byte `i`; 0: none. */
static unsigned foreign_month_at(rdv_str s, size_t i, size_t *end)
{
    for (size_t k = 0; k < sizeof foreign_months / sizeof *foreign_months; k++) {
        rdv_str name = rdv_str_of(foreign_months[k].name);
        char after = rdv_char_at(s, i + name.len);
        if (rdv_istarts(rdv_slice(s, i, s.len), name) && !rdv_is_alpha(after) && !(after & 0x80)) {
            *end = i + name.len;
            return foreign_months[k].month;
        }
    }
    return 0;
}

static const char *const months[] = {"january",   "february", "march",    "april",
                                     "may",       "june",     "july",     "august",
                                     "september", "october",  "november", "december"};

static const char *const weekdays[] = {"monday", "tuesday",  "wednesday", "thursday",
                                       "friday", "saturday", "sunday"};

unsigned answer_calendar_name(rdv_str word)
{
    word = rdv_ends(word, RDV_STR(".")) ? rdv_slice(word, 0, word.len - 1) : word;
    for (unsigned k = 0; k < 19 && word.len > 2; k++) {
        rdv_str name = rdv_str_of(k < 7 ? weekdays[k] : months[k - 7]);
        if (rdv_istarts(name, word) && (word.len < 6 || word.len == name.len))
            return k + 1;
    }
    return 0;
}

/* The month that is named at byte `i`, whole or by its first letters; 0: none. */
static unsigned month_at(rdv_str s, size_t i, size_t *end)
{
    size_t stop = i;
    while (rdv_is_alpha(rdv_char_at(s, stop)) && stop - i < 10)
        stop++;
    rdv_str word = rdv_slice(s, i, stop);
    for (unsigned m = 0; m < 12 && word.len >= 3; m++) {
        rdv_str name = rdv_str_of(months[m]);
        bool sept = m == 8 && rdv_str_ieq(word, RDV_STR("sept"));
        bool starts = rdv_istarts(name, word) && (word.len == 3 || word.len == name.len);
        if (!sept && !starts)
            continue;
        *end = stop + (rdv_char_at(s, stop) == '.' && word.len < name.len);
        return m + 1;
    }
    return 0;
}

/* "1", "1st" as a day; the byte after it, or `i`. */
static size_t day_end(rdv_str s, size_t i, unsigned *day)
{
    static const char *const endings[] = {"st", "nd", "rd", "th"};
    size_t end = number_end(s, i, day);
    if (end == i || end - i > 2 || *day == 0 || *day > 31)
        return i;
    if (rdv_starts(rdv_slice(s, end, s.len), RDV_STR("er "))) /* French */
        return end + 2;
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
        if (rdv_istarts(rdv_slice(s, end, s.len), rdv_str_of(endings[k])))
            return end + 2;
    return rdv_is_alnum(rdv_char_at(s, end)) || rdv_char_at(s, end) == ':' ? i : end;
}

/* A year after a month or day: ", 2021", "of 2021"; the byte after it, or `i`. */
static size_t year_end(rdv_str s, size_t i, unsigned *year)
{
    size_t begin = rdv_skip_any(s, i, " ,");
    if (rdv_istarts(rdv_slice(s, begin, s.len), RDV_STR("of ")) ||
        rdv_istarts(rdv_slice(s, begin, s.len), RDV_STR("de ")))
        begin += 3;
    size_t end = number_end(s, begin, year);
    if (begin == i || end - begin != 4 || rdv_is_alnum(rdv_char_at(s, end))) {
        *year = 0;
        return i;
    }
    return end;
}

/* "May 1st, 2021", "May 2021", "May 1". A month that begins small is a word unless all is there. */
static size_t month_first_end(rdv_str s, size_t i, date *d)
{
    size_t end = i;
    *d = (date){0};
    d->month = month_at(s, i, &end);
    if (d->month == 0)
        return i;
    size_t begin = rdv_skip_any(s, end, " "),
           day = begin > end ? day_end(s, begin, &d->day) : begin;
    if (day == begin) {
        d->day = 0;
        day = end;
    }
    size_t year = year_end(s, day, &d->year);
    bool small = s.p[i] == rdv_lower(s.p[i]);
    if ((d->day == 0 && d->year == 0) || (small && !(d->day && d->year)))
        return i;
    return is_calendar_date(*d) ? year : i;
}

/* "1 May 2021", "1st of May". */
static size_t day_first_end(rdv_str s, size_t i, date *d)
{
    *d = (date){0};
    size_t day = day_end(s, i, &d->day);
    day += day > i && rdv_char_at(s, day) == '.'; /* German */
    size_t begin = rdv_skip_any(s, day, " "), end = begin;
    if (day == i || begin == day)
        return i;
    if (rdv_istarts(rdv_slice(s, begin, s.len), RDV_STR("of ")) ||
        rdv_istarts(rdv_slice(s, begin, s.len), RDV_STR("de ")))
        begin += 3;
    d->month = foreign_month_at(s, begin, &end);
    bool foreign = d->month > 0;
    if (!foreign)
        d->month = month_at(s, begin, &end);
    if (d->month == 0 || (!foreign && s.p[begin] == rdv_lower(s.p[begin])))
        return i;
    end = year_end(s, end, &d->year);
    return is_calendar_date(*d) ? end : i;
}

static void write_key(date d, char key[16])
{
    if (d.year && d.day)
        snprintf(key, 16, "%04u-%02u-%02u", d.year % 10000, d.month % 100, d.day % 100);
    else if (d.year)
        snprintf(key, 16, "%04u-%02u", d.year % 10000, d.month % 100);
    else
        snprintf(key, 16, "--%02u-%02u", d.month % 100, d.day % 100);
}

bool answer_next_date(rdv_str s, size_t *from, bool day_first, rdv_str *out, char key[16])
{
    for (size_t i = *from; i < s.len; i++) {
        if (!rdv_is_alnum(s.p[i]) || (i > 0 && rdv_is_alnum(s.p[i - 1])))
            continue;
        date d;
        bool digit = rdv_is_digit(s.p[i]);
        size_t end = digit ? numeric_end(s, i, day_first, &d) : month_first_end(s, i, &d);
        if (end == i && digit)
            end = day_first_end(s, i, &d);
        if (end == i)
            continue;
        *out = rdv_slice(s, i, end);
        *from = end;
        write_key(d, key);
        return true;
    }
    *from = s.len;
    return false;
}

bool answer_names_month(rdv_str s)
{
    bool month = false;
    for (size_t i = 0, end; i < s.len; i = end + 1) {
        size_t stop;
        end = rdv_skip_letters(s, i);
        if (end > i && (month || s.p[i] == rdv_lower(s.p[i]) || !month_at(s, i, &stop)))
            return false;
        month = month || end > i;
    }
    return month && rdv_has_digit(s);
}

bool answer_last_date(rdv_str s, bool day_first, rdv_str *out)
{
    bool found = false;
    char key[16];
    for (size_t from = 0; answer_next_date(s, &from, day_first, out, key);)
        found = true;
    return found;
}

/* 0: Monday, by Zeller's congruence. */
static unsigned weekday_of(unsigned year, unsigned month, unsigned day)
{
    unsigned m = month < 3 ? month + 12 : month, y = month < 3 ? year - 1 : year;
    return (day + 13 * (m + 1) / 5 + y + y / 4 - y / 100 + y / 400 + 5) % 7;
}

/* The one weekday that is named whole, or shortened right before a number; false: none, several. */
static bool weekday_named(rdv_str s, unsigned *day)
{
    unsigned found = 0;
    *day = 7;
    for (size_t i = 0; i < s.len; i++) {
        size_t begin = i;
        while (i < s.len && rdv_is_alpha(s.p[i]))
            i++;
        rdv_str word = rdv_slice(s, begin, i);
        for (unsigned d = 0; d < 7 && word.len >= 3; d++) {
            rdv_str name = rdv_str_of(weekdays[d]);
            bool whole = rdv_str_ieq(word, name);
            bool cut = word.len < 6 && rdv_istarts(name, word) && word.p[0] != rdv_lower(word.p[0]);
            rdv_str rest = rdv_slice(s, i, i + 8);
            for (size_t k = 0; cut && k < rest.len; k++)
                if (rdv_is_alpha(rest.p[k]) || rdv_is_digit(rest.p[k])) {
                    cut = rdv_is_digit(rest.p[k]);
                    break;
                }
            if (whole || (cut && rest.len > 1)) {
                found += *day != d;
                *day = d;
            }
        }
    }
    return found == 1;
}

bool answer_weekday_fits(rdv_str s, bool day_first)
{
    char key[16];
    unsigned named, year, month, day;
    size_t from = 0;
    rdv_str out;
    if (!answer_next_date(s, &from, day_first, &out, key) ||
        sscanf(key, "%4u-%2u-%2u", &year, &month, &day) != 3 || !weekday_named(s, &named))
        return true;
    return weekday_of(year, month, day) == named;
}

/* The date that is stated: the only one, however often, not denied, on its weekday. */
static bool only_date(rdv_str answer, bool day_first, char iso[16])
{
    char other[16];
    rdv_str out;
    size_t from = 0;
    if (!answer_next_date(answer, &from, day_first, &out, iso) ||
        answer_is_denied(answer, (size_t)(out.p - answer.p)) ||
        answer_is_shifted(answer, (size_t)(out.p - answer.p)) ||
        answer_bound_end(answer, from) > from || !answer_weekday_fits(answer, day_first))
        return false;
    while (answer_next_date(answer, &from, day_first, &out, other))
        if (strcmp(iso, other) != 0)
            return false;
    return true;
}

/* The text of a date without LaTeX: "29 \\text{ February } 2020", "May $5^{\\text{th}}$". */
static rdv_str without_latex(rdv_str s, rdv_arena *arena)
{
    rdv_str copy = rdv_str_copy(arena, s);
    char *out = (char *)copy.p;
    size_t n = 0;
    for (size_t i = 0; copy.p && i < s.len; i++) {
        size_t end = s.p[i] == '\\' ? rdv_skip_letters(s, i + 1) : i;
        bool space = s.p[i] == '\\' && end == i + 1;
        if (space || s.p[i] == '~')
            out[n++] = ' ';
        else if (end == i && !strchr("{}$^", s.p[i] ? s.p[i] : '.'))
            out[n++] = s.p[i];
        i = space ? i + 1 : end > i ? end - 1 : i;
    }
    copy.len = n;
    return copy;
}

int answer_date_key(rdv_str answer, bool day_first, rdv_arena *arena, rdv_str *key, rdv_error *err)
{
    char iso[16];
    rdv_str bare = answer_trim_marks(answer);
    unsigned year;
    if (rdv_find_char(bare, '\\', 0) != RDV_NOT_FOUND ||
        rdv_find_char(bare, '$', 0) != RDV_NOT_FOUND)
        answer = bare = without_latex(bare, arena);
    if (answer.p && !bare.p)
        return rdv_no_memory(err);
    if (bare.len == 4 && number_end(bare, 0, &year) == 4)
        snprintf(iso, sizeof iso, "%04u", year % 10000);
    else if (!only_date(answer, day_first, iso))
        return RDV_NONE;
    *key = rdv_str_copy(arena, rdv_str_of(iso));
    return key->p ? RDV_OK : rdv_no_memory(err);
}
