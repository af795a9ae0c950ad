/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Where the steps of a chain stand in the file that they were read from: line, column and byte, for
 * every format, through unpacking, decoding, joining and splitting. The copies that reading made
 * say it (base/copies.h); what no copy leads to has no place. */
#include "base/copies.h"
#include "data/members.h"

/* A place in a file. Of a packed file, in what is unpacked. */
typedef struct rdv_place {
    size_t line, column; /* from 1; columns are characters (code points) of the line */
    uint64_t offset;     /* bytes from the beginning, from 0 */
} rdv_place;

/* The bytes of a file that hold one record. */
typedef struct rdv_origin {
    rdv_str bytes;      /* p == NULL: not known */
    rdv_place begin;    /* where they stand */
    rdv_copies *copies; /* how the record's text was made of them; NULL: it is they */
} rdv_origin;

typedef struct rdv_step_piece {
    size_t at, n;    /* bytes of the step */
    rdv_place begin; /* where they stand */
    size_t from_n;   /* bytes there: more or fewer than `n` where the piece is one character that
                        is written in another way */
} rdv_step_piece;

typedef struct rdv_step_pieces {
    rdv_step_piece *items;
    size_t n, cap;
} rdv_step_pieces;

struct rdv_places {
    rdv_str part;    /* the member of an archive that they are in; p == NULL: of the file itself */
    rdv_place begin; /* of the record */
    const rdv_str *texts;         /* the steps that the places are of */
    const rdv_step_pieces *steps; /* n of them */
    size_t n;
};

/* Finds lines and columns within an origin; zero but for `origin` and `arena`. */
typedef struct rdv_place_finder {
    const rdv_origin *origin;
    rdv_arena *arena;
    rdv_place *marks; /* of each 4096th byte that was passed */
    size_t n, cap;
    size_t at; /* byte of the origin that `here` is of */
    rdv_place here;
} rdv_place_finder;

/* *place moved on by the `n` bytes at `p`. */
void rdv_place_pass(rdv_place *place, const char *p, size_t n);
void rdv_place_finder_init(rdv_place_finder *f, const rdv_origin *origin, rdv_arena *arena);

/* Note where the texts of a decoded value stand in its JSON, `raw`. */
void rdv_places_note(rdv_copies *log, rdv_str raw, const json_t *value);
/* The places of the chain's steps in f->origin, in `arena`: `log` has the copies that the reading
 * of the record made. Faults: RDV_E_NOMEM. */
int rdv_places_make(rdv_place_finder *f, rdv_copies *log, const rdv_chain *chain, rdv_str part,
                    rdv_arena *arena, const struct rdv_places **out, rdv_error *err);

/* Where bytes begin..end of a step stand, end > begin. false: it is not known. */
bool rdv_places_of(const struct rdv_places *places, size_t step, size_t begin, size_t end,
                   rdv_place *from, rdv_place *to);
