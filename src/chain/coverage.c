/* SPDX-License-Identifier: Apache-2.0 */
#include "chain/coverage.h"

#include "base/buf.h"
#include "base/str.h"

static const char *const names[RDV_N_UNREAD_REASONS] = {
    [RDV_UNREAD_DECIMAL_COMMA] = "decimal_comma",
    [RDV_UNREAD_UNIT] = "unit",
    [RDV_UNREAD_APPROXIMATE] = "approximate_sign",
    [RDV_UNREAD_ARROW] = "arrow",
    [RDV_UNREAD_MARKUP] = "markup",
    [RDV_UNREAD_LETTERS] = "letters",
    [RDV_UNREAD_WORDS] = "words",
    [RDV_UNREAD_OTHER] = "other",
};

static const char *const words[RDV_N_UNREAD_REASONS][2] = {
    [RDV_UNREAD_DECIMAL_COMMA] = {"decimal comma", "decimal commas"},
    [RDV_UNREAD_UNIT] = {"unit", "units"},
    [RDV_UNREAD_APPROXIMATE] = {"approximate sign", "approximate signs"},
    [RDV_UNREAD_ARROW] = {"arrow", "arrows"},
    [RDV_UNREAD_MARKUP] = {"markup", "markup"},
    [RDV_UNREAD_LETTERS] = {"letters", "letters"},
    [RDV_UNREAD_WORDS] = {"words", "words"},
    [RDV_UNREAD_OTHER] = {"other", "others"},
};

const char *coverage_reason_name(rdv_unread_reason is)
{
    return names[is];
}

int coverage_reason_named(rdv_str name, rdv_unread_reason *out)
{
    int i = rdv_named(name, names, RDV_N_UNREAD_REASONS);
    if (i >= 0)
        *out = (rdv_unread_reason)i;
    return i < 0 ? RDV_NONE : RDV_OK;
}

const char *coverage_reason_words(rdv_unread_reason is, bool plural)
{
    return words[is][plural];
}

size_t coverage_unread(const rdv_coverage *coverage)
{
    size_t n = 0;
    for (size_t i = 0; i < RDV_N_UNREAD_REASONS; i++)
        n += coverage->unread[i];
    return n;
}

size_t coverage_all(const rdv_coverage *coverage)
{
    return coverage->checked + coverage->undecided + coverage_unread(coverage);
}

void coverage_add(rdv_coverage *sum, const rdv_coverage *one)
{
    if (!one)
        return;
    sum->checked += one->checked;
    sum->undecided += one->undecided;
    for (size_t i = 0; i < RDV_N_UNREAD_REASONS; i++)
        sum->unread[i] += one->unread[i];
}

rdv_str coverage_lacks(const rdv_coverage *coverage, rdv_arena *arena)
{
    size_t unread = coverage_unread(coverage);
    const char *before = "";
    rdv_buf b;
    if (unread + coverage->undecided == 0)
        return RDV_STR("");
    rdv_buf_init(&b, arena, 0);
    if (coverage->undecided) {
        rdv_buf_printf(&b, "%zu undecided", coverage->undecided);
        before = "; ";
    }
    if (unread)
        rdv_buf_printf(&b, "%s%zu not read", before, unread);
    before = ": ";
    for (size_t i = 0; i < RDV_N_UNREAD_REASONS; i++) {
        size_t n = coverage->unread[i];
        if (!n)
            continue;
        bool parts = i == RDV_UNREAD_MARKUP || i == RDV_UNREAD_LETTERS || i == RDV_UNREAD_WORDS;
        rdv_buf_printf(&b, "%s%zu %s%s", before, n, parts ? "with " : "", words[i][n != 1]);
        before = ", ";
    }
    return rdv_buf_str(&b);
}

rdv_str coverage_says(const rdv_coverage *coverage, rdv_arena *arena)
{
    size_t all = coverage_all(coverage);
    rdv_str lacks = coverage_lacks(coverage, arena);
    if (all == 0 || !lacks.p)
        return all ? lacks : RDV_STR("");
    return rdv_str_printf(arena, "%zu of %zu calculation%s checked%s%.*s", coverage->checked, all,
                          all == 1 ? "" : "s", lacks.len ? "; " : "", RDV_FMT(lacks));
}
