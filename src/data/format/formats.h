/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The formats in which records are published. */
#include "data/chain_builder.h"

#define RDV_FORMAT_MEMBERS 6
/* The prefix of the names of Rederive's native formats. */
#define RDV_OWN "rederive-"

typedef struct rdv_format {
    const char *name;
    const char *about; /* one line */
    /* A record is of this form when it has all of these members and `is` (may be NULL) agrees. */
    const char *members[RDV_FORMAT_MEMBERS];
    bool (*is)(const rdv_members *in);
    size_t (*chains)(rdv_chain_builder *m); /* how many the record gives; NULL: one */
    void (*read)(rdv_chain_builder *m);     /* makes chain number m->index */
    /* What an API, a log or a training set holds, never a record of ours that carries such members
     * along; an object of this form is a record though all its members are objects. */
    bool foreign;
    /* Anybody writes records of this form, so their other members are the user's and are kept. */
    bool keeps_unknown;
} rdv_format;

/* The format of the record, or NULL. */
const rdv_format *rdv_format_of(const rdv_members *in);
const rdv_format *rdv_format_named(const char *name);
/* Is the record in Rederive's native format, so that its bytes are kept? */
bool rdv_format_is_native(const rdv_format *format);
/* Is the object a record of a form that is marked as `foreign`? */
bool rdv_format_is_foreign(const rdv_members *in);
