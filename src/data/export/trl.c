/* SPDX-License-Identifier: Apache-2.0 */
/* TRL's stepwise supervision: {"prompt":...,"completions":[...],"labels":[true,false]}. A label is
 * true or false, so a solution ends before the first step of which neither is known. */
#include "data/export/format.h"

#include "base/arena.h"
#include "base/json.h"

/* 1 right, 0 wrong, -1: neither can be said. */
static int label_of(const rdv_export *exporter, rdv_verdict_kind is)
{
    switch (is) {
    case RDV_SUPPORT:
        return 1;
    case RDV_CONTRADICT:
        return 0;
    case RDV_UNRELATED:
        switch (exporter->options.unrelated) {
        case RDV_UNRELATED_RIGHT:
            return 1;
        case RDV_UNRELATED_WRONG:
            return 0;
        case RDV_UNRELATED_CUT:
            return -1;
        }
        return -1;
    case RDV_UNKNOWN:
        return -1;
    }
    return -1;
}

static int item(rdv_export *exporter, const rdv_chain *chain, rdv_arena *arena, rdv_buf *b,
                rdv_error *err)
{
    rdv_verdict_kind *verdicts;
    rdv_str question = rdv_export_question(chain, arena);
    int code = rdv_export_verdicts(exporter, chain, arena, &verdicts, err);
    if (code != RDV_OK || !question.p)
        return rdv_no_memory(err);
    size_t n = 0;
    while (n < chain->n_steps && label_of(exporter, verdicts[n]) >= 0)
        n++;
    if (n == 0)
        return RDV_NONE;
    exporter->cut += n < chain->n_steps;
    rdv_buf_add_char(b, '{');
    rdv_json_put_text(b, "prompt", question);
    rdv_json_name(b, RDV_STR("completions"));
    rdv_json_texts(b, chain->steps, n);
    rdv_json_open(b, "labels", '[');
    for (size_t i = 0; i < n; i++) {
        rdv_json_item(b);
        rdv_json_flag(b, label_of(exporter, verdicts[i]));
    }
    rdv_buf_lit(b, "]}\n");
    return RDV_OK;
}

const rdv_export_format rdv_export_trl = {
    .name = "trl",
    .about = "TRL's stepwise supervision, as lines of JSON",
    .item = item,
    .between = "",
    .tail = "",
};
