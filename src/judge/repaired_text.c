/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/repaired_text.h"
#include "base/str.h"
#include "text/heading.h"
#include "text/think.h"

repaired_text repaired_text_of(rdv_str text, size_t at, size_t step)
{
    rdv_heading h = {.number = RDV_NO_NUMBER};
    rdv_str premises, before = rdv_slice(text, 0, at);
    repaired_text t = {.number = step + 1,
                       .lines =
                           rdv_ends(before, RDV_STR("\n")) && !rdv_ends(before, RDV_STR("\n\n"))};
    if (!text_heading_parse(rdv_slice(text, at, text.len), &h, &premises))
        return t;
    t.counted = h.kind == RDV_HEADING_NUMBER;
    t.by_word = !t.counted; /* behind any other heading, "Step" begins a step */
    t.number = h.number == RDV_NO_NUMBER ? t.number : h.number;
    return t;
}

void repaired_text_add(repaired_text *t, rdv_buf *b, rdv_str before, rdv_str step)
{
    if (before.len && before.p[before.len - 1] != '\n')
        rdv_buf_add(b, t->lines ? RDV_STR("\n") : RDV_STR("\n\n"));
    if (t->by_word || t->counted)
        rdv_buf_printf(b, t->by_word ? "Step %zu: " : "%zu. ", t->number++);
    rdv_buf_add(b, step);
}

bool repaired_text_thinks(rdv_str text)
{
    bool thinks = false;
    think_mark mark;
    for (size_t at = 0; at < text.len; at++) {
        if (!think_may_begin(text.p[at]) ||
            !think_mark_at(rdv_slice(text, at, text.len), false, &mark))
            continue;
        thinks = !mark.closing;
        at += mark.len - 1;
    }
    return thinks;
}
