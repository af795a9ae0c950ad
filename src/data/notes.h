/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Notes about a file that are no faults: each is given once for a file, for the first record that
 * it is about. */
#include <rederive/data.h>

typedef enum rdv_note_of {
    RDV_NOTE_NONFINITE = 1,   /* NaN or Infinity was read as null */
    RDV_NOTE_NO_QUESTION = 2, /* a reply is without its question */
    RDV_NOTE_FILTERS = 4      /* the same reply stands in the file several times */
} rdv_note_of;

typedef struct rdv_notes {
    void (*tell)(void *payload, const char *message); /* NULL: nobody listens */
    void *payload;
    const char *path; /* NULL: a record in memory */
    size_t line;      /* of the current record */
    unsigned told;    /* bits of rdv_note_of */
    uint64_t filter;  /* hash of the first filter of lm-evaluation-harness; 0: none yet */
} rdv_notes;

/* Give the note as "PATH:LINE: TEXT", unless it was given before. `notes` may be NULL. */
void rdv_note(rdv_notes *notes, rdv_note_of of, const char *text);
