/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/split.h"

#include "base/buf.h"
#include "base/str.h"
#include "grade/clean.h"

static const char separators[] = {',', ';', RDV_OR, '\0'};

bool split_opens(char c)
{
    return c == '(' || c == '[' || c == '{' || c == RDV_SET_OPEN;
}

bool split_closes(char c)
{
    return c == ')' || c == ']' || c == '}' || c == RDV_SET_CLOSE;
}

size_t split_find(rdv_str s, const char *any, size_t from)
{
    size_t depth = 0;
    for (size_t i = from; i < s.len; i++) {
        char c = s.p[i];
        for (const char *a = any; *a && depth == 0; a++) /* one or a few */
            if (*a == c)
                return i;
        if (split_opens(c))
            depth++;
        else if (split_closes(c) && depth > 0)
            depth--;
    }
    return RDV_NOT_FOUND;
}

bool split_is_bracketed(rdv_str s)
{
    size_t depth = 0;
    if (s.len < 2 || !split_opens(s.p[0]) || !split_closes(s.p[s.len - 1]))
        return false;
    for (size_t i = 0; i + 1 < s.len; i++) {
        depth += split_opens(s.p[i]);
        depth -= split_closes(s.p[i]);
        if (depth == 0)
            return false;
    }
    return true;
}

/* Does the comma at byte `i` group thousands: one to three digits before, exactly three after? */
static bool groups_thousands(rdv_str s, size_t i)
{
    size_t before = 0, after = 0;
    while (before < i && before < 4 && rdv_is_digit(s.p[i - before - 1]))
        before++;
    while (i + after + 1 < s.len && after < 4 && rdv_is_digit(s.p[i + after + 1]))
        after++;
    bool first = i == before || s.p[i - before - 1] != ',';
    bool zero = before >= 1 && first && s.p[i - before] == '0'; /* "0,125" */
    return s.p[i] == ',' && before >= 1 && before <= 3 && after == 3 && !zero;
}

static size_t find_separator(const split_list *list)
{
    rdv_str s = list->rest;
    size_t i = 0;
    while ((i = split_find(s, list->semicolons ? ";" : separators, i)) != RDV_NOT_FOUND) {
        if (!list->thousands || !groups_thousands(s, i))
            return i;
        i++;
    }
    return RDV_NOT_FOUND;
}

split_list split_list_of(rdv_str s, bool thousands)
{
    bool semicolons = split_find(s, ";", 0) != RDV_NOT_FOUND;
    return (split_list){.rest = s, .thousands = thousands, .semicolons = semicolons};
}

bool split_next(split_list *list, rdv_str *part, char *sign)
{
    if (list->done)
        return false;
    rdv_str s = list->rest;
    size_t end = find_separator(list);
    list->done = end == RDV_NOT_FOUND;
    *sign = list->done ? '\0' : s.p[end];
    *part = rdv_slice(s, 0, list->done ? s.len : end);
    list->rest = list->done ? (rdv_str){0} : rdv_slice(s, end + 1, s.len);
    return true;
}

bool split_is_list(rdv_str s, bool thousands)
{
    split_list list = split_list_of(s, thousands);
    return find_separator(&list) != RDV_NOT_FOUND;
}

rdv_str split_inside(rdv_str s)
{
    s = rdv_trim(s);
    while (s.len >= 2 && s.p[0] == '$' && s.p[s.len - 1] == '$')
        s = rdv_trim(rdv_slice(s, 1, s.len - 1));
    rdv_str box = RDV_STR("\\boxed{");
    bool boxed =
        rdv_starts(s, box) && rdv_ends(s, RDV_STR("}")) && rdv_find(s, box, 1) == RDV_NOT_FOUND;
    return boxed ? rdv_trim(rdv_slice(s, box.len, s.len - 1)) : s;
}

rdv_str split_boxes(rdv_str s, rdv_arena *arena)
{
    rdv_str box = RDV_STR("\\boxed{");
    rdv_buf all;
    size_t boxes = 0, behind = 0;
    if (!rdv_starts(s, box) || rdv_find(s, box, box.len) == RDV_NOT_FOUND)
        return s;
    rdv_buf_init(&all, arena, 0);
    for (size_t i = 0; (i = rdv_find(s, box, i)) != RDV_NOT_FOUND; boxes++) {
        size_t begin = i + box.len, end = begin, depth = 1;
        rdv_str between = rdv_slice(s, behind, i);
        bool joined = rdv_find_char(between, ',', 0) != RDV_NOT_FOUND ||
                      rdv_find(between, RDV_STR("and"), 0) != RDV_NOT_FOUND;
        for (; end < s.len && depth; end++)
            depth += (s.p[end] == '{') - (s.p[end] == '}');
        if (depth || (boxes && !joined))
            return s;
        if (boxes)
            rdv_buf_add(&all, RDV_STR(", "));
        rdv_buf_add(&all, rdv_slice(s, begin, end - 1));
        i = behind = end;
    }
    return rdv_buf_str(&all);
}
