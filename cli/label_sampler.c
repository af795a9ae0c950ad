/* SPDX-License-Identifier: Apache-2.0 */
#include "label_sampler.h"

#include "base/arena.h"
#include "base/str.h"
#include "study/task_name.h"
#include "search/repair.h"

#include <rederive/data.h>

#include <sys/stat.h>

static int add(struct label_sampler *s, const rdv_chain *chain, rdv_arena *keep, rdv_arena *scratch)
{
    rdv_str task;
    if (chain->label.kind == RDV_LABEL_UNKNOWN)
        return RDV_OK;
    size_t n = s->tasks.n, at;
    if (task_name(chain, scratch, &task) < 0 || !RDV_PUSH_ROOM(keep, s->of, n, s->cap) ||
        interner_add(&s->tasks, task, &at) < 0)
        return RDV_E_NOMEM;
    if (at == n)
        s->of[at] = (rdv_locations){0};
    return rdv_locations_add(&s->of[at], chain->label, keep);
}

static int read_file(struct label_sampler *s, const char *path, const struct settings *settings,
                     rdv_arena *keep, rdv_error *err)
{
    rdv_read_options options = {.size = sizeof options,
                                .format = settings->format,
                                .join = settings->join.items,
                                .n_join = settings->join.n};
    rdv_reader *reader;
    rdv_arena *scratch = rdv_arena_new(0);
    int code = scratch ? rdv_reader_open(path, &options, &reader, err) : rdv_no_memory(err);
    if (code != RDV_OK) {
        rdv_arena_free(&scratch);
        return code;
    }
    while (code == RDV_OK || code == RDV_E_INPUT || code == RDV_E_LIMIT) {
        rdv_record record;
        rdv_arena_reset(scratch);
        code = rdv_reader_next(reader, scratch, &record, err);
        if (code == RDV_OK && record.kind == RDV_RECORD_CHAIN &&
            add(s, &record.chain, keep, scratch) < 0)
            code = rdv_no_memory(err);
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

int label_sampler_read(struct label_sampler *s, const struct settings *settings, rdv_arena *keep,
                       rdv_error *err)
{
    int code = RDV_OK;
    *s = (struct label_sampler){0};
    interner_init(&s->tasks, keep);
    if (settings->locations)
        return read_file(s, settings->locations, settings, keep, err);
    bool files = settings->in.n > 0;
    for (size_t i = 0; i < settings->in.n; i++)
        files &= is_file(settings->in.items[i]);
    if (!files)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "a simulated locator reads the labels first, but this input can be read "
                        "only once; name labelled chains with --locations FILE");
    for (size_t i = 0; i < settings->in.n && code == RDV_OK; i++) {
        code = read_file(s, settings->in.items[i], settings, keep, err);
        if (code == RDV_E_FORMAT)
            code = RDV_OK; /* this is told when the file is read as input */
    }
    return code;
}

const rdv_locations *label_sampler_of(const struct label_sampler *s, const rdv_chain *chain,
                                      rdv_arena *scratch)
{
    rdv_str task;
    if (task_name(chain, scratch, &task) < 0)
        return NULL;
    size_t at = rdv_map_get(&s->tasks.map, task.p ? task : RDV_STR(""));
    return at == RDV_MAP_MISSING ? NULL : &s->of[at];
}
