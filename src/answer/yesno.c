/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/yesno.h"

#include "answer/span.h"
#include "base/str.h"
#include "language/phrase.h"

static const struct {
    const char *word;
    bool yes;
} words[] = {{"yes", true},          {"true", true},  {"plausible", true}, {"yep", true},
             {"yeah", true},         {"yup", true},   {"no", false},       {"false", false},
             {"implausible", false}, {"nope", false}, {"nah", false}},
  /* Words that are an answer only where nothing else stands beside them. */
    alone[] = {{"correct", true},        {"right", true},           {"affirmative", true},
               {"incorrect", false},     {"wrong", false},          {"not correct", false},
               {"negative", false},      {"absolutely not", false}, {"definitely not", false},
               {"certainly not", false}, {"of course not", false},  {"not at all", false}},
  /* The same, and where a comma or a stop follows them at the beginning of a text. */
    leading[] = {{"s\u00ed", true},
                 {"S\u00cd", true},
                 {"oui", true},
                 {"ja", true},
                 {"jawohl", true},
                 {"sim", true},
                 {"tak", true},
                 {"evet", true},
                 {"\u0434\u0430", true}, /* Russian: da */
                 {"\u0414\u0430", true},
                 {"\u662f", true}, /* Chinese: shi, shide, dui, duide, zhengque */
                 {"\u662f\u7684", true},
                 {"\u5bf9", true},
                 {"\u5bf9\u7684", true},
                 {"\u6b63\u786e", true},
                 {"\u306f\u3044", true}, /* Japanese: hai */
                 {"\ub124", true},       /* Korean: ne, ye */
                 {"\uc608", true},
                 {"non", false},
                 {"nein", false},
                 {"nee", false},
                 {"nie", false},
                 {"n\u00e3o", false},
                 {"N\u00e3o", false},
                 {"hay\u0131r", false},
                 {"Hay\u0131r", false},
                 {"\u043d\u0435\u0442", false}, /* Russian: nyet */
                 {"\u041d\u0435\u0442", false},
                 {"\u5426", false}, /* Chinese: fou, bu, bushi, budui, cuo, cuowu */
                 {"\u4e0d", false},
                 {"\u4e0d\u662f", false},
                 {"\u4e0d\u5bf9", false},
                 {"\u9519", false},
                 {"\u9519\u8bef", false},
                 {"\u3044\u3044\u3048", false},  /* Japanese: iie */
                 {"\uc544\ub2c8\uc694", false}}; /* Korean: aniyo */
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The next word of letters at or after byte *at. */
static bool next_word(rdv_str s, size_t *at, rdv_str *word)
{
    size_t begin = *at;
    while (begin < s.len && !rdv_is_alpha(s.p[begin]))
        begin++;
    size_t end = begin;
    while (end < s.len && rdv_is_alpha(s.p[end]))
        end++;
    *at = end;
    *word = rdv_slice(s, begin, end);
    return begin < end;
}

/* What says, at the beginning of `s`, that it cannot be known; its length, or 0. */
static size_t maybe_len(rdv_str s)
{
    static const char *const phrases[] = {"maybe",         "unknown",
                                          "uncertain",     "undetermined",
                                          "undecidable",   "indeterminate",
                                          "cannot be",     "can not be",
                                          "can't be",      "cannot tell",
                                          "can't tell",    "cannot say",
                                          "cannot answer", "not enough information",
                                          "impossible to"};
    static const char *const verbs[] = {" determined", " known", " decided", " said", " answered",
                                        " inferred",   " tell",  " say",     " know", " determine"};
    for (size_t k = 0; k < sizeof phrases / sizeof *phrases; k++) {
        rdv_str phrase = rdv_str_of(phrases[k]);
        if (!rdv_istarts(s, phrase))
            continue;
        rdv_str rest = rdv_slice(s, phrase.len, s.len);
        if (!rdv_ends(phrase, RDV_STR(" be")) && !rdv_ends(phrase, RDV_STR(" to")))
            return rest.len && rdv_is_alpha(rest.p[0]) ? 0 : phrase.len;
        for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++)
            if (rdv_istarts(rest, rdv_str_of(verbs[v])))
                return phrase.len + strlen(verbs[v]);
    }
    return 0;
}

/* How many bytes after a word of answer name its opposite as the other choice: "yes or no", "yes
 * and no", "true/false"; 0: none. */
static size_t choice_len(rdv_str s, size_t word)
{
    static const char *const joins[] = {" or ", "/", " / ", " and "};
    for (size_t j = 0; j < sizeof joins / sizeof *joins; j++) {
        rdv_str join = rdv_str_of(joins[j]);
        if (!rdv_istarts(s, join))
            continue;
        rdv_str other = rdv_slice(s, join.len, s.len);
        for (size_t k = 0; k < COUNT(words); k++) {
            size_t len = strlen(words[k].word);
            bool whole = other.len == len || (other.len > len && !rdv_is_alpha(other.p[len]));
            if (words[k].yes != words[word].yes && whole &&
                rdv_istarts(other, rdv_str_of(words[k].word)))
                return join.len + len;
        }
    }
    return 0;
}

/* "no doubt", "no answer": does the "no" that ends at byte `end` stand beside such a noun? */
static bool is_determiner(rdv_str s, size_t end)
{
    static phrase_list nouns = {"@behind-no"};
    rdv_str rest = rdv_slice(s, end, s.len), word;
    size_t at = 0;
    return rest.len > 1 && rest.p[0] == ' ' && rdv_is_alpha(rest.p[1]) &&
           next_word(rest, &at, &word) && phrase_is(word, &nouns);
}

/* The length of the stop or comma at the beginning of `s`; 0: there is none. */
static size_t stop_len(rdv_str s)
{
    static const char *const stops[] = {",",  ".",      "!",      ";",     ":",
                                        "\n", "\u3002", "\uff0c", "\uff01"};
    size_t k = 0;
    while (k < COUNT(stops) && !rdv_starts(s, rdv_str_of(stops[k])))
        k++;
    return k < COUNT(stops) ? strlen(stops[k]) : 0;
}

bool answer_leading_yesno(rdv_str s, rdv_str *out, answer_truth *is)
{
    s = answer_trim_marks(s);
    char first = rdv_lower(rdv_char_at(s, 0));
    for (size_t k = 0; k < COUNT(leading); k++) {
        if (rdv_lower(*leading[k].word) != first)
            continue;
        rdv_str word = rdv_str_of(leading[k].word), rest = rdv_slice(s, word.len, s.len);
        if (!rdv_istarts(s, word) || (rest.len && !stop_len(rest)))
            continue;
        *out = rdv_slice(s, 0, word.len);
        *is = leading[k].yes ? ANSWER_YES : ANSWER_NO;
        return true;
    }
    return false;
}

bool answer_alone_yesno(rdv_str s, answer_truth *is)
{
    rdv_str word;
    s = answer_trim_marks(s);
    if (answer_leading_yesno(s, &word, is) &&
        stop_len(rdv_slice(s, word.len, s.len)) == s.len - word.len)
        return true;
    if (rdv_ends(s, RDV_STR("!")))
        s.len--;
    for (size_t k = 0; k < COUNT(alone); k++)
        if (rdv_str_ieq(s, rdv_str_of(alone[k].word))) {
            *is = alone[k].yes ? ANSWER_YES : ANSWER_NO;
            return true;
        }
    return false;
}

bool answer_next_yesno(rdv_str text, size_t *at, rdv_str *out, answer_truth *is)
{
    rdv_str word, before = {0};
    while (next_word(text, at, &word)) {
        size_t begin = (size_t)(word.p - text.p),
               maybe = maybe_len(rdv_slice(text, begin, text.len));
        if (maybe) {
            *is = ANSWER_MAYBE;
            *at = begin + maybe;
            *out = rdv_slice(text, begin, *at);
            return true;
        }
        for (size_t k = 0; k < COUNT(words); k++) {
            if (!rdv_str_ieq(word, rdv_str_of(words[k].word)) ||
                (word.len == 2 && is_determiner(text, *at)))
                continue;
            size_t choice = choice_len(rdv_slice(text, *at, text.len), k);
            *at += choice;
            if (choice)
                break;
            bool negated = words[k].word[0] != 'n' && rdv_str_ieq(before, RDV_STR("not"));
            *is = words[k].yes != negated ? ANSWER_YES : ANSWER_NO;
            *out = negated ? (rdv_str){before.p, (size_t)(word.p + word.len - before.p)} : word;
            return true;
        }
        before = word;
    }
    return false;
}

bool answer_names_yesno(rdv_str s)
{
    rdv_str word;
    answer_truth is;
    bool named = answer_alone_yesno(s, &is) || answer_leading_yesno(s, &word, &is);
    for (size_t at = 0; !named && next_word(s, &at, &word);) {
        for (size_t k = 0; k < COUNT(words) && !named; k++)
            named = rdv_str_ieq(word, rdv_str_of(words[k].word));
        named = named || maybe_len(rdv_slice(s, (size_t)(word.p - s.p), s.len));
    }
    return named;
}

bool answer_find_yesno(rdv_str text, bool maybe, rdv_str *out)
{
    size_t at = 0;
    bool found = false;
    answer_truth is;
    rdv_str word;
    if (answer_leading_yesno(text, out, &is))
        return true;
    while (answer_next_yesno(text, &at, &word, &is)) {
        if (is == ANSWER_MAYBE && !maybe)
            continue;
        *out = word;
        if (!found && answer_trim_marks(rdv_slice(text, 0, (size_t)(word.p - text.p))).len == 0)
            return true;
        found = true;
    }
    return found;
}
