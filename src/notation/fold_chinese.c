/* SPDX-License-Identifier: Apache-2.0 */
#include "notation/fold_chinese.h"

#include "base/str.h"

#include <stdio.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_NUMBER 12 /* bytes of a number */
#define CHARACTER 3   /* bytes of a Chinese character */
#define MAX_NOUN 5    /* characters */

static bool starts(rdv_str s, size_t i, const char *what)
{
    return rdv_starts(rdv_slice(s, i, s.len), rdv_str_of(what));
}

/* The length of one of the words at byte `i`, and which; 0: there is none. */
static size_t one_of(rdv_str s, size_t i, const char *const *words, size_t n, size_t *which)
{
    for (size_t k = 0; k < n; k++)
        if (starts(s, i, words[k])) {
            *which = k;
            return strlen(words[k]);
        }
    return 0;
}

/* The end of the number at byte `i`; `i`: there is none. */
static size_t number_end(rdv_str s, size_t i)
{
    size_t end = rdv_skip_digits(s, i);
    if (end > i && rdv_char_at(s, end) == '.')
        end = rdv_is_digit(rdv_char_at(s, end + 1)) ? rdv_skip_digits(s, end + 1) : end;
    return end - i <= MAX_NUMBER ? end : i;
}

/* Does a sentence or a clause begin at byte `i`? `list`: a comma may stand in a list of numbers. */
static bool clause_begins(rdv_str s, size_t i, bool list)
{
    static const char *const before[] = {"。",   "：",   "所以", "因此", "因为",
                                         "那么", "于是", "则",   "，"};
    rdv_str left = rdv_slice(s, 0, i);
    if (i == 0 || s.p[i - 1] == '\n' || s.p[i - 1] == ':')
        return true;
    for (size_t k = 0; k < COUNT(before) - list; k++)
        if (rdv_ends(left, rdv_str_of(before[k])))
            return true;
    return false;
}

/* Does the clause end at byte `i`, behind its number, and not as a question? */
static bool clause_ends(rdv_str s, size_t i)
{
    static const char *const after[] = {"。", "，", "；", "！", "\n", ".", ";"};
    size_t which;
    return i == s.len || one_of(s, i, after, COUNT(after), &which) > 0;
}

/* "四分之三": the length, and both numbers. */
static size_t fraction_at(rdv_str s, size_t i, size_t *over, size_t *under)
{
    static const char *const digits[] = {"一", "二", "三", "四", "五",
                                         "六", "七", "八", "九", "十"};
    size_t part = i + CHARACTER, top = part + 2 * CHARACTER;
    if (!one_of(s, i, digits, COUNT(digits), under) || !starts(s, part, "分之") ||
        !one_of(s, top, digits, COUNT(digits), over))
        return 0;
    ++*over;
    ++*under;
    return *under > 1 ? top + CHARACTER - i : 0;
}

/* "的一半", "的四分之三", "的平方", "的3倍", "的25%" at byte `i`: the byte behind it. */
static size_t part_of(rdv_str s, size_t i, char out[32])
{
    static const char *const names[] = {"一半", "平方", "立方根", "立方"}, *const signs[] = {
                                                                               " * 1/2", "^2",
                                                                               "^(1/3)", "^3"};
    if (!starts(s, i, "的"))
        return 0;
    size_t at = i + CHARACTER, which, over, under, len = one_of(s, at, names, COUNT(names), &which);
    if (len) {
        snprintf(out, 32, "%s", signs[which]);
        return at + len;
    }
    len = fraction_at(s, at, &over, &under);
    if (len) {
        snprintf(out, 32, " * %zu/%zu", over, under);
        return at + len;
    }
    size_t end = number_end(s, at);
    bool percent = starts(s, end, "%"), times = starts(s, end, "倍");
    if (end == at || (!percent && !times))
        return 0;
    snprintf(out, 32, " * %.*s%s", (int)(end - at), s.p + at, percent ? "%" : "");
    return end + (percent ? 1 : CHARACTER);
}

/* "和8的和", "与6的差" at byte `i`, behind the number that began at `first`: the byte behind it. */
static size_t with_another(rdv_str s, size_t first, size_t i, char out[32])
{
    static const char *const joints[] = {"和", "与"}, *const names[] = {"的和", "的差", "的积",
                                                                        "的商"};
    size_t which, joint = one_of(s, i, joints, COUNT(joints), &which), at = i + joint;
    size_t end = number_end(s, at);
    if (!joint || end == at || !one_of(s, end, names, COUNT(names), &which))
        return 0;
    rdv_str a = rdv_slice(s, first, i), b = rdv_slice(s, at, end);
    bool whole =
        rdv_find_char(a, '.', 0) == RDV_NOT_FOUND && rdv_find_char(b, '.', 0) == RDV_NOT_FOUND;
    bool less = a.len < b.len || (a.len == b.len && memcmp(a.p, b.p, a.len) < 0);
    if (which == 1 && (less || !whole)) /* the difference of 6 and 15 is 9 too */
        return 0;
    snprintf(out, 32, " %c %.*s", "+-*/"[which], (int)b.len, b.p);
    return end + 2 * CHARACTER;
}

bool chinese_claim_at(rdv_str text, size_t i, chinese_claim *out)
{
    static const char *const verbs[] = {"是", "等于", "为"};
    size_t which, end = number_end(text, i);
    if (end == i || end == text.len || (unsigned char)text.p[end] < 0x80)
        return false;
    size_t part = part_of(text, end, out->operation);
    size_t behind = part ? part : with_another(text, i, end, out->operation);
    size_t verb = behind ? one_of(text, behind, verbs, COUNT(verbs), &which) : 0;
    size_t claimed = number_end(text, behind + verb);
    out->number_end = end;
    out->verb = behind;
    out->end = behind + verb;
    return verb && claimed > behind + verb && clause_ends(text, claimed) &&
           clause_begins(text, i, !part);
}

/* Does the clause end at byte `i`, or go on with a sign? */
static bool sign_or_end(rdv_str s, size_t i)
{
    static const char *const signs[] = {"。", "，", "；", "！", "、", "＋", "－",
                                        "＝", "×",  "÷",  "−",  "≈",  "）"};
    size_t which;
    while (i < s.len && s.p[i] == ' ')
        i++;
    return i == s.len || strchr(".,;!\n)+-*/=$|", s.p[i]) ||
           one_of(s, i, signs, COUNT(signs), &which) > 0;
}

/* Is there a Chinese character at byte `i` that may be a part of a noun? */
static bool in_noun(rdv_str s, size_t i)
{
    static const char *const others[] = {
        "的", "和", "与", "比", "多", "少", "倍", "半", "分", "一", "二", "两", "三", "四", "五",
        "六", "七", "八", "九", "十", "百", "千", "万", "亿", "加", "减", "乘", "除", "等", "是",
        "不", "每", "零", "共", "占", "为", "用", "余", "剩", "若", "则", "故", "即", "答", "角"};
    size_t which;
    unsigned char lead = i < s.len ? (unsigned char)s.p[i] : 0;
    return lead >= 0xe4 && lead <= 0xe9 && !one_of(s, i, others, COUNT(others), &which);
}

size_t chinese_measure_at(rdv_str text, size_t i, const char **out)
{
    /* The longer of two that begin alike comes first. Pairs and boxes hold several things. */
    static const struct {
        const char *word, *means;
        bool thing; /* a noun may follow */
    } measures[] = {
        {"个小时", " hours", false}, {"小时", " hours", false}, {"分钟", " min", false},
        {"秒钟", " sec", false},     {"平方米", " m²", false},  {"平方厘米", " cm²", false},
        {"千米", " km", false},      {"公里", " km", false},    {"厘米", " cm", false},
        {"毫米", " mm", false},      {"公斤", " kg", false},    {"千克", " kg", false},
        {"毫升", " mL", false},      {"个", " pc", true},       {"只", " pc", true},
        {"本", " pc", true},         {"人", " pc", false},      {"名", " pc", true},
        {"支", " pc", true},         {"枝", " pc", true},       {"条", " pc", true},
        {"张", " pc", true},         {"朵", " pc", true},       {"棵", " pc", true},
        {"辆", " pc", true},         {"头", " pc", true},       {"匹", " pc", true},
        {"位", " pc", true},         {"件", " pc", true},       {"颗", " pc", true},
        {"粒", " pc", true},         {"页", " pc", false},      {"道", " pc", true},
        {"元", " ¥", false},         {"天", " days", false},    {"米", " metres", false},
        {"分米", " dm", false},      {"克", " grams", false},   {"秒", " sec", false},
        {"升", " litres", false},    {"吨", " tonnes", false}};
    size_t k = 0;
    while (k < COUNT(measures) && !starts(text, i, measures[k].word))
        k++;
    if (k == COUNT(measures))
        return 0;
    size_t end = i + strlen(measures[k].word);
    for (size_t n = 0; measures[k].thing && n < MAX_NOUN && in_noun(text, end); n++)
        end += CHARACTER;
    *out = measures[k].means;
    return sign_or_end(text, end) ? end - i : 0;
}
