/* SPDX-License-Identifier: Apache-2.0 */
#include "inputs.h"
#include "folder.h"

#include "base/arena.h"
#include "settings.h"

#include <string.h>
#include <sys/stat.h>

/* Does the file's first record ask one request of a batch? Only regular files are looked into: what
 * is read from a pipe is gone. A file that cannot be read is reported when its turn comes. */
static bool has_requests(const char *path, rdv_arena *arena)
{
    struct stat info;
    rdv_reader *reader;
    rdv_record record;
    rdv_error err = {0};
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
        rdv_reader_open(path, NULL, &reader, &err) != RDV_OK)
        return false;
    bool has = rdv_reader_next(reader, arena, &record, &err) == RDV_OK &&
               strcmp(record.format, "batch-requests") == 0;
    rdv_reader_close(&reader);
    return has;
}

/* The input files, folders walked; NULL and a fault. */
static int list_files(struct inputs *inputs, const struct settings *s, struct folder_files *files,
                      rdv_arena *arena, rdv_error *err)
{
    int code = RDV_OK;
    for (size_t i = 0; i < s->in.n && code == RDV_OK; i++) {
        if (is_folder(s->in.items[i])) {
            code = folder_add(files, s->in.items[i], arena, err);
            inputs->walked = true;
            continue;
        }
        if (!RDV_PUSH_ROOM(arena, files->is, files->n, files->cap))
            return rdv_no_memory(err);
        files->is[files->n++] = s->in.items[i];
    }
    inputs->n_passed_over = files->passed_over;
    return code;
}

int inputs_sort(struct inputs *inputs, const struct settings *s, rdv_arena *arena, rdv_error *err)
{
    struct folder_files files = {0};
    int code = list_files(inputs, s, &files, arena, err);
    if (code != RDV_OK)
        return code;
    inputs->in = RDV_NEW_ARRAY(arena, const char *, files.n);
    inputs->join = RDV_NEW_ARRAY(arena, const char *, s->join.n + files.n);
    rdv_arena *looked = rdv_arena_new(0);
    if (!inputs->in || !inputs->join || !looked) {
        rdv_arena_free(&looked);
        return rdv_no_memory(err);
    }
    for (size_t i = 0; i < s->join.n; i++)
        inputs->join[inputs->n_join++] = s->join.items[i];
    for (size_t i = 0; i < files.n; i++) {
        bool requests = files.n > 1 && !s->format && has_requests(files.is[i], looked);
        if (requests)
            inputs->join[inputs->n_join++] = files.is[i];
        else
            inputs->in[inputs->n_in++] = files.is[i];
        rdv_arena_reset(looked);
    }
    rdv_arena_free(&looked);
    if (inputs->n_in > 0 || files.n == 0)
        return RDV_OK;
    for (size_t i = 0; i < files.n; i++) /* nothing but requests: they are the input */
        inputs->in[inputs->n_in++] = files.is[i];
    inputs->n_join = s->join.n;
    return RDV_OK;
}
