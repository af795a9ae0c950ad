/* SPDX-License-Identifier: Apache-2.0 */
/* Grading a pair. The input is a byte of options, the answer or the reply, a line with only "%%",
 * and the gold answer. The same pair is graded in the same way twice; what has one key is the same,
 * unless the units decide, which keys leave out; a text is never different from itself; and a
 * number is never the same as that number plus one. */
#include "base/buf.h"
#include "base/str.h"

#include <rederive/answer.h>
#include <rederive/math.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATOR "\n%%\n"

static bool same_text(rdv_str a, rdv_str b)
{
    return (a.p == NULL) == (b.p == NULL) && rdv_str_eq(a, b);
}

static void check_again(rdv_str answer, rdv_str gold, const rdv_answer_form *form,
                        const rdv_compare_options *how, rdv_arena *arena,
                        const rdv_comparison *first)
{
    rdv_comparison again;
    if (rdv_answer_compare(answer, gold, form, how, arena, &again, NULL) != RDV_OK)
        return; /* out of memory */
    if (again.is != first->is || !same_text(again.answer_as, first->answer_as) ||
        !same_text(again.gold_as, first->gold_as) || !first->why)
        abort();
}

/* Whether the comparison saw what keys leave out: a unit or currency (5 km and 5 m have one key),
 * or an assumption about one (5 in a unit that is not known). */
static bool decided_by_unit(const rdv_comparison *is)
{
    return strcmp(is->why, "unit") == 0 || strcmp(is->why, "money") == 0 ||
           (strcmp(is->why, "assumption") == 0 && is->is == RDV_CANNOT_TELL);
}

static void compare(rdv_str answer, rdv_str gold, const rdv_answer_form *form,
                    const rdv_compare_options *how, rdv_arena *arena)
{
    rdv_comparison is;
    rdv_str a, b;
    if (rdv_answer_compare(answer, gold, form, how, arena, &is, NULL) != RDV_OK)
        return;
    check_again(answer, gold, form, how, arena, &is);
    bool keys = rdv_answer_key(answer, form, arena, &a, NULL) == RDV_OK &&
                rdv_answer_key(gold, form, arena, &b, NULL) == RDV_OK;
    bool marked = rdv_find(gold, RDV_STR("####"), 0) != RDV_NOT_FOUND; /* its last part counts */
    if (keys && !marked && rdv_str_eq(a, b) && is.is != RDV_SAME && !decided_by_unit(&is))
        abort();
}

static void grade_text(rdv_str text, rdv_str gold, const rdv_answer_form *form,
                       const rdv_compare_options *how, rdv_arena *arena)
{
    rdv_text_grade grade;
    if (rdv_grade_text(text, gold, form, how, arena, &grade, NULL) != RDV_OK || !grade.answer.p)
        return;
    bool within =
        grade.answer.p >= text.p && grade.answer.p + grade.answer.len <= text.p + text.len;
    if (!within && grade.answer.len > text.len) /* a copy without the marks around the number */
        abort();
}

/* A rational number in any notation, and the same text plus one. */
static void compare_next(rdv_str gold, rdv_arena *arena)
{
    rdv_str key;
    rdv_comparison is;
    rdv_buf next;
    if (rdv_math_key(gold, arena, &key, NULL) != RDV_OK || key.len == 0 ||
        !(rdv_is_digit(key.p[0]) || (key.p[0] == '-' && key.len > 1 && rdv_is_digit(key.p[1]))))
        return;
    for (size_t i = 0; i < key.len; i++)
        if (!rdv_is_digit(key.p[i]) && key.p[i] != '/' && key.p[i] != '-')
            return;
    rdv_buf_init(&next, arena, 0);
    rdv_buf_printf(&next, "%.*s+1", RDV_FMT(key));
    rdv_answer_form form = {.kind = RDV_KIND_LATEX};
    if (rdv_buf_ok(&next) &&
        rdv_answer_compare(rdv_buf_str(&next), key, &form, NULL, arena, &is, NULL) == RDV_OK &&
        is.is == RDV_SAME)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    rdv_str rest = {(const char *)data + 1, size - 1};
    size_t cut = rdv_find(rest, RDV_STR(SEPARATOR), 0);
    rdv_str answer = cut == RDV_NOT_FOUND ? rest : rdv_slice(rest, 0, cut);
    rdv_str gold =
        cut == RDV_NOT_FOUND ? rest : rdv_slice(rest, cut + sizeof SEPARATOR - 1, rest.len);
    const rdv_str options[] = {RDV_STR("3/4"), RDV_STR("two whales"), rdv_slice(gold, 0, 5)};
    rdv_compare_options how = {.size = sizeof how,
                               .tolerance = data[0] & 1 ? RDV_STR("0.001") : (rdv_str){0},
                               .decimals_as_shown = (data[0] & 2) != 0,
                               .relations_as_sets = (data[0] & 4) != 0};
    rdv_answer_form form = {.kind = (rdv_kind)((data[0] >> 4) % (RDV_KIND_PHRASE + 1))};
    if (data[0] & 8) {
        form.options = options;
        form.n_options = 3;
    }
    rdv_arena *arena = rdv_arena_new((size_t)1 << 30);
    if (!arena)
        return 0;
    compare(answer, gold, &form, &how, arena);
    grade_text(answer, gold, &form, &how, arena);
    compare_next(gold, arena);
    rdv_comparison self;
    if (rdv_answer_compare(gold, gold, &form, &how, arena, &self, NULL) == RDV_OK &&
        self.is == RDV_DIFFERENT && rdv_find(gold, RDV_STR("####"), 0) == RDV_NOT_FOUND)
        abort();
    rdv_arena_free(&arena);
    return 0;
}
