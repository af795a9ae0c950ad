/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access.h"
#include "base/arena.h"
#include "base/str.h"

#include <nettle/sha2.h>
#include <stdlib.h>

#define MOST_NAME 64

access_list *access_new(void)
{
    access_list *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->uses = 1;
    a->anybody.rule.judging = judge_rule_default();
    a->anybody.usage = usage_new();
    a->arena = rdv_arena_new(0);
    if (!a->arena || !a->anybody.usage)
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
    for (size_t i = 0; i < a->n; i++)
        usage_release(&a->keys[i].usage);
    usage_release(&a->anybody.usage);
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
    usage *used = usage_new();
    if (!copy.p || !used || !RDV_PUSH_ROOM(a->arena, a->keys, a->n, a->cap)) {
        usage_release(&used);
        return rdv_no_memory(err);
    }
    access_holder *h = &a->keys[a->n++];
    *h = (access_holder){.name = copy, .rule = a->anybody.rule, .usage = used};
    memcpy(h->hash, hash, ACCESS_HASH_BYTES);
    return RDV_OK;
}

static void adopt(access_holder *now, const access_holder *before)
{
    usage_release(&now->usage);
    now->usage = usage_hold(before->usage);
}

void access_adopt(access_list *now, access_list *before)
{
    adopt(&now->anybody, &before->anybody);
    for (size_t i = 0; i < now->n; i++) {
        const access_holder *same = access_named(before, now->keys[i].name);
        if (same)
            adopt(&now->keys[i], same);
    }
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
