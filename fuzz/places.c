/* SPDX-License-Identifier: Apache-2.0 */
/* Files of any bytes through the reader of all formats with the places of steps: each place is
 * within the file, and its line and column are those of its byte. The first byte chooses the file's
 * name, and so what it is taken for. */
#include "data/places.h"

#include "base/str.h"
#include "data/source.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_place(rdv_str file, rdv_place place)
{
    rdv_place counted = {1, 1, 0};
    size_t mark = rdv_starts(file, RDV_STR("\xef\xbb\xbf")) ? 3 : 0;
    if (place.offset > file.len || place.offset < mark)
        abort();
    rdv_place_pass(&counted, file.p + mark, place.offset - mark);
    if (place.line != counted.line || place.column != counted.column)
        abort();
}

static void check_step(rdv_str file, const rdv_record *record, size_t step)
{
    rdv_place from, to;
    rdv_str text = record->chain.steps[step];
    for (size_t i = 0; i < text.len && i < 64; i++) {
        if (!rdv_places_of(record->places, step, i, i + 1, &from, &to))
            continue;
        if (((unsigned char)text.p[i] & 0xc0) == 0x80 || (unsigned char)text.p[i] >= 0xc0)
            continue; /* a part of a character has no place of its own */
        check_place(file, from);
        check_place(file, to);
        if (to.offset <= from.offset)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"in.csv", "in.txt", "in", "in.jsonl"};
    if (size == 0)
        return 0;
    const rdv_str file = {(const char *)data + 1, size - 1};
    rdv_str rest = file;
    const rdv_read_options options = {.size = sizeof options,
                                      .max_record_bytes = 4096,
                                      .max_steps = 64,
                                      .separator = data[0] & 4 ? "---" : NULL,
                                      .check_reasoning = true,
                                      .places = true};
    bool packed = rdv_starts(file, RDV_STR("\x1f\x8b")) || rdv_starts(file, RDV_STR("PK"));
    rdv_reader *reader;
    rdv_record record;
    if (rdv_reader_open_source(rdv_source_of(&rest), names[data[0] & 3], &options, &reader, NULL) !=
        RDV_OK)
        return 0;
    rdv_arena *arena = rdv_arena_new(0);
    int rc;
    do {
        rc = rdv_reader_next(reader, arena, &record, NULL);
        for (size_t i = 0; rc == RDV_OK && !packed && i < record.chain.n_steps && i < 64; i++)
            check_step(file, &record, i);
        rdv_arena_reset(arena);
    } while (rc == RDV_OK || rc == RDV_E_INPUT || rc == RDV_E_LIMIT);
    rdv_arena_free(&arena);
    rdv_reader_close(&reader);
    return 0;
}
