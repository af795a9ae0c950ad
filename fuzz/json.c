/* SPDX-License-Identifier: Apache-2.0 */
/* The scanner that cuts records into members, against jansson: what one takes as an object, the
 * other takes too, and the bytes of each member are the member. What can be decoded can be read as
 * evidence, and nothing else. */
#include "base/str.h"
#include "data/evidence.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What jansson refuses for other reasons than ours: depth, numbers, Unicode, a NUL in a name. */
static bool refuses_grammar(const json_error_t *why)
{
    return json_error_code(why) == json_error_invalid_syntax &&
           !rdv_starts(rdv_str_of(why->text), RDV_STR("invalid Unicode"));
}

static void check_member(rdv_members *m, size_t i, const json_t *whole)
{
    json_t *value;
    rdv_evidence *note;
    int rc = rdv_decode(m->items[i].raw, &value, NULL);
    int read = rdv_evidence_read(m->items[i].raw, false, m->arena, &note, NULL);
    if (rc != read && rc != RDV_E_NOMEM && read != RDV_E_NOMEM)
        abort();
    rdv_evidence_read(m->items[i].raw, true, m->arena, &note, NULL);
    if (rc != RDV_OK)
        return;
    if (memchr(m->items[i].name.p, '\0', m->items[i].name.len) == NULL) {
        char *name = rdv_cstring(m->arena, m->items[i].name);
        if (whole && !json_equal(value, json_object_get(whole, name)))
            abort();
    }
    json_decref(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const rdv_limits limits = {SIZE_MAX, RDV_MAX_DEPTH, SIZE_MAX, 1000};
    rdv_arena *arena = rdv_arena_new((size_t)64 << 20);
    rdv_str text = {(const char *)data, size};
    rdv_members m;
    size_t at = 0;
    json_error_t why = {0};
    json_t *whole = json_loadb(text.p, size, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &why);
    int rc = rdv_members_read(&m, text, &limits, arena, &at, NULL);
    if (rc == RDV_OK && !whole && refuses_grammar(&why))
        abort();
    for (size_t i = 0; rc == RDV_OK && i < m.n; i++)
        check_member(&m, i, whole);
    if (at > size)
        abort();
    rdv_members_free(&m);
    json_decref(whole);
    rdv_arena_free(&arena);
    return 0;
}
