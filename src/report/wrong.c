/* SPDX-License-Identifier: Apache-2.0 */
#include "report/wrong.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "chain/evidence.h"

/* A byte offset that a note holds, or RDV_NOT_FOUND. */
static size_t note_offset(const rdv_evidence *calc, rdv_str name, size_t max)
{
    const rdv_evidence *note = rdv_evidence_get(calc, name);
    if (!note || note->type != RDV_EVIDENCE_NUMBER || !(note->number >= 0) ||
        note->number > (double)max)
        return RDV_NOT_FOUND;
    return (size_t)note->number;
}

/* The text of a note; p == NULL: there is none. */
static rdv_str note_text(const rdv_evidence *calc, rdv_str name)
{
    const rdv_evidence *note = rdv_evidence_get(calc, name);
    return note && note->type == RDV_EVIDENCE_TEXT ? note->text : (rdv_str){0};
}

static bool is_wrong(const rdv_evidence *calc)
{
    return rdv_str_eq(note_text(calc, RDV_STR("outcome")), RDV_STR("wrong"));
}

const rdv_evidence *rdv_wrong_first(const rdv_verdict *verdict)
{
    return verdict_first(verdict, RDV_STR("calculations"));
}

/* "$12 * 4 = $49": the calculation at byte `begin` without its first sign of money, which may be
 * LaTeX's where no other of them stands in it, or one right behind it. */
static bool lacks_dollar(rdv_str step, size_t begin, size_t end)
{
    if (begin == 0 || step.p[begin - 1] != '$' || rdv_char_at(step, end) == '$')
        return false;
    rdv_str within = rdv_slice(step, begin, end);
    size_t i = rdv_find_char(within, '$', 0);
    return i != RDV_NOT_FOUND && rdv_is_digit(rdv_char_at(within, i + 1)) &&
           (begin < 2 || step.p[begin - 2] != '$');
}

bool rdv_wrong_next(const rdv_evidence **at, rdv_str step, rdv_wrong *out)
{
    for (const rdv_evidence *calc = *at; calc; calc = calc->next) {
        size_t begin = note_offset(calc, RDV_STR("start"), step.len);
        size_t end = note_offset(calc, RDV_STR("end"), step.len);
        if (!is_wrong(calc) || begin == RDV_NOT_FOUND || end == RDV_NOT_FOUND || begin >= end)
            continue;
        *out = (rdv_wrong){.begin = begin - lacks_dollar(step, begin, end),
                           .end = end,
                           .value = note_text(calc, RDV_STR("value")),
                           .of = note_text(calc, RDV_STR("of")),
                           .row = note_text(calc, RDV_STR("read_by")),
                           .note = note_text(calc, RDV_STR("note"))};
        *at = calc->next;
        return true;
    }
    *at = NULL;
    return false;
}

/* "3$ dollars": does a formula end at the byte? A sign of money has its number behind it. */
static bool ends_formula(rdv_str s, size_t i)
{
    return s.p[i] == '$' && i > 0 && (rdv_is_alnum(s.p[i - 1]) || strchr(")}%", s.p[i - 1])) &&
           !rdv_is_digit(rdv_char_at(s, i + 1));
}

/* The text without the border of a formula within it: "3$ dollars" is "3 dollars". */
static rdv_str without_borders(rdv_str text, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < text.len; i++)
        if (!ends_formula(text, i))
            rdv_buf_add_char(&b, text.p[i]);
    return b.len == text.len ? text : rdv_buf_str(&b);
}

rdv_str rdv_wrong_said(const rdv_wrong *wrong, rdv_str step, rdv_arena *arena)
{
    return without_borders(rdv_slice(step, wrong->begin, wrong->end), arena);
}

rdv_str rdv_wrong_right(const rdv_wrong *wrong, rdv_arena *arena)
{
    rdv_str value = wrong->value.p ? without_borders(wrong->value, arena) : wrong->value;
    if (!value.p || (!wrong->of.p && !wrong->note.p))
        return value;
    return rdv_str_printf(arena, "%.*s%s%.*s%s%.*s%s", RDV_FMT(wrong->of),
                          wrong->of.p ? " is " : "", RDV_FMT(value), wrong->note.p ? " (" : "",
                          RDV_FMT(wrong->note), wrong->note.p ? ")" : "");
}

const char *rdv_wrong_joins(const rdv_wrong *wrong)
{
    return wrong->of.p ? ": " : ", should be ";
}
