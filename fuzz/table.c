/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and plain text of any bytes through the reader: it comes to an end, and every record is
 * whole. The first byte chooses the file's name, and so what it is taken for. */
#include "base/str.h"
#include "data/source.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"in.csv", "in.tsv", "in.txt", "in"};
    if (size == 0)
        return 0;
    rdv_str rest = {(const char *)data + 1, size - 1};
    rdv_read_options options = {.size = sizeof options,
                                .max_record_bytes = 4096,
                                .max_steps = 64,
                                .separator = "---",
                                .question = data[0] & 4 ? "Q?" : NULL,
                                .steps_from = data[0] & 8 ? "b" : NULL};
    rdv_reader *reader;
    rdv_record record;
    if (rdv_reader_open_source(rdv_source_of(&rest), names[data[0] & 3], &options, &reader, NULL) !=
        RDV_OK)
        return 0;
    rdv_arena *arena = rdv_arena_new(0);
    int rc;
    do {
        rc = rdv_reader_next(reader, arena, &record, NULL);
        if (rc == RDV_OK && (record.chain.n_steps > 64 || !record.chain.raw.p))
            abort();
        rdv_arena_reset(arena);
    } while (rc == RDV_OK || rc == RDV_E_INPUT || rc == RDV_E_LIMIT);
    rdv_arena_free(&arena);
    rdv_reader_close(&reader);
    return 0;
}
