/* SPDX-License-Identifier: Apache-2.0 */
#include "form.h"

#include "../test.h"

rdv_answer_form form_of(rdv_str kind, rdv_str options, rdv_arena *arena)
{
    rdv_answer_form form = {0};
    if (rdv_kind_named(kind, &form.kind) != RDV_OK)
        fail_msg("no such kind: %.*s", RDV_FMT(kind));
    rdv_str *list = NULL;
    size_t cap = 0;
    for (size_t begin = 0; options.p && begin <= options.len;) {
        size_t end = rdv_find_char(options, '|', begin);
        end = end == RDV_NOT_FOUND ? options.len : end;
        assert_true(RDV_PUSH_ROOM(arena, list, form.n_options, cap));
        list[form.n_options++] = rdv_trim(rdv_slice(options, begin, end));
        begin = end + 1;
    }
    form.options = list;
    return form;
}
