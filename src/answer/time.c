/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/time.h"

#include "answer/span.h"
#include "base/arena.h"
#include "base/str.h"
#include "language/number_words.h"

#include <stdio.h>

typedef struct clock_time {
    unsigned hour, minute, second;
    bool definite; /* is it known whether it is before noon? */
    const char *zone;
} clock_time;

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The byte after blanks and LaTeX's opening of a text. */
static size_t skip_blanks(rdv_str s, size_t i)
{
    static const char *const openings[] = {"\\text{", "\\mathrm{", "\\textrm{", "\\,", "\\ ", "~"};
    for (size_t k = 0; k < COUNT(openings); k++) {
        while (rdv_char_at(s, i) == ' ')
            i++;
        rdv_str opening = rdv_str_of(openings[k]);
        if (rdv_starts(rdv_slice(s, i, s.len), opening)) {
            i += opening.len;
            k = (size_t)-1;
        }
    }
    return i;
}

/* The byte after `word` at byte `i`, whole, or 0. */
static size_t word_end(rdv_str s, size_t i, const char *word)
{
    rdv_str w = rdv_str_of(word);
    bool here = rdv_istarts(rdv_slice(s, i, s.len), w) && !rdv_is_alnum(rdv_char_at(s, i + w.len));
    return here ? i + w.len : 0;
}

/* The byte after the minutes in words at byte `i`, or 0: fives, since "three to four" is a range.
 * beside: before "past" or "to", where "a quarter" counts them, too. */
static size_t minute_word_end(rdv_str s, size_t i, bool beside, unsigned *out)
{
    size_t end = word_end(s, i, "a"), ones_end;
    unsigned ones;
    i = end && beside ? skip_blanks(s, end) : i;
    end = rdv_skip_digits(s, i);
    if (end > i) { /* "5 minutes to midnight" */
        *out = 0;
        for (size_t k = i; k < end && end - i < 3; k++)
            *out = *out * 10 + (unsigned)(s.p[k] - '0');
        return beside && *out && *out < 60 ? end : 0;
    }
    end = rdv_skip_letters(s, i);
    if (beside && fraction_word(rdv_slice(s, i, end), out) && (*out == 2 || *out == 4)) {
        *out = 60 / *out;
        return end;
    }
    if (!number_word(rdv_slice(s, i, end), out))
        return 0;
    ones_end = rdv_char_at(s, end) == '-' ? rdv_skip_letters(s, end + 1) : end;
    if (*out >= 20 && number_word(rdv_slice(s, end + (ones_end > end), ones_end), &ones)) {
        *out += ones;
        end = ones_end;
    }
    bool is = *out % 5 == 0 && *out < 60 && *out >= (beside ? 5 : 15);
    return is && !rdv_is_alnum(rdv_char_at(s, end)) ? end : 0;
}

/* The byte after the word for an hour at byte `i`, or 0. */
static size_t hour_word_end(rdv_str s, size_t i, unsigned *hour)
{
    size_t end = i;
    while (rdv_is_alpha(rdv_char_at(s, end)))
        end++;
    bool is = number_word(rdv_slice(s, i, end), hour) && *hour >= 1 && *hour <= 12 &&
              !rdv_is_digit(rdv_char_at(s, end));
    return is ? end : 0;
}

/* "am", "p.m.", "in the morning" after byte `i`: the byte after it with *pm, or 0. */
static size_t half_end(rdv_str s, size_t i, bool *pm)
{
    static const struct {
        const char *words;
        bool pm;
    } halves[] = {{"am", false},
                  {"a.m.", false},
                  {"a.m", false},
                  {"pm", true},
                  {"p.m.", true},
                  {"p.m", true},
                  {"in the morning", false},
                  {"in the afternoon", true},
                  {"in the evening", true},
                  {"at night", true}};
    i = skip_blanks(s, i);
    for (size_t k = 0; k < COUNT(halves); k++) {
        size_t end = word_end(s, i, halves[k].words);
        *pm = halves[k].pm;
        if (end)
            return end;
    }
    return 0;
}

/* Two digits at byte `i` after `sign`, below `limit`; the byte after them, or `i`. */
static size_t two_digits_end(rdv_str s, size_t i, char sign, unsigned limit, unsigned *value)
{
    if (rdv_char_at(s, i) != sign || !rdv_is_digit(rdv_char_at(s, i + 1)) ||
        !rdv_is_digit(rdv_char_at(s, i + 2)) || rdv_is_digit(rdv_char_at(s, i + 3)))
        return i;
    *value = (unsigned)(s.p[i + 1] - '0') * 10 + (unsigned)(s.p[i + 2] - '0');
    return *value < limit ? i + 3 : i;
}

/* Apply the half of the day that follows byte `end`; the byte after it. */
static size_t with_half(rdv_str s, size_t end, clock_time *t, bool *named)
{
    bool pm;
    size_t half = t->hour >= 1 && t->hour <= 12 ? half_end(s, end, &pm) : 0;
    *named = half > 0;
    if (half == 0)
        return end;
    t->hour = t->hour % 12 + (pm ? 12 : 0);
    t->definite = true;
    return half;
}

static size_t clock_word_end(rdv_str s, size_t i)
{
    size_t begin = skip_blanks(s, i), end = word_end(s, begin, "o'clock");
    return end ? end
               : word_end(s, begin,
                          "o\xe2\x80\x99"
                          "clock");
}

/* "6:30", "06:30:15", "6.30 pm", "6 pm", "6 o'clock", "1830 hours". */
static size_t digital_end(rdv_str s, size_t i, clock_time *t)
{
    size_t end = i;
    unsigned value = 0;
    *t = (clock_time){0};
    while (rdv_is_digit(rdv_char_at(s, end)) && end - i < 5)
        value = value * 10 + (unsigned)(rdv_char_at(s, end++) - '0');
    size_t hours_word = end - i == 4 ? word_end(s, skip_blanks(s, end), "hours") : 0;
    if (hours_word && value / 100 < 24 && value % 100 < 60) {
        *t = (clock_time){value / 100, value % 100, 0, true};
        return hours_word;
    }
    if (end - i > 2 || value > 23)
        return i;
    t->hour = value;
    t->definite = value == 0 || value > 12 || s.p[i] == '0';
    bool braces = rdv_starts(rdv_slice(s, end, s.len), RDV_STR("{:}")); /* "10{:}15" */
    size_t minute = braces ? two_digits_end(s, end + 2, '}', 60, &t->minute)
                           : two_digits_end(s, end, ':', 60, &t->minute);
    minute = braces && minute == end + 2 ? end : minute;
    minute = minute == end ? two_digits_end(s, end, 'h', 60, &t->minute) : minute; /* "11h15" */
    size_t point = minute == end ? two_digits_end(s, end, '.', 60, &t->minute) : minute;
    bool named;
    if (minute > end) {
        minute = two_digits_end(s, minute, ':', 60, &t->second);
        return rdv_char_at(s, minute) == ':' ? i : with_half(s, minute, t, &named);
    }
    size_t half = with_half(s, point, t, &named);
    if (named)
        return half;
    size_t clock = clock_word_end(s, end);
    t->minute = 0;
    return clock ? with_half(s, clock, t, &named) : i;
}

/* The byte after "midnight", "noon" or "midday" at byte `i`, with *hour, or 0. */
static size_t middle_end(rdv_str s, size_t i, unsigned *hour)
{
    size_t night = word_end(s, i, "midnight"), noon = word_end(s, i, "noon");
    *hour = night ? 0 : 12;
    return night ? night : noon ? noon : word_end(s, i, "midday");
}

/* "noon", "half past six", "ten to 6", "six o'clock", "six thirty pm". */
static size_t spoken_end(rdv_str s, size_t i, clock_time *t)
{
    bool named;
    *t = (clock_time){.definite = true};
    size_t end = middle_end(s, i, &t->hour);
    if (end)
        return end;
    t->definite = false;
    end = minute_word_end(s, i, true, &t->minute);
    size_t past = 0, to = 0;
    bool digits = rdv_is_digit(rdv_char_at(s, i)); /* "5 to 6" is a range */
    if (end) {
        size_t begin = skip_blanks(s, end), unit = word_end(s, begin, "minutes");
        begin = unit ? skip_blanks(s, unit) : begin;
        past = word_end(s, begin, "past");
        to = past ? 0 : word_end(s, begin, "to");
    }
    if (past || to) {
        size_t begin = skip_blanks(s, past ? past : to);
        size_t digit = begin, middle = middle_end(s, begin, &t->hour);
        unsigned hour = 0;
        t->definite = middle > 0;
        if (middle && to)
            *t = (clock_time){
                .hour = (t->hour + 23) % 24, .minute = 60 - t->minute, .definite = true};
        if (middle)
            return middle;
        if (digits && !past)
            return i;
        while (rdv_is_digit(rdv_char_at(s, digit)) && digit - begin < 3)
            hour = hour * 10 + (unsigned)(rdv_char_at(s, digit++) - '0');
        end = digit > begin ? digit : hour_word_end(s, begin, &hour);
        if (end == 0 || hour < 1 || hour > 12 || (to && t->minute == 30))
            return i;
        t->hour = to ? (hour + 10) % 12 + 1 : hour;
        t->minute = to ? 60 - t->minute : t->minute;
        return with_half(s, end, t, &named);
    }
    t->minute = 0;
    end = hour_word_end(s, i, &t->hour);
    if (end == 0)
        return i;
    size_t minute = minute_word_end(s, skip_blanks(s, end), false, &t->minute);
    size_t clock = minute ? minute : clock_word_end(s, end);
    size_t half = with_half(s, clock ? clock : end, t, &named);
    return clock_word_end(s, end) || named ? half : i;
}

/* The name of a time zone after byte `end`, with blanks; the byte after it, with *zone. */
static size_t zone_end(rdv_str s, size_t end, const char **zone)
{
    static const char *const zones[] = {"UTC", "GMT", "EST", "EDT", "CST", "CDT", "MST",
                                        "MDT", "PST", "PDT", "CET", "BST", "IST", "CEST",
                                        "JST", "ET",  "CT",  "MT",  "PT"};
    size_t begin = skip_blanks(s, end);
    rdv_str rest = rdv_slice(s, begin, s.len);
    for (size_t k = 0; k < COUNT(zones); k++) {
        size_t len = strlen(zones[k]);
        if (!rdv_starts(rest, rdv_str_of(zones[k])) || rdv_is_alnum(rdv_char_at(rest, len)))
            continue;
        *zone = zones[k < 2 ? 0 : k]; /* both are the same */
        return begin + len;
    }
    return end;
}

static void write_key(clock_time t, char key[16])
{
    char second[4] = "";
    if (t.second)
        snprintf(second, sizeof second, ":%02u", t.second % 60);
    snprintf(key, 16, t.definite ? "%02u:%02u%s%s%s" : "%u:%02u%s%s%s?", t.hour % 24, t.minute % 60,
             second, t.zone ? " " : "", t.zone ? t.zone : "");
}

bool answer_next_time(rdv_str s, size_t *from, rdv_str *out, char key[16])
{
    for (size_t i = *from; i < s.len; i++) {
        if (!rdv_is_alnum(s.p[i]) ||
            (i > 0 && (rdv_is_alnum(s.p[i - 1]) || s.p[i - 1] == ':' || s.p[i - 1] == '.')))
            continue;
        clock_time t;
        size_t end = rdv_is_digit(s.p[i]) ? digital_end(s, i, &t) : i;
        end = end == i ? spoken_end(s, i, &t) : end;
        if (end == i)
            continue;
        end = zone_end(s, end, &t.zone);
        *out = rdv_slice(s, i, end);
        *from = end;
        write_key(t, key);
        return true;
    }
    *from = s.len;
    return false;
}

bool answer_last_time(rdv_str s, rdv_str *out)
{
    bool found = false;
    char key[16];
    for (size_t from = 0; answer_next_time(s, &from, out, key);)
        found = true;
    return found;
}

int answer_time_key(rdv_str answer, rdv_arena *arena, rdv_str *key, rdv_error *err)
{
    char time[16], other[16];
    rdv_str out;
    size_t from = 0;
    if (!answer_next_time(answer, &from, &out, time) ||
        answer_is_denied(answer, (size_t)(out.p - answer.p)) ||
        answer_is_shifted(answer, (size_t)(out.p - answer.p)) ||
        answer_bound_end(answer, from) > from)
        return RDV_NONE;
    while (answer_next_time(answer, &from, &out, other)) {
        bool same = strcmp(time, other) == 0;
        if (!same && !answer_times_may_agree(rdv_str_of(time), rdv_str_of(other)))
            return RDV_NONE;
        if (!same && !rdv_ends(rdv_str_of(other), RDV_STR("?"))) /* "half past six, 18:30" */
            memcpy(time, other, sizeof time);
    }
    *key = rdv_str_copy(arena, rdv_str_of(time));
    return key->p ? RDV_OK : rdv_no_memory(err);
}

/* The zone of a key, " EST"; empty: none. */
static rdv_str zone_of(rdv_str key)
{
    size_t blank = rdv_find_char(key, ' ', 0);
    size_t end = key.len - rdv_ends(key, RDV_STR("?"));
    return blank == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(key, blank, end);
}

/* Of two keys without their zones: is one the other, in a half of the day that it does not say? */
static bool halves_may_agree(rdv_str a, rdv_str b)
{
    bool open_a = rdv_ends(a, RDV_STR("?")), open_b = rdv_ends(b, RDV_STR("?"));
    if (open_a == open_b)
        return false;
    rdv_str open = open_a ? a : b, definite = open_a ? b : a;
    size_t colon = rdv_find_char(open, ':', 0);
    unsigned hour = 0, other = 0;
    for (size_t i = 0; i < colon; i++)
        hour = hour * 10 + (unsigned)(open.p[i] - '0');
    for (size_t i = 0; i < 2; i++)
        other = other * 10 + (unsigned)(definite.p[i] - '0');
    return hour % 12 == other % 12 &&
           rdv_str_eq(rdv_slice(open, colon, open.len - 1), rdv_slice(definite, 2, definite.len));
}

bool answer_times_may_agree(rdv_str a, rdv_str b)
{
    rdv_str zones[2] = {zone_of(a), zone_of(b)}, keys[2] = {a, b};
    char plain[2][16];
    if (zones[0].len && zones[1].len && !rdv_str_eq(zones[0], zones[1]))
        return false;
    for (size_t i = 0; i < 2; i++) {
        bool open = rdv_ends(keys[i], RDV_STR("?"));
        int len = (int)(keys[i].len - zones[i].len - open);
        snprintf(plain[i], sizeof plain[i], "%.*s%s", len, keys[i].p, open ? "?" : "");
    }
    bool zone = zones[0].len != zones[1].len; /* one does not say it */
    return (zone && strcmp(plain[0], plain[1]) == 0) ||
           halves_may_agree(rdv_str_of(plain[0]), rdv_str_of(plain[1]));
}
