/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* One request for replies, from its body to the bytes of its response: what is asked of the model
 * for it, what has come, what can be sent. No sockets. */
#include "server/ask.h"
#include "server/responder.h"

typedef struct talk talk;

/* What all talks of a server share. */
typedef struct talk_house {
    responder responder;
    const rdv_str *names; /* of the model; the first is the one that is told */
    size_t n_names;
    size_t most;     /* replies that may be asked for at a time, by all together */
    size_t asked;    /* that are */
    uint64_t seed;   /* of those that give none; changes with each */
    uint64_t talks;  /* so far */
    uint64_t prefix; /* of their ids */
} talk_house;

/* Read the body and ask. *out: released with talk_free(). False: *f says why. */
bool talk_new(talk_house *house, ask_form form, rdv_str body, talk **out, fault *f);
/* Cancels what is still asked. NULL and *NULL are accepted. */
void talk_free(talk **t);

/* Take in an event of the responder, which must be one of a talk that is not freed. The talk. */
talk *talk_take(builtin_event *event);
/* End it: what is still asked is cancelled; the client is told `f`, as far as it can be. */
void talk_cut(talk *t, const fault *f);

/* Can a response be begun? Then its status and form are settled. */
bool talk_is_ready(const talk *t);
/* 200, or an error's. */
unsigned talk_status(const talk *t);
/* Is the response a stream of events? Else talk_is_ready() means that all of it is there. */
bool talk_streams(const talk *t);
/* What can be sent now; talk_sent() what was. */
rdv_str talk_bytes(const talk *t);
void talk_sent(talk *t, size_t n);
/* Nothing will follow what talk_bytes() has. */
bool talk_is_over(const talk *t);

/* For the log. */
typedef struct talk_counts {
    size_t replies;
    uint64_t prompt, completion; /* tokens */
} talk_counts;
talk_counts talk_count(const talk *t);
