/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/hedge.h"

#include "answer/announcement.h"
#include "answer/number.h"
#include "base/str.h"
#include "language/assertion.h"
#include "language/number_words.h"
#include "language/phrase.h"

#define BEFORE_MAX 200 /* bytes before an answer that are looked at */
#define AFTER_MAX 100
#define VERB_WORDS_MOST 5
#define REPLACING_MOST 8 /* numbers behind a withdrawal that are looked at */

static phrase_list near_words = {"@about;@nearly"};
static phrase_list doubts = {"@doubting"}, afterthoughts = {"@afterthought"};
/* They are about what follows directly; with "that", about a clause. */
static phrase_list modals = {"might;might be;may be;could be"};
/* Between a hedge and its answer. */
static phrase_list fillers = {"@beside-a-hedge"};
static phrase_list near_afterthoughts = {"or so;or thereabouts;give or take;more or less"};
static phrase_list clauses = {"@subordinating;@relative;so;for;then"};

bool hedge_applies(rdv_kind kind)
{
    return kind != RDV_KIND_TEXT && kind != RDV_KIND_PHRASE && kind != RDV_KIND_YESNO_MAYBE;
}

/* The length of the hedge at the beginning of `s`, which is not empty, or 0. */
static size_t hedge_len(rdv_str s, hedge *is)
{
    size_t doubt = phrase_at(s, 0, &doubts), modal = phrase_at(s, 0, &modals);
    doubt = modal > doubt ? modal : doubt;
    size_t near = s.p[0] == '~' ? 1 : phrase_at(s, 0, &near_words);
    *is = doubt ? HEDGE_DOUBT : near ? HEDGE_NEAR : HEDGE_NONE;
    return doubt ? doubt : near;
}

/* ---- an answer with its hedge ---------------------------------------------------------------- */

static hedge stronger(hedge a, hedge b)
{
    return a > b ? a : b;
}

/* The hedge that `s` opens with, over words that say nothing; *end: its end, where there is one. */
static hedge opening(rdv_str s, size_t *end)
{
    static phrase_list asserts = {"i think;i believe;i'd say;i would say;i\u2019d say"};
    hedge is = HEDGE_NONE, one;
    for (size_t i = 0; i < s.len;) {
        rdv_str rest = rdv_slice(s, i, s.len);
        size_t len = hedge_len(rest, &one);
        if (len) {
            is = stronger(is, one);
            *end = i + len;
        } else if (is != HEDGE_NONE && (len = phrase_at(s, i, &asserts))) {
            is = HEDGE_NONE; /* "not sure, but I think 5" */
            *end = i + len;
        } else if (!(len = phrase_at(s, i, &fillers))) {
            bool mark = RDV_IS_IN(s.p[i], " \t,;:*_");
            bool stop = s.p[i] == '.' && (i + 1 == s.len || !rdv_is_digit(s.p[i + 1]));
            if (!mark && !stop)
                break;
            len = 1;
        }
        i += len;
        if (is != HEDGE_NONE && one == HEDGE_NONE)
            *end = i;
    }
    return is;
}

/* What ends `s`, "?" or an afterthought, and where it begins into *end. */
static hedge ending(rdv_str s, size_t *end)
{
    size_t i = s.len;
    while (i > 0 && RDV_IS_IN(s.p[i - 1], " .,!)}$*_\\"))
        i--;
    *end = i;
    if (i > 0 && s.p[i - 1] == '?') {
        *end = i - 1;
        return HEDGE_DOUBT;
    }
    if (i == 0 || !rdv_is_alpha(s.p[i - 1]))
        return HEDGE_NONE;
    if (i > 3 && rdv_str_ieq(rdv_slice(s, i - 3, i), RDV_STR("ish")) &&
        (rdv_is_digit(s.p[i - 4]) || s.p[i - 4] == '-')) {
        *end = i - 3 - (s.p[i - 4] == '-');
        return HEDGE_NEAR;
    }
    size_t first = i > AFTER_MAX ? i - AFTER_MAX : 0;
    size_t from, to;
    bool withdrawn =
        assertion_last_withdrawal(rdv_slice(s, first, i), &from, &to) && first + to == i;
    for (size_t k = first + 1; k < i; k++) {
        if (rdv_is_alnum(s.p[k - 1]) || !rdv_is_alpha(s.p[k]))
            continue;
        rdv_str rest = rdv_slice(s, k, i);
        bool doubt = phrase_is(rest, &afterthoughts) || (withdrawn && k == first + from);
        hedge is = doubt                                  ? HEDGE_DOUBT
                   : phrase_is(rest, &near_afterthoughts) ? HEDGE_NEAR
                                                          : HEDGE_NONE;
        if (is == HEDGE_NONE)
            continue;
        while (k > 0 && RDV_IS_IN(s.p[k - 1], " ,.(-"))
            k--;
        *end = k;
        return is;
    }
    return HEDGE_NONE;
}

/* A decimal is rounded in any case: "about 5.39" says no less than "5.39". */
static bool is_decimal(rdv_str s)
{
    bool point = false;
    for (size_t i = 1; i + 1 < s.len; i++)
        point = point || (s.p[i] == '.' && rdv_is_digit(s.p[i - 1]) && rdv_is_digit(s.p[i + 1]));
    return point && scale_word_in(s, 0) == 0;
}

/* Does a sentence announce a number that its author does not stand by: "suppose the answer is 5"?
 */
static bool is_disowned(rdv_str s)
{
    announcement a;
    rdv_str number;
    size_t before = s.len, at = 0;
    if (!rdv_has_digit(s) || !announcement_before(s, &before, &a) || a.none ||
        !answer_next_number(a.span, &at, &number))
        return false;
    size_t begin = (size_t)(a.span.p - s.p), end = (size_t)(number.p - s.p) + number.len;
    return assertion_not_of_answer(s, begin, end, true);
}

hedge hedge_of(rdv_str answer, rdv_str *bare)
{
    rdv_str s = rdv_trim(answer);
    size_t begin = 0, end;
    bool word = s.len && (rdv_is_alpha(s.p[0]) || s.p[0] == '~');
    hedge is = word ? opening(s, &begin) : HEDGE_NONE, last;
    s = rdv_trim(rdv_slice(s, begin, s.len));
    while ((last = ending(s, &end)) != HEDGE_NONE && end > 0) {
        is = stronger(is, last);
        s = rdv_trim(rdv_slice(s, 0, end));
    }
    *bare = s.len == 0 || (is == HEDGE_NONE && begin == 0) ? answer : s;
    if (is == HEDGE_NONE && is_disowned(s))
        return HEDGE_DOUBT;
    return s.len == 0 || (is == HEDGE_NEAR && is_decimal(s)) ? HEDGE_NONE : is;
}

/* ---- a text with an answer in it ------------------------------------------------------------- */

/* The word that ends before byte `i` begins there. */
static size_t word_begin(rdv_str s, size_t i)
{
    while (i > 0 && (rdv_is_alpha(s.p[i - 1]) || s.p[i - 1] == '\'' || (s.p[i - 1] & 0x80)))
        i--;
    return i;
}

static bool is_verb(rdv_str word)
{
    static phrase_list verbs = {"is;was;equals;it's"};
    return phrase_is(word, &verbs);
}

/* Does a hedge of this word count, after the words between it and the answer? */
static bool governs(rdv_str at, hedge is, bool filled, bool verb)
{
    bool modal = phrase_at(at, 0, &modals) && !phrase_at(at, 0, &doubts);
    return is == HEDGE_NEAR ? !filled : !modal || !verb;
}

/* Is the end of `s` the point of "approx." or "ca."? */
static bool ends_abbreviated(rdv_str s)
{
    static const char *const words[] = {"approx", "ca"};
    rdv_str bare = rdv_slice(s, 0, s.len - rdv_ends(s, RDV_STR(".")));
    return bare.len < s.len &&
           rdv_is_one_of(rdv_slice(bare, word_begin(bare, bare.len), bare.len), words, 2);
}

/* Where a word such as "nearly" begins before the verb of what stands at byte `begin`: over a few
 * words and no mark; `begin`: there is none. */
static size_t nearly_before(rdv_str s, size_t begin)
{
    for (size_t i = begin, words = 0; words < VERB_WORDS_MOST; words++) {
        while (i > 0 && RDV_IS_IN(s.p[i - 1], " $\\"))
            i--;
        size_t stop = i;
        i = word_begin(s, i);
        if (i == stop)
            break;
        if (answer_class_has(CLASS_NEARLY, rdv_slice(s, i, stop)))
            return i;
    }
    return begin;
}

/* Where the first hedge before byte `begin` begins that governs what stands there; else `begin`. */
static size_t hedge_before(rdv_str s, size_t begin)
{
    size_t first = begin > BEFORE_MAX ? begin - BEFORE_MAX : 0, i = begin;
    size_t found = nearly_before(s, begin);
    bool filled = false, verb = false; /* words but "equal to" were passed; one was "is" */
    while (i > first) {
        size_t stop = i;
        while (stop > first && RDV_IS_IN(s.p[stop - 1], " \t,$\\({[*_\"'`"))
            stop--;
        stop -= ends_abbreviated(rdv_slice(s, first, stop));
        if (stop > first && s.p[stop - 1] == '~') {
            i = stop - 1;
            found = i < found ? i : found;
            continue;
        }
        i = word_begin(s, stop);
        rdv_str word = rdv_slice(s, i, stop), at = rdv_slice(s, i, begin);
        hedge is;
        if (i < first || i == stop)
            break;
        if (hedge_len(at, &is) && governs(at, is, filled, verb))
            found = i < found ? i : found;
        else if (!phrase_is(word, &fillers) && !answer_class_has(CLASS_PASSED, word) &&
                 !rdv_str_ieq(word, RDV_STR("don't")) && !hedge_len(word, &is))
            break;
        bool wrapper = i > 0 && s.p[i - 1] == '\\';
        bool near = is == HEDGE_NEAR || rdv_str_ieq(word, RDV_STR("equal")) ||
                    rdv_str_ieq(word, RDV_STR("to"));
        filled = filled || (!wrapper && !near);
        verb = verb || is_verb(word);
    }
    return found;
}

/* The end of the words that take back the answer before byte `end`, where they end the text and no
 * other number is between; else 0. */
static size_t withdrawal_at_end(rdv_str s, size_t end)
{
    size_t begin, after;
    rdv_str behind = rdv_slice(s, end, s.len);
    if (behind.len > 2 * AFTER_MAX || !assertion_last_withdrawal(behind, &begin, &after) ||
        rdv_has_digit(rdv_slice(behind, 0, begin)))
        return 0;
    return rdv_skip_any(behind, after, " \n.,;:!-") == behind.len ? end + after : 0;
}

/* The end of the hedge that follows byte `end` in its sentence, before other numbers, or of the
 * withdrawal that ends the text; else `end`. */
static size_t hedge_after(rdv_str s, size_t end)
{
    size_t withdrawn = withdrawal_at_end(s, end);
    if (withdrawn)
        return withdrawn;
    size_t last = end + AFTER_MAX < s.len ? end + AFTER_MAX : s.len;
    for (size_t i = end; i < last; i++) {
        char c = s.p[i];
        bool stop = c == '.' && (i + 1 == s.len || rdv_is_space(s.p[i + 1]));
        if (c == '?')
            return i + 1;
        if (stop || rdv_is_digit(c) || !c || RDV_IS_IN(c, "!\n;<="))
            return end;
        bool begins = rdv_is_alpha(c) && !rdv_is_alnum(s.p[i - 1]);
        bool ish = i == end && rdv_istarts(rdv_slice(s, i, s.len), RDV_STR("ish"));
        if (ish || (i == end && rdv_istarts(rdv_slice(s, i, s.len), RDV_STR("-ish"))))
            return i + (ish ? 3 : 4);
        if (!begins)
            continue;
        size_t len = phrase_at(s, i, &afterthoughts);
        len = len ? len : phrase_at(s, i, &near_afterthoughts);
        if (len)
            return i + len;
        if (phrase_at(s, i, &clauses))
            return end;
    }
    return end;
}

rdv_str hedge_with(rdv_str text, rdv_str answer)
{
    size_t begin = (size_t)(answer.p - text.p), end = begin + answer.len;
    size_t from = hedge_before(text, begin), to = hedge_after(text, end);
    while (from < begin && to == end && end < text.len && text.p[end] &&
           strchr("}$)*_\\", text.p[end]))
        to = ++end;
    return rdv_slice(text, from, to);
}

/* ---- one of several -------------------------------------------------------------------------- */

/* The beginning of the list of numbers that ends at byte `end`: "1, 2 and 3", and how many they
 * are; *either: an "or" joins two. */
static size_t list_begin(rdv_str s, size_t end, size_t *numbers, bool *either)
{
    size_t begin = end, i = end;
    *numbers = 0;
    *either = false;
    while (i > 0) {
        size_t digits = i;
        while (i > 0 && (rdv_is_digit(s.p[i - 1]) || s.p[i - 1] == '.' || s.p[i - 1] == '/'))
            i--;
        if (i == digits || (i > 0 && rdv_is_alnum(s.p[i - 1])))
            break;
        begin = i;
        ++*numbers;
        size_t gap = i;
        while (gap > 0 && RDV_IS_IN(s.p[gap - 1], " ,$"))
            gap--;
        bool joined = rdv_ends(rdv_slice(s, 0, gap), RDV_STR(" or")) ||
                      rdv_ends(rdv_slice(s, 0, gap), RDV_STR(",or"));
        bool both = rdv_ends(rdv_slice(s, 0, gap), RDV_STR(" and"));
        gap -= joined ? 2 : both ? 3 : 0;
        while (gap > 0 && RDV_IS_IN(s.p[gap - 1], " ,$"))
            gap--;
        bool comma = rdv_find_char(rdv_slice(s, gap, i), ',', 0) != RDV_NOT_FOUND;
        joined = joined && !comma; /* "half of 40, or 20" says it again */
        bool blank = rdv_find_char(rdv_slice(s, gap, i), ' ', 0) != RDV_NOT_FOUND;
        if (!(joined || both || (comma && blank)))
            break;
        *either = *either || (joined && gap > 0 && rdv_is_digit(s.p[gap - 1]));
        i = gap;
    }
    return begin;
}

rdv_str hedge_with_list(rdv_str text, rdv_str number, bool announced)
{
    static phrase_list choices = {"one of;either;any of;among"};
    size_t end = (size_t)(number.p - text.p) + number.len, numbers;
    bool either;
    size_t begin = list_begin(text, end, &numbers, &either), i = begin;
    if (numbers < 2)
        return number;
    for (unsigned words = 0; words < 6; words++) {
        while (i > 0 && RDV_IS_IN(text.p[i - 1], " :$({\\"))
            i--;
        size_t from = word_begin(text, i);
        if (from == i)
            break;
        i = from;
        if (phrase_at(rdv_slice(text, 0, begin), i, &choices))
            return rdv_slice(text, i, end);
    }
    return either || (announced && numbers > 2) ? rdv_slice(text, begin, end) : number;
}

/* ---- taken back ------------------------------------------------------------------------------ */

/* Does what stands from byte `i` on say a value in the place of the one that is taken back? A
 * number of other things, "I forgot the 3 extra ones", is none. */
static bool replaces(rdv_str s, size_t i, rdv_kind kind)
{
    rdv_str number;
    size_t at = i;
    if ((kind != RDV_KIND_NUMBER && kind != RDV_KIND_LATEX) || !answer_next_number(s, &at, &number))
        return true;
    for (unsigned n = 0; n < REPLACING_MOST; n++) {
        size_t begin = (size_t)(number.p - s.p);
        if (announcement_concludes(s, begin, begin + number.len))
            return true;
        if (!answer_next_number(s, &at, &number))
            break;
    }
    return false;
}

rdv_str hedge_after_withdrawal(rdv_str s, rdv_kind kind)
{
    size_t begin, end;
    if (!assertion_last_withdrawal(s, &begin, &end))
        return s;
    size_t after = rdv_skip_any(s, end, " \n,.;:!-");
    if (after < s.len)
        return replaces(s, after, kind) ? rdv_slice(s, after, s.len) : s;
    bool no = kind == RDV_KIND_YESNO && rdv_str_ieq(rdv_slice(s, end - 2, end), RDV_STR("no"));
    return no ? rdv_slice(s, end - 2, s.len) : s;
}
