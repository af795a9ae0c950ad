/* SPDX-License-Identifier: Apache-2.0 */
#include "folder.h"

#include "base/arena.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#define MOST_FILES 100000
#define MOST_DEPTH 32

static const char *const ends[] = {".jsonl", ".ndjson", ".json", ".csv",  ".tsv",
                                   ".txt",   ".md",     ".tex",  ".eval", ".log"};

bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool may_hold_records(const char *name)
{
    rdv_str s = rdv_str_of(name);
    if (rdv_ends(s, RDV_STR(".gz")))
        s = rdv_slice(s, 0, s.len - 3);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (rdv_ends(s, rdv_str_of(ends[i])))
            return true;
    return false;
}

static int shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int add_file(struct folder_files *files, const char *path, const char *name,
                    rdv_arena *arena, rdv_error *err)
{
    if (!may_hold_records(name)) {
        files->passed_over++;
        return RDV_OK;
    }
    if (files->n == MOST_FILES)
        return rdv_fail(err, RDV_E_LIMIT, "%.200s: more than %d files", path, MOST_FILES);
    if (!RDV_PUSH_ROOM(arena, files->is, files->n, files->cap))
        return rdv_no_memory(err);
    files->is[files->n++] = path;
    return RDV_OK;
}

static int walk(struct folder_files *files, const char *folder, unsigned depth, rdv_arena *arena,
                rdv_error *err);

/* One entry, in the first pass if it is a file, in the second if it is a folder. */
static int take(struct folder_files *files, const char *folder, const char *name, bool folders,
                unsigned depth, rdv_arena *arena, rdv_error *err)
{
    rdv_str base = rdv_str_of(folder);
    const char *slash = rdv_ends(base, RDV_STR("/")) ? "" : "/";
    rdv_str path = rdv_str_printf(arena, "%s%s%s", folder, slash, name);
    struct stat info;
    if (!path.p)
        return rdv_no_memory(err);
    if (lstat(path.p, &info) != 0)
        return RDV_OK; /* it is gone again */
    if (S_ISDIR(info.st_mode))
        return folders ? walk(files, path.p, depth + 1, arena, err) : RDV_OK;
    bool file = stat(path.p, &info) == 0 && S_ISREG(info.st_mode);
    return file && !folders ? add_file(files, path.p, name, arena, err) : RDV_OK;
}

static int walk(struct folder_files *files, const char *folder, unsigned depth, rdv_arena *arena,
                rdv_error *err)
{
    struct dirent **entries;
    if (depth > MOST_DEPTH)
        return rdv_fail(err, RDV_E_LIMIT, "%.200s: more than %d folders deep", folder, MOST_DEPTH);
    int n = scandir(folder, &entries, shown, alphasort);
    if (n < 0)
        return rdv_fail(err, RDV_E_IO, "%.200s: %s", folder, strerror(errno));
    int code = RDV_OK;
    for (int pass = 0; pass < 2 && code == RDV_OK; pass++)
        for (int i = 0; i < n && code == RDV_OK; i++)
            code = take(files, folder, entries[i]->d_name, pass == 1, depth, arena, err);
    for (int i = 0; i < n; i++)
        free(entries[i]);
    free(entries);
    return code;
}

int folder_add(struct folder_files *files, const char *folder, rdv_arena *arena, rdv_error *err)
{
    size_t before = files->n;
    int code = walk(files, folder, 0, arena, err);
    if (code == RDV_OK && files->n == before)
        return rdv_fail(err, RDV_E_INPUT,
                        "%.200s: this folder has no file that may hold records (.jsonl, .json, "
                        ".csv, .tsv, .txt, .md, .tex, .eval, .log, also with .gz)",
                        folder);
    return code;
}
