/* SPDX-License-Identifier: Apache-2.0 */
#include "prompts.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define MAX_PROMPTS 1000
#define MAX_NESTED 8
#define MAX_BYTES ((size_t)1 << 20)

struct finding {
    rdv_arena *arena;
    rdv_prompt_text *found;
    size_t n, cap;
    rdv_error *err;
};

static int cannot_read(struct finding *f, const char *path)
{
    return rdv_fail(f->err, RDV_E_IO, "--prompt-dir: %s: %s", path, strerror(errno));
}

static int out_of_memory(struct finding *f)
{
    return rdv_fail(f->err, RDV_E_NOMEM, "out of memory");
}

static int read_file(struct finding *f, const char *path, rdv_str *text)
{
    char piece[4096];
    size_t len;
    rdv_buf all;
    FILE *file = fopen(path, "r");
    if (!file)
        return cannot_read(f, path);
    rdv_buf_init(&all, f->arena, MAX_BYTES);
    while ((len = fread(piece, 1, sizeof piece, file)) > 0 && rdv_buf_ok(&all))
        rdv_buf_add(&all, (rdv_str){piece, len});
    int code = ferror(file) ? cannot_read(f, path) : RDV_OK;
    fclose(file);
    if (code == RDV_OK && !rdv_buf_ok(&all))
        return rdv_fail(f->err, RDV_E_LIMIT, "--prompt-dir: %s is too long for a prompt", path);
    *text = rdv_buf_str(&all);
    return code;
}

static int add_prompt(struct finding *f, const char *path, rdv_str id)
{
    if (f->n == MAX_PROMPTS)
        return rdv_fail(f->err, RDV_E_LIMIT, "--prompt-dir: more than %d prompts", MAX_PROMPTS);
    if (!RDV_PUSH_ROOM(f->arena, f->found, f->n, f->cap))
        return out_of_memory(f);
    rdv_prompt_text *prompt = &f->found[f->n];
    prompt->id = id;
    int code = read_file(f, path, &prompt->text);
    f->n += code == RDV_OK;
    return code;
}

static int read_folder(struct finding *f, const char *path, rdv_str prefix, int depth);

static int read_entry(struct finding *f, const char *folder, rdv_str prefix, const char *name,
                      int depth)
{
    struct stat info;
    rdv_str path = rdv_str_printf(f->arena, "%s/%s", folder, name);
    rdv_str id = rdv_str_printf(f->arena, "%.*s%s", RDV_FMT(prefix), name);
    if (!path.p || !id.p)
        return out_of_memory(f);
    if (stat(path.p, &info) != 0)
        return cannot_read(f, path.p);
    if (S_ISDIR(info.st_mode)) {
        id = rdv_str_printf(f->arena, "%.*s/", RDV_FMT(id));
        return id.p ? read_folder(f, path.p, id, depth + 1) : out_of_memory(f);
    }
    if (!rdv_ends(id, RDV_STR(".md")) || !S_ISREG(info.st_mode))
        return RDV_OK;
    return add_prompt(f, path.p, rdv_slice(id, 0, id.len - 3));
}

static int read_folder(struct finding *f, const char *path, rdv_str prefix, int depth)
{
    if (depth > MAX_NESTED)
        return rdv_fail(f->err, RDV_E_LIMIT, "--prompt-dir: %s is nested too deep", path);
    DIR *folder = opendir(path);
    if (!folder)
        return cannot_read(f, path);
    int code = RDV_OK;
    const struct dirent *entry;
    while (code == RDV_OK && (entry = readdir(folder)))
        if (entry->d_name[0] != '.')
            code = read_entry(f, path, prefix, entry->d_name, depth);
    closedir(folder);
    return code;
}

static int by_id(const void *a, const void *b)
{
    return rdv_str_cmp(((const rdv_prompt_text *)a)->id, ((const rdv_prompt_text *)b)->id);
}

int prompts_read(const char *dir, rdv_arena *arena, rdv_prompt_text **out, size_t *n,
                 rdv_error *err)
{
    struct finding f = {.arena = arena, .err = err};
    int code = read_folder(&f, dir, RDV_STR(""), 0);
    if (code != RDV_OK)
        return code;
    if (f.n == 0)
        return rdv_fail(err, RDV_E_INPUT, "--prompt-dir %.200s: there is no prompt (NAME.md)", dir);
    qsort(f.found, f.n, sizeof *f.found, by_id);
    *out = f.found;
    *n = f.n;
    return RDV_OK;
}
