/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The world in which the simulator runs the driver: what is to be done, what goes wrong, and the
 * clock. A seed decides all of it. The driver, the backends, the journal and the plans are the
 * production code; only run/http.h (network.c), run/clock.h (network.c) and the files under SQLite
 * (disk.c) are simulated. One thread. */
#include "base/map.h"
#include "base/rng.h"
#include <rederive/run.h>

/* Every setting is a number, so that `name=value` sets it and shrinking can lower it. A weight says
 * how often this fault occurs among the faults. */
#define WORLD_SETTINGS(X)                                                                          \
    X(work, "0: check, 1: solve, 2: repair, 3: beam search")                                       \
    X(plans, "plans of a run")                                                                     \
    X(chains, "solutions of a question; steps of a beam search")                                   \
    X(method, "the first method, by its place in the list")                                        \
    X(methods, "methods at a time")                                                                \
    X(paper, "1: the profile `paper`")                                                             \
    X(jobs, "calls in flight for each server")                                                     \
    X(open, "plans that are open at a time")                                                       \
    X(servers, "servers of the model")                                                             \
    X(able, "1: the servers have every ability, 0: chat alone")                                    \
    X(latency, "the longest time of an ordinary reply, in milliseconds")                           \
    X(retries, "tries of a call after the first")                                                  \
    X(faults, "faults in all; then nothing goes wrong any more")                                   \
    X(often, "calls of 1000 that meet a fault")                                                    \
    X(unreachable, "weight: no connection")                                                        \
    X(broken, "weight: the connection breaks in the middle of the body")                           \
    X(silent, "weight: half-open, nothing ever comes")                                             \
    X(stalled, "weight: the body begins, and stops coming")                                        \
    X(cut, "weight: a whole response whose body is cut off")                                       \
    X(garbage, "weight: a body that is no reply")                                                  \
    X(busy, "weight: 429, with every kind of Retry-After")                                         \
    X(down, "weight: 500, 502, 503, 504, 408")                                                     \
    X(odd, "weight: 202, 204, 206")                                                                \
    X(refuses, "weight: a server that no longer takes a member of the request")                    \
    X(late, "weight: a reply that is whole as the time is up")                                     \
    X(twice, "weight: a response, or the last event of a stream, that comes twice")                \
    X(kills, "crashes of the process, each at a write")                                            \
    X(powers, "losses of power: what was not synchronised may be lost")                            \
    X(at, "the write of the first session at which it crashes; 0: any")                            \
    X(lies, "1: the disk says that it synchronised, and did not")                                  \
    X(full, "times that the disk is full")                                                         \
    X(stops, "times that the user ends the run")                                                   \
    X(budget, "calls that a run may make; 0: any number")                                          \
    X(rivals, "times that a second process opens the journal of a run")                            \
    X(rpm, "calls a minute that a host may be sent; 0: any number")                                \
    X(tpm, "tokens a minute of a host; 0: any number")                                             \
    X(tokens, "tokens that a run may use; 0: any number")                                          \
    X(cost, "millionths of a dollar that a run may cost; 0: any amount")                           \
    X(seconds, "seconds that a run may take; 0: any time")                                         \
    X(checker, "1: another model of the same host checks, 2: of another host")                     \
    X(software, "what the servers say that they are, by its place in a list; 0: nothing")          \
    X(lacks, "bits: members of requests that no server takes")                                     \
    X(able_to, "bits: holds replies to a schema, to a choice, goes on with a turn, gives it back") \
    X(untold, "responses of 100 that do not say their usage")                                      \
    X(dense, "tokens of 16 bytes of a prompt")                                                     \
    X(choices, "choices that a server gives at most to one call; 0: it passes over `n`")           \
    X(choosy, "1: a call that wants more choices is refused")                                      \
    X(gaps, "choices of 100 that are no reply")

typedef struct settings {
#define X(name, what) uint32_t name;
    WORLD_SETTINGS(X)
#undef X
} settings;

/* What is noted of a world, by what it is about: each is a hash of lines, which --tell prints. */
typedef enum theme {
    NOTE_CALLS,   /* what is sent when, and what is abandoned */
    NOTE_WAITS,   /* how long the run wants to wait */
    NOTE_SAID,    /* notices, what the servers are found to be, why a run ended */
    NOTE_TOTALS,  /* of progress, of the end, of each server */
    NOTE_RECORDS, /* what came of each plan, and when it was handed over */
    N_THEMES
} theme;

/* What is known of a key: a set that grows. */
typedef struct key_set {
    unsigned char (*keys)[32];
    size_t n, cap;
} key_set;

typedef struct world {
    settings set;
    uint64_t seed;
    rdv_rng rng;          /* of everything that goes wrong */
    uint64_t began;       /* when the session began */
    uint64_t now;         /* milliseconds of the simulated clock; it never goes back */
    bool calm;            /* nothing goes wrong: the undisturbed run */
    bool dead;            /* every call fails */
    uint32_t left;        /* faults that may still be made */
    rdv_run *run;         /* the run now in progress */
    rdv_journal *journal; /* its journal; NULL: none */
    bool crashed;     /* the process is dead: nothing reaches the disk or the network any more */
    uint64_t stop_at; /* when the user ends the run; UINT64_MAX: never */
    unsigned refused; /* members that each server no longer takes, bits by server * 4 + member */
    /* what was seen in this session */
    uint64_t waits;                            /* of the run */
    uint64_t calls;                            /* sent to a model */
    uint64_t prompt_tokens, completion_tokens; /* of the responses that arrived */
    bool tell;                                 /* print what is noted */
    uint64_t notes[N_THEMES];
    key_set committed; /* what the journal held when the session began */
    key_set answered;  /* what was answered in this session */
    key_set asked;     /* ever */
    /* in all */
    uint64_t all_calls, all_faults, all_crashes, sessions;
    char fault[1024];    /* the first broken promise; empty: none */
    const char *promise; /* which it is, whatever the details; NULL: none */
} world;

/* The settings that a seed draws. */
void settings_draw(settings *s, uint64_t seed);
/* Whether the servers are llama.cpp, and give several choices, of which they count the first. */
bool world_counts_first(const settings *s);
/* Raise to one what must not be zero. */
void settings_raise(settings *s);
/* The number of settings, and the place, name and meaning of each. */
size_t settings_count(void);
uint32_t *settings_at(settings *s, size_t i, const char **name, const char **what);

/* Say that a promise is broken. Only the first is kept. */
void world_broken(world *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Note what happened now. */
void world_note(world *w, theme about, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* True in `of` of 1000 cases. */
bool world_chance(world *w, uint32_t of);

bool keys_have(const key_set *s, const unsigned char key[32]);
void keys_add(key_set *s, const unsigned char key[32]);
void keys_clear(key_set *s);
void keys_free(key_set *s);

#define API_KEY "sk-simulated-5f0c2a9be7"
