/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A reader, in addition to the public header. */
#include "data/json_stream.h"
#include "data/notes.h"

/* Bytes of its input that the reader has taken so far (packed ones of a packed file), for progress;
 * it reads some ahead. */
uint64_t rdv_reader_taken(const rdv_reader *reader);

/* As rdv_record_read(), of a record that was made of the bytes of `origin`; with options.places,
 * its chains say where their steps stand there. */
int rdv_record_read_from(rdv_str bytes, const rdv_origin *origin, const rdv_read_options *options,
                         rdv_arena *arena, rdv_record **records, size_t *n, rdv_error *err);

/* ---- records that are cut, and read later ----------------------------------------------------
 *
 * One thread cuts the records of a file, any number of threads read them, each with a reader of its
 * own. Reader and file are still what rdv_reader_next() makes of them. */

typedef struct rdv_cut {
    rdv_json_span span; /* the record's bytes, in the arena of rdv_reader_cut() */
    size_t number;      /* of the record in its file, from 1 */
    unsigned notes_told; /* bits of rdv_note_of: of records before it */
} rdv_cut;

/* Whether the next record may be cut. Else it is for rdv_reader_next(): the first of a file, and
 * those of a format whose records give several chains. */
bool rdv_reader_may_cut(const rdv_reader *reader);
/* Cut the next record into `arena`. Returns as rdv_reader_next() does. */
int rdv_reader_cut(rdv_reader *reader, rdv_arena *arena, rdv_cut *cut, rdv_error *err);
/* A reader for records that others cut. RDV_E_NOMEM. */
int rdv_cut_reader_new(rdv_reader **reader);
/* Read a record that `of` cut, which is open, and may cut others meanwhile. *record is as of
 * rdv_reader_next(), in the arena that the record was cut into; *kept, zero before: what is to be
 * told by rdv_reader_tell(), in the order of the records. RDV_NONE: it may give several chains or
 * none, which rdv_cut_begin() reads. Faults as of rdv_reader_next(). */
int rdv_cut_read(rdv_reader *by, const rdv_reader *of, const rdv_cut *cut, rdv_arena *arena,
                 rdv_record *record, rdv_kept_notes *kept, rdv_error *err);
/* Tell those of the notes that were not told of an earlier record. */
void rdv_reader_tell(rdv_reader *reader, const rdv_kept_notes *kept);
/* Read the chains of a record one after the other, in the thread of `of` and in the order of the
 * records: begin, then the next one until RDV_NONE. Faults as of rdv_reader_next(). */
int rdv_cut_begin(rdv_reader *by, rdv_reader *of, const rdv_cut *cut, rdv_error *err);
int rdv_cut_next(rdv_reader *by, rdv_arena *arena, rdv_record *record, rdv_error *err);
