/* SPDX-License-Identifier: Apache-2.0 */
#include "locations.h"
#include "task_name.h"

#include "base/arena.h"
#include "base/str.h"

#include <rederive/data.h>

#include <sys/stat.h>

static int out_of_memory(rdv_error *err)
{
    return rdv_fail(err, RDV_E_NOMEM, "out of memory");
}

static int add(struct locations *l, const rdv_chain *chain, rdv_arena *keep, rdv_arena *scratch)
{
    rdv_str task;
    if (chain->label.is == RDV_LABEL_UNKNOWN)
        return RDV_OK;
    if (task_name(chain, scratch, &task) < 0)
        return RDV_E_NOMEM;
    task = task.p ? task : RDV_STR("");
    size_t at = rdv_map_get(&l->by_task, task);
    if (at == RDV_MAP_MISSING) {
        rdv_str copy = rdv_str_copy(keep, task);
        if (!copy.p || !RDV_PUSH_ROOM(keep, l->of, l->n, l->cap) ||
            rdv_map_put(&l->by_task, copy, l->n) < 0)
            return RDV_E_NOMEM;
        at = l->n;
        l->of[l->n++] = (rdv_locations){0};
    }
    return rdv_locations_add(&l->of[at], chain->label, keep);
}

static int read_file(struct locations *l, const char *path, const struct settings *settings,
                     rdv_arena *keep, rdv_error *err)
{
    rdv_read_options options = {.size = sizeof options,
                                .format = settings->format,
                                .join = settings->join.items,
                                .n_join = settings->join.n};
    rdv_reader *reader;
    rdv_arena *scratch = rdv_arena_new(0);
    int code = scratch ? rdv_reader_open(path, &options, &reader, err) : out_of_memory(err);
    if (code != RDV_OK) {
        rdv_arena_free(&scratch);
        return code;
    }
    while (code != RDV_NONE && code != RDV_E_NOMEM && code != RDV_E_IO) {
        rdv_record record;
        rdv_arena_reset(scratch);
        code = rdv_reader_next(reader, scratch, &record, err);
        if (code == RDV_OK && record.is == RDV_RECORD_CHAIN &&
            add(l, &record.chain, keep, scratch) < 0)
            code = out_of_memory(err);
    }
    rdv_reader_close(&reader);
    rdv_arena_free(&scratch);
    return code == RDV_NONE ? RDV_OK : code;
}

static bool is_file(const char *path)
{
    struct stat info;
    return strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

int locations_read(struct locations *l, const struct settings *settings, rdv_arena *keep,
                   rdv_error *err)
{
    int code = RDV_OK;
    *l = (struct locations){0};
    rdv_map_init(&l->by_task, keep);
    if (settings->locations)
        return read_file(l, settings->locations, settings, keep, err);
    bool files = settings->in.n > 0;
    for (size_t i = 0; i < settings->in.n; i++)
        files &= is_file(settings->in.items[i]);
    if (!files)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "a simulated locator reads the labels first, but this input can be read "
                        "only once; name labelled chains with --locations FILE");
    for (size_t i = 0; i < settings->in.n && code == RDV_OK; i++)
        code = read_file(l, settings->in.items[i], settings, keep, err);
    return code;
}

const rdv_locations *locations_of(const struct locations *l, const rdv_chain *chain,
                                  rdv_arena *scratch)
{
    rdv_str task;
    if (task_name(chain, scratch, &task) < 0)
        return NULL;
    size_t at = rdv_map_get(&l->by_task, task.p ? task : RDV_STR(""));
    return at == RDV_MAP_MISSING ? NULL : &l->of[at];
}
