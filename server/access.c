/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access.h"
#include "base/arena.h"
#include "base/str.h"

#include <math.h>
#include <nettle/sha2.h>
#include <stdlib.h>

#define MOST_NAME 64
#define MINUTE_MS 60000.0

access_list *access_new(void)
{
    access_list *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->uses = 1;
    a->anybody.rule.judging = judge_rule_default();
    a->arena = rdv_arena_new(0);
    if (!a->arena)
        access_release(&a);
    return a;
}

access_list *access_hold(access_list *a)
{
    a->uses++;
    return a;
}

void access_release(access_list **handle)
{
    access_list *a = handle ? *handle : NULL;
    if (!a)
        return;
    *handle = NULL;
    if (--a->uses)
        return;
    rdv_arena_free(&a->arena);
    free(a);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static bool is_name(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!rdv_is_alnum(s.p[i]) && !strchr("._-", s.p[i]))
            return false;
    return s.len > 0 && s.len <= MOST_NAME;
}

access_holder *access_named(access_list *a, rdv_str name)
{
    for (size_t i = 0; i < a->n; i++)
        if (rdv_str_eq(a->keys[i].name, name))
            return &a->keys[i];
    return NULL;
}

int access_add(access_list *a, rdv_str name, const unsigned char hash[ACCESS_HASH_BYTES],
               rdv_error *err)
{
    if (!is_name(name))
        return rdv_fail(err, RDV_E_INPUT,
                        "the name of a key has 1 to %d letters, digits, '.', '_' and '-'",
                        MOST_NAME);
    if (access_named(a, name))
        return rdv_fail(err, RDV_E_INPUT, "the key '%.*s' stands twice", RDV_FMT(name));
    if (a->n == ACCESS_MOST_KEYS)
        return rdv_fail(err, RDV_E_INPUT, "more than %d keys", ACCESS_MOST_KEYS);
    rdv_str copy = rdv_str_copy(a->arena, name);
    if (!copy.p || !RDV_PUSH_ROOM(a->arena, a->keys, a->n, a->cap))
        return rdv_no_memory(err);
    access_holder *h = &a->keys[a->n++];
    *h = (access_holder){.name = copy, .rule = a->anybody.rule};
    memcpy(h->hash, hash, ACCESS_HASH_BYTES);
    return RDV_OK;
}

void access_hash(rdv_str key, unsigned char hash[ACCESS_HASH_BYTES])
{
    struct sha256_ctx h;
    sha256_init(&h);
    sha256_update(&h, key.len, (const uint8_t *)(key.p ? key.p : ""));
    sha256_digest(&h, ACCESS_HASH_BYTES, hash);
}

static bool same_hash(const unsigned char *a, const unsigned char *b)
{
    unsigned char differs = 0;
    for (size_t i = 0; i < ACCESS_HASH_BYTES; i++)
        differs |= a[i] ^ b[i];
    return differs == 0;
}

access_holder *access_find(access_list *a, rdv_str key)
{
    unsigned char hash[ACCESS_HASH_BYTES];
    access_holder *found = NULL;
    if (a->n == 0)
        return &a->anybody;
    access_hash(key, hash);
    for (size_t i = 0; i < a->n; i++) { /* all of them, wherever the right one stands */
        bool same = same_hash(a->keys[i].hash, hash);
        found = same ? &a->keys[i] : found;
    }
    return key.p ? found : NULL;
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* What has become free since the last request. */
static void refill(access_holder *h, uint64_t now_ms)
{
    double most = h->rule.per_minute;
    if (h->at_ms == 0)
        h->left = most;
    else
        h->left += (double)(now_ms - h->at_ms) * most / MINUTE_MS;
    h->left = h->left < most ? h->left : most;
    h->at_ms = now_ms ? now_ms : 1;
}

bool access_enter(access_holder *h, uint64_t now_ms, api_error *e)
{
    const access_rule *r = &h->rule;
    if (r->at_once && h->open >= r->at_once) {
        api_error_set(e, 429, NULL, "%u requests are being answered, which is the limit.",
                      r->at_once);
        e->code = "rate_limit_exceeded";
        return false;
    }
    if (r->per_minute)
        refill(h, now_ms);
    if (r->per_minute && h->left < 1) {
        api_error_set(e, 429, NULL, "The limit is %u requests a minute.", r->per_minute);
        e->code = "rate_limit_exceeded";
        e->retry_after = (unsigned)ceil((1 - h->left) * 60 / r->per_minute);
        return false;
    }
    h->left -= r->per_minute ? 1 : 0;
    h->open++;
    return true;
}

void access_leave(access_holder *h)
{
    h->open--;
}
