/* SPDX-License-Identifier: Apache-2.0 */
#include "model/json_load.h"

#include <stdlib.h>
#include <threads.h>

static _Thread_local bool malloc_failed;

static void *noted_malloc(size_t size)
{
    void *p = malloc(size);
    malloc_failed |= !p;
    return p;
}

static once_flag lock_is_made = ONCE_FLAG_INIT;
static mtx_t lock;

static void make_lock(void)
{
    mtx_init(&lock, mtx_plain);
}

/* jansson's allocator belongs to the whole process; with the lock no thread reads while another
 * one's first call writes. */
static void note_failures(void)
{
    json_malloc_t allocate;
    json_free_t release;
    call_once(&lock_is_made, make_lock);
    mtx_lock(&lock);
    json_get_alloc_funcs(&allocate, &release);
    if (allocate == malloc && release == free)
        json_set_alloc_funcs(noted_malloc, free);
    mtx_unlock(&lock);
}

json_t *json_load(rdv_str text, size_t flags, json_error_t *why, bool *no_memory)
{
    note_failures();
    malloc_failed = false;
    json_t *root = json_loadb(text.p ? text.p : "", text.len, flags, why);
    *no_memory = malloc_failed;
    if (!*no_memory)
        return root;
    json_decref(root);
    return NULL;
}
