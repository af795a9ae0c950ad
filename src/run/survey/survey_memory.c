/* SPDX-License-Identifier: Apache-2.0 */
#include "run/survey/survey_memory.h"
#include "base/arena.h"
#include "base/str.h"

#include <stdlib.h>
#include <uv.h>

typedef struct entry {
    rdv_str url, model;
    uint64_t turn; /* of the survey under way; 0: none is */
    survey_found found;
} entry;

struct survey_memory {
    uv_mutex_t lock; /* protects everything below */
    rdv_arena *arena;
    entry *entries;
    size_t n, cap;
    uint64_t turns; /* given so far */
};

survey_memory *survey_memory_new(void)
{
    survey_memory *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->arena = rdv_arena_new(0);
    if (m->arena && uv_mutex_init(&m->lock) == 0)
        return m;
    rdv_arena_free(&m->arena);
    free(m);
    return NULL;
}

void survey_memory_free(survey_memory **handle)
{
    survey_memory *m = handle ? *handle : NULL;
    if (!m)
        return;
    *handle = NULL;
    uv_mutex_destroy(&m->lock);
    rdv_arena_free(&m->arena);
    free(m);
}

void survey_memory_forget(survey_memory *m)
{
    uv_mutex_lock(&m->lock);
    for (size_t i = 0; i < m->n; i++) {
        m->entries[i].found = (survey_found){0};
        m->entries[i].turn = 0;
    }
    uv_mutex_unlock(&m->lock);
}

static entry *find(const survey_memory *m, rdv_str url, rdv_str model)
{
    for (size_t i = 0; i < m->n; i++)
        if (rdv_str_eq(m->entries[i].url, url) && rdv_str_eq(m->entries[i].model, model))
            return &m->entries[i];
    return NULL;
}

/* NULL: out of memory. */
static entry *add(survey_memory *m, rdv_str url, rdv_str model)
{
    entry e = {.url = rdv_str_copy(m->arena, url), .model = rdv_str_copy(m->arena, model)};
    if (!e.url.p || !e.model.p || !RDV_PUSH_ROOM(m->arena, m->entries, m->n, m->cap))
        return NULL;
    m->entries[m->n] = e;
    return &m->entries[m->n++];
}

int survey_memory_look(survey_memory *m, rdv_str url, rdv_str model, survey_found *found)
{
    uv_mutex_lock(&m->lock);
    const entry *e = find(m, url, model);
    *found = e ? e->found : (survey_found){0};
    int rc = e && e->turn ? RDV_LATER : RDV_OK;
    uv_mutex_unlock(&m->lock);
    return rc;
}

int survey_memory_begin(survey_memory *m, rdv_str url, rdv_str model, uint64_t *turn)
{
    uv_mutex_lock(&m->lock);
    entry *e = find(m, url, model);
    bool later = e && e->turn;
    e = e ? e : add(m, url, model);
    *turn = 0;
    if (e && !later)
        *turn = e->turn = ++m->turns;
    uv_mutex_unlock(&m->lock);
    return later ? RDV_LATER : RDV_OK;
}

void survey_memory_end(survey_memory *m, rdv_str url, rdv_str model, uint64_t turn,
                       const survey_found *found)
{
    uv_mutex_lock(&m->lock);
    entry *e = find(m, url, model);
    bool counts = e && turn && e->turn == turn; /* else it was to be forgotten meanwhile */
    if (counts)
        e->turn = 0;
    if (counts && found)
        e->found = *found;
    uv_mutex_unlock(&m->lock);
}
