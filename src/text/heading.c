/* SPDX-License-Identifier: Apache-2.0 */
#include "text/heading.h"

#include "base/arena.h"
#include "base/str.h"
#include "text/marks.h"

/* A cursor over the first line of a text. */
typedef struct reader {
    rdv_str line;
    size_t at;
} reader;

static char peek(const reader *r)
{
    return r->at < r->line.len ? r->line.p[r->at] : '\0';
}

static bool take(reader *r, rdv_str what)
{
    if (!rdv_istarts(rdv_slice(r->line, r->at, r->line.len), what))
        return false;
    r->at += what.len;
    return true;
}

/* Skip characters out of `set`; how many. */
static size_t skip(reader *r, const char *set)
{
    size_t from = r->at;
    while (r->at < r->line.len && r->line.p[r->at] && strchr(set, r->line.p[r->at]))
        r->at++;
    return r->at - from;
}

/* A number of one to six digits. */
static bool take_number(reader *r, size_t *number)
{
    size_t from = r->at, value = 0;
    while (rdv_is_digit(peek(r)) && r->at - from < 7)
        value = value * 10 + (size_t)(r->line.p[r->at++] - '0');
    if (r->at == from || r->at - from > 6) {
        r->at = from;
        return false;
    }
    *number = value;
    return true;
}

/* One of the dashes between a heading and its title, with a space after it. */
static bool take_dash(reader *r)
{
    reader start = *r;
    if ((take(r, RDV_STR("-")) || take(r, RDV_STR("\xe2\x80\x93")) ||
         take(r, RDV_STR("\xe2\x80\x94"))) &&
        (r->at == r->line.len || skip(r, " \t") > 0))
        return true;
    *r = start;
    return false;
}

/* What stands between "Step 1" and the text: colons, a full stop, a bracket, a dash, or the end of
 * the line. Emphasis may close before or after a colon. Without a number a colon is required. */
static bool take_separator(reader *r, bool bracketed, bool numbered)
{
    if (bracketed && !take(r, RDV_STR(")")))
        return false;
    bool emphasis = skip(r, "*_") > 0;
    skip(r, " \t");
    if (skip(r, ":") > 0 || take(r, RDV_STR("\xef\xbc\x9a"))) {
        if (!emphasis)
            skip(r, "*_");
        return true;
    }
    if (!numbered)
        return false;
    if (bracketed || emphasis || r->at == r->line.len)
        return true;
    reader start = *r;
    if (take(r, RDV_STR(".")) && skip(r, "*_") > 0) /* "**Step 1.** Add" */
        return true;
    *r = start;
    return take(r, RDV_STR(". ")) || take(r, RDV_STR(") ")) || take_dash(r) ||
           take(r, RDV_STR("\xe3\x80\x81")) || take(r, RDV_STR("\xef\xbc\x8e")) ||
           (take(r, RDV_STR(".")) && r->at == r->line.len);
}

/* "3", "#3", or nothing, which leaves RDV_NO_NUMBER. */
static bool take_step_number(reader *r, size_t *number)
{
    reader start = *r;
    take(r, RDV_STR("#"));
    if (take_number(r, number))
        return true;
    *r = start;
    *number = RDV_NO_NUMBER;
    return false;
}

/* "Step 3:" and its kin, after the decoration in front of it. */
static bool take_word_heading(reader *r, rdv_str word, size_t *number)
{
    reader start = *r;
    bool bracketed = take(r, RDV_STR("("));
    if (take(r, word)) {
        skip(r, " \t");
        bool numbered = take_step_number(r, number);
        if (take_separator(r, bracketed, numbered)) {
            skip(r, " \t");
            return true;
        }
    }
    *r = start;
    return false;
}

/* "Schritt 3:", "第三步：" and their kin: the rows of marks.c, which always have a number. */
static bool take_foreign_heading(reader *r, size_t *number)
{
    reader start = *r;
    step_mark mark;
    bool bracketed = take(r, RDV_STR("("));
    if (marks_step(rdv_slice(r->line, r->at, r->line.len), &mark)) {
        r->at += mark.len;
        *number = mark.number;
        bool comma = mark.closed && !bracketed &&
                     (take(r, RDV_STR("\xef\xbc\x8c")) || take(r, RDV_STR(",")));
        if (comma || take_separator(r, bracketed, true)) {
            skip(r, " \t");
            return true;
        }
    }
    *r = start;
    return false;
}

/* "#5. (by #1 #2) Step 3: " with all but the number optional. */
static bool take_hash_heading(reader *r, size_t *number, rdv_str *premises)
{
    if (!take(r, RDV_STR("#")) || !take_number(r, number))
        return false;
    if (skip(r, ".:)") == 0 && peek(r) != ' ')
        return false;
    skip(r, " \t");
    size_t open = r->at;
    if (take(r, RDV_STR("(by "))) {
        size_t close = rdv_find_char(r->line, ')', r->at);
        if (close == RDV_NOT_FOUND) {
            r->at = open;
        } else {
            *premises = rdv_slice(r->line, r->at, close);
            r->at = close + 1;
            skip(r, " \t");
        }
    }
    size_t step;
    take_word_heading(r, RDV_STR("step"), &step);
    return true;
}

/* "1、", "一、", "1．", "1）": no blank follows. */
static bool take_wide_number(reader *r, size_t *number)
{
    reader start = *r;
    size_t len;
    if (marks_number(rdv_slice(r->line, r->at, r->line.len), number, &len)) {
        r->at += len;
        if (take(r, RDV_STR("\xe3\x80\x81")) || take(r, RDV_STR("\xef\xbc\x8e")) ||
            take(r, RDV_STR("\xef\xbc\x89"))) {
            skip(r, "*_ \t");
            return true;
        }
    }
    *r = start;
    return false;
}

/* "1. " or "1) ", possibly "**1.** " or "### 1. ". Indented ones are lists inside a step. */
static bool take_number_heading(reader *r, size_t *number)
{
    r->at = 0;
    if (skip(r, " \t") > 3)
        return false;
    if (skip(r, "#") > 0)
        skip(r, " ");
    skip(r, "*_");
    if (take_wide_number(r, number))
        return true;
    if (!take_number(r, number) || !(take(r, RDV_STR(".")) || take(r, RDV_STR(")"))))
        return false;
    skip(r, "*_");
    return skip(r, " \t") > 0 || r->at == r->line.len;
}

static bool has_letter(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (rdv_is_alpha(s.p[i]) || (unsigned char)s.p[i] >= 0x80)
            return true;
    return false;
}

/* "## Title". "#### 42" is GSM8K's answer, hence the letter. */
static bool take_title(reader *r)
{
    r->at = 0;
    if (skip(r, " \t") > 3)
        return false;
    size_t level = skip(r, "#");
    return level >= 1 && level <= 6 && skip(r, " \t") > 0 &&
           has_letter(rdv_slice(r->line, r->at, r->line.len));
}

static rdv_heading_kind parse(reader *r, size_t *number, rdv_str *premises)
{
    skip(r, " \t");
    if (take_hash_heading(r, number, premises))
        return RDV_HEADING_HASH;
    r->at = 0;
    skip(r, " \t#*_>-");
    if (take_word_heading(r, RDV_STR("step"), number) || take_foreign_heading(r, number))
        return RDV_HEADING_STEP;
    if (take_word_heading(r, RDV_STR("thought"), number))
        return RDV_HEADING_THOUGHT;
    if (take_number_heading(r, number))
        return RDV_HEADING_NUMBER;
    *number = RDV_NO_NUMBER;
    return take_title(r) ? RDV_HEADING_MARKDOWN : RDV_HEADING_NONE;
}

bool text_heading_parse(rdv_str line, rdv_heading *out, rdv_str *premises)
{
    rdv_str rest = line, first = line;
    rdv_next_line(&rest, &first);
    reader r = {.line = rdv_trim_end(first)};
    rdv_heading heading = {.number = RDV_NO_NUMBER};
    *premises = (rdv_str){0};
    heading.kind = parse(&r, &heading.number, premises);
    if (heading.kind == RDV_HEADING_NONE)
        return false;
    heading.mark = rdv_slice(line, 0, r.at);
    *out = heading;
    return true;
}

int text_heading_premises(rdv_str listed, rdv_arena *arena, rdv_heading *out, rdv_error *err)
{
    reader r = {.line = listed};
    size_t *ids = NULL, n = 0, cap = 0;
    while (r.at < listed.len) {
        size_t id;
        if (!take_number(&r, &id)) {
            r.at++;
            continue;
        }
        if (!RDV_PUSH_ROOM(arena, ids, n, cap))
            return rdv_no_memory(err);
        ids[n++] = id;
    }
    out->premises = ids;
    out->n_premises = n;
    return RDV_OK;
}

int rdv_heading_read(rdv_str text, rdv_arena *arena, rdv_heading *out, rdv_error *err)
{
    rdv_heading heading;
    rdv_str listed;
    if (!text_heading_parse(text, &heading, &listed))
        return RDV_NONE;
    int rc = text_heading_premises(listed, arena, &heading, err);
    if (rc == RDV_OK)
        *out = heading;
    return rc;
}
