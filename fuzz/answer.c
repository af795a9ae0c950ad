/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and comparing answers of every kind. What is read must stand in the text where it is said
 * to; a key must be made the same way twice, and an answer be right where it is gold itself. */

#include "answer/read.h"
#include "base/str.h"

#include <stdlib.h>

static void compare(rdv_str answer, const rdv_answer_form *form, rdv_arena *arena)
{
    rdv_str key, again;
    bool right;
    if (rdv_answer_key(answer, form, arena, &key, NULL) != RDV_OK)
        return;
    if (rdv_answer_key(answer, form, arena, &again, NULL) == RDV_OK && !rdv_str_eq(key, again))
        abort();
    bool marked = rdv_find(answer, RDV_STR("####"), 0) != RDV_NOT_FOUND; /* gold ends in a mark */
    if (rdv_answer_right(answer, answer, form, arena, &right, NULL) == RDV_OK && !right && !marked)
        abort();
}

static void read_and_compare(rdv_str text, const rdv_answer_form *form, rdv_arena *arena)
{
    rdv_answer answer;
    if (rdv_answer_read(text, form, &answer) == RDV_OK) {
        if (answer.text.p != text.p + answer.begin || answer.begin + answer.text.len > text.len)
            abort();
        compare(answer.text, form, arena);
    }
    compare(text, form, arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_str text = {(const char *)data, size};
    rdv_str options[] = {RDV_STR("3/4"), RDV_STR("two whales"), rdv_slice(text, 0, 3)};
    rdv_arena *arena = rdv_arena_new((size_t)1 << 30);
    if (!arena)
        return 0;
    for (rdv_kind kind = RDV_KIND_AUTO; kind <= RDV_KIND_PHRASE; kind++) {
        rdv_answer_form form = {.kind = kind};
        read_and_compare(text, &form, arena);
        form.options = options; /* they matter to these two kinds alone */
        form.n_options = 3;
        if (kind == RDV_KIND_AUTO || kind == RDV_KIND_OPTION)
            read_and_compare(text, &form, arena);
        rdv_arena_reset(arena);
    }
    rdv_answer by_rule;
    rdv_question question = {.gold = text};
    rdv_answer_read_bigbench(text, &by_rule);
    rdv_answer_form_of(&question);
    rdv_arena_free(&arena);
    return 0;
}
