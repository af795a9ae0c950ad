/* SPDX-License-Identifier: Apache-2.0 */
/* Rederive's own records (docs/records.md). */
#include "data/export/format.h"

static int item(rdv_export *exporter, const rdv_chain *chain, rdv_arena *arena, rdv_buf *b,
                rdv_error *err)
{
    rdv_str line;
    (void)exporter;
    int code = rdv_record_write(chain, NULL, arena, &line, err);
    if (code == RDV_OK)
        rdv_buf_add(b, line);
    return code;
}

const rdv_export_format rdv_export_jsonl = {
    .name = "jsonl",
    .about = "Rederive's own records, one a line",
    .item = item,
    .between = "",
    .tail = "",
};
