/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Who may ask the server, by which rule replies are judged, and how much each may ask. No sockets
 * and no clock. Everything runs on the loop's thread. */
#include "judge/rule.h"
#include "server/usage.h"

#define ACCESS_KEY_BYTES 32  /* random bytes of a key */
#define ACCESS_HASH_BYTES 32 /* of its SHA-256 */
#define ACCESS_MOST_KEYS 10000

/* What the operator's rules say of a holder. */
typedef struct access_rule {
    judge_rule judging;
    usage_limits limits;
} access_rule;

/* Whoever asks with a key, or without one where none is needed. */
typedef struct access_holder {
    rdv_str name;                          /* p == NULL: of those without a key */
    unsigned char hash[ACCESS_HASH_BYTES]; /* of the key */
    access_rule rule;
    usage *usage; /* held */
} access_holder;

typedef struct access_list {
    rdv_arena *arena;
    access_holder anybody; /* its rule holds for each key that has none of its own */
    access_holder *keys;   /* n of them; 0: no key is needed */
    size_t n, cap;
    size_t uses;
} access_list;

/* Without keys, and with the default rule. *out: released with access_release(). NULL: out of
 * memory. */
access_list *access_new(void);
access_list *access_hold(access_list *a);
/* The last release frees it. NULL and *NULL are accepted. */
void access_release(access_list **a);

/* Add a key by its hash. Faults: RDV_E_NOMEM, RDV_E_INPUT (the name stands twice, or is none:
 * letters, digits, '.', '_' and '-', at most 64). */
int access_add(access_list *a, rdv_str name, const unsigned char hash[ACCESS_HASH_BYTES],
               rdv_error *err);
/* Hash a key. */
void access_hash(rdv_str key, unsigned char hash[ACCESS_HASH_BYTES]);
/* The holder of that name; NULL: there is none. */
access_holder *access_named(access_list *a, rdv_str name);

/* The holder of a request with that key (p == NULL: none); NULL: it may not ask. Takes the same
 * time for each key of one length, whether it is right or not. */
access_holder *access_find(access_list *a, rdv_str key);
/* What holders of the same names have used goes on to count. */
void access_adopt(access_list *now, access_list *before);
