/* SPDX-License-Identifier: Apache-2.0 */
/* Records of any bytes in the formats of other tools: what is written is JSON or a table that can
 * be read, and a step that is not known to be right never becomes a right one. */
#include "base/str.h"
#include "data/csv.h"
#include "data/export/export.h"
#include "data/source.h"

#include <jansson.h>
#include <stdlib.h>

#define CSV_COLUMNS 15

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_be_table(rdv_str text, rdv_arena *arena)
{
    rdv_csv csv;
    rdv_str *cells;
    size_t n, line;
    int code;
    rdv_csv_init(&csv, rdv_source_of(&text), SIZE_MAX, SIZE_MAX);
    while ((code = rdv_csv_next(&csv, arena, &cells, &n, &line, NULL)) == RDV_OK)
        if (n != CSV_COLUMNS)
            abort();
    if (code != RDV_NONE)
        abort();
}

static json_t *must_be_json(rdv_str text)
{
    json_t *root = json_loadb(text.p, text.len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
    if (!root)
        abort();
    return root;
}

/* As many labels as steps, and none that is true but of a step with support. */
static void must_hold(const json_t *row, const rdv_verdict_kind *verdicts)
{
    const json_t *labels = json_object_get(row, "labels");
    if (json_array_size(labels) != json_array_size(json_object_get(row, "completions")))
        abort();
    for (size_t i = 0; i < json_array_size(labels); i++)
        if (json_is_true(json_array_get(labels, i)) && verdicts[i] != RDV_SUPPORT)
            abort();
}

static void export_chain(const rdv_chain *chain, const char *format, bool from_label,
                         rdv_arena *arena)
{
    const rdv_export_options options = {.from_label = from_label,
                                        .unrelated = RDV_UNRELATED_WRONG,
                                        .span_member = "id",
                                        .created = 0};
    rdv_export x;
    rdv_str head, item = RDV_STR(""), tail;
    rdv_verdict_kind *verdicts;
    rdv_export_begin(&x, format, &options, arena);
    x.file = "in";
    if (rdv_export_head(&x, arena, &head, NULL) != RDV_OK ||
        rdv_export_verdicts(&x, chain, arena, &verdicts, NULL) != RDV_OK)
        return;
    int code = rdv_export_chain(&x, chain, arena, &item, NULL);
    if ((code != RDV_OK && code != RDV_NONE && code != RDV_E_INPUT) ||
        rdv_export_tail(&x, arena, &tail, NULL) != RDV_OK)
        return;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add(&b, head);
    rdv_buf_add(&b, item);
    rdv_buf_add(&b, tail);
    rdv_str all = rdv_buf_str(&b);
    if (strcmp(format, "csv") == 0) {
        must_be_table(all, arena);
    } else if (strcmp(format, "jsonl") != 0 && all.p && all.len) { /* that is fuzz/record.c's */
        json_t *root = must_be_json(all);
        if (strcmp(format, "trl") == 0)
            must_hold(root, verdicts);
        json_decref(root);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_str rest = {(const char *)data, size};
    const rdv_read_options options = {
        .size = sizeof options, .name = "in", .max_record_bytes = 4096, .max_steps = 64};
    rdv_reader *reader;
    rdv_record record;
    if (rdv_reader_open_source(rdv_source_of(&rest), "in", &options, &reader, NULL) != RDV_OK)
        return 0;
    rdv_arena *arena = rdv_arena_new(0);
    int rc;
    while ((rc = rdv_reader_next(reader, arena, &record, NULL)) == RDV_OK || rc == RDV_E_INPUT ||
           rc == RDV_E_LIMIT) {
        const rdv_export_format *format;
        for (size_t i = 0;
             rc == RDV_OK && record.kind == RDV_RECORD_CHAIN && (format = rdv_export_format_at(i));
             i++) {
            export_chain(&record.chain, format->name, false, arena);
            export_chain(&record.chain, format->name, true, arena);
        }
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
    rdv_reader_close(&reader);
    return 0;
}
