/* SPDX-License-Identifier: Apache-2.0 */
/* Files of any bytes through the reader of all formats: it comes to an end, and what is written of
 * a record is read again, from a file and from memory, and written the same. */
#include "base/str.h"
#include "data/source.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Written as it was read: with its error, or as a result. */
static int write_again(const rdv_record *record, rdv_arena *arena, rdv_str *line)
{
    const rdv_write_options options = {.size = sizeof options, .error = record->error};
    return rdv_record_write(&record->chain, &options, arena, line, NULL);
}

static void must_come_back(rdv_record_kind is, rdv_str line, rdv_arena *arena)
{
    /* By name: what a record carries along may look like a public form. */
    static const char *const formats[] = {"rederive-chain", "rederive-chain", "rederive-result",
                                          "rederive-error"};
    const rdv_read_options options = {.size = sizeof options, .format = formats[is], .name = "in"};
    rdv_str rest = line, again;
    rdv_reader *reader;
    rdv_record record;
    if (rdv_reader_open_source(rdv_source_of(&rest), "in", &options, &reader, NULL) != RDV_OK)
        return;
    if (rdv_reader_next(reader, arena, &record, NULL) != RDV_OK ||
        write_again(&record, arena, &again) != RDV_OK || !rdv_str_eq(line, again))
        abort();
    rdv_reader_close(&reader);
    rdv_record *in_memory;
    size_t n;
    if (rdv_record_read(line, &options, arena, &in_memory, &n, NULL) != RDV_OK || n != 1 ||
        write_again(in_memory, arena, &again) != RDV_OK || !rdv_str_eq(line, again))
        abort();
}

/* The whole input as one record. */
static void read_in_memory(rdv_str bytes, const rdv_read_options *options, rdv_arena *arena)
{
    rdv_record *records;
    rdv_str line;
    size_t n;
    if (rdv_record_read(bytes, options, arena, &records, &n, NULL) != RDV_OK)
        return;
    for (size_t i = 0; i < n; i++)
        if (write_again(&records[i], arena, &line) == RDV_OK)
            must_come_back(records[i].kind, line, arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_str rest = {(const char *)data, size};
    rdv_read_options options = {.size = sizeof options,
                                .name = "in",
                                .max_record_bytes = 4096,
                                .max_steps = 64,
                                .check_reasoning = size % 2 == 1};
    rdv_reader *reader;
    rdv_record record;
    rdv_str line;
    if (rdv_reader_open_source(rdv_source_of(&rest), "in", &options, &reader, NULL) != RDV_OK)
        return 0;
    rdv_arena *arena = rdv_arena_new(0);
    read_in_memory(rest, &options, arena);
    for (;;) {
        int rc = rdv_reader_next(reader, arena, &record, NULL);
        if (rc != RDV_OK && rc != RDV_E_INPUT && rc != RDV_E_LIMIT)
            break;
        if (rc == RDV_OK && write_again(&record, arena, &line) == RDV_OK)
            must_come_back(record.kind, line, arena);
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
    rdv_reader_close(&reader);
    return 0;
}
