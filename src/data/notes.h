/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Notes about a file that are no faults: each is given once for a file, for the first record that
 * it is about. */
#include <rederive/data.h>

typedef enum rdv_note_of {
    RDV_NOTE_NONFINITE = 1,   /* NaN or Infinity was read as null */
    RDV_NOTE_NO_QUESTION = 2, /* a reply, or steps, without a question */
    RDV_NOTE_FILTERS = 4,     /* the same reply stands in the file several times */
    RDV_NOTE_REASONING = 8,   /* what is left out: what a model thought, */
    RDV_NOTE_TURNS = 16,      /* its earlier replies in a chat, */
    RDV_NOTE_TOOLS = 32,      /* what its tools returned, */
    RDV_NOTE_LANGUAGE = 64,   /* calculations in the words of another language than English, */
    RDV_NOTE_OTHERS = 128     /* and what others than models said in the log of an application */
} rdv_note_of;

/* A note that is told later. */
typedef struct rdv_kept_note rdv_kept_note;
struct rdv_kept_note {
    rdv_note_of of;
    const char *message;
    rdv_kept_note *next;
};

typedef struct rdv_kept_notes {
    rdv_arena *arena;
    rdv_kept_note *first, *last;
} rdv_kept_notes;

typedef struct rdv_notes {
    void (*tell)(void *payload, const char *message); /* NULL: nobody listens */
    void *payload;
    const char *path; /* NULL: a record in memory */
    size_t line;      /* of the current record */
    unsigned told;    /* bits of rdv_note_of */
    bool left_out;    /* what is left out is told, too */
    uint64_t filter;  /* hash of the first filter of lm-evaluation-harness; 0: none yet */
    rdv_kept_notes *keep; /* notes go there in place of being told; NULL: they are told */
} rdv_notes;

/* Give the note as "PATH:LINE: TEXT", unless it was given before. `notes` may be NULL. */
void rdv_note(rdv_notes *notes, rdv_note_of of, const char *text);
/* The same for what is left out, where that is told: whether it still is to be looked for. */
bool rdv_note_wanted(const rdv_notes *notes, rdv_note_of of);
/* Give a note as it stands, unless one of its kind was given before. */
void rdv_note_tell(rdv_notes *notes, rdv_note_of of, const char *message);
