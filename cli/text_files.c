/* SPDX-License-Identifier: Apache-2.0 */
#include "text_files.h"
#include "whole_file.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define MAX_FILES 1000
#define MAX_NESTED 8
#define MAX_BYTES ((size_t)1 << 20)

struct finding {
    const char *option, *suffix;
    rdv_arena *arena;
    rdv_prompt_text *found;
    size_t n, cap;
    rdv_error *err;
};

static int cannot_read(struct finding *f, const char *path)
{
    return rdv_fail(f->err, RDV_E_IO, "%s: %s: %s", f->option, path, strerror(errno));
}

static int out_of_memory(struct finding *f)
{
    return rdv_no_memory(f->err);
}

static int read_file(struct finding *f, const char *path, rdv_str *text)
{
    int code = whole_file_read(path, MAX_BYTES, f->arena, text, f->err);
    if (code == RDV_NONE)
        return cannot_read(f, path);
    return code == RDV_OK ? code : rdv_wrap(f->err, code, "%s", f->option);
}

static int add_file(struct finding *f, const char *path, rdv_str id)
{
    if (f->n == MAX_FILES)
        return rdv_fail(f->err, RDV_E_LIMIT, "%s: more than %d files", f->option, MAX_FILES);
    if (!RDV_PUSH_ROOM(f->arena, f->found, f->n, f->cap))
        return out_of_memory(f);
    rdv_prompt_text *file = &f->found[f->n];
    *file = (rdv_prompt_text){.id = id};
    int code = read_file(f, path, &file->text);
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
    rdv_str suffix = rdv_str_of(f->suffix);
    if (!rdv_ends(id, suffix) || !S_ISREG(info.st_mode) || strcmp(name, "README.md") == 0)
        return RDV_OK;
    return add_file(f, path.p, rdv_slice(id, 0, id.len - suffix.len));
}

static int read_folder(struct finding *f, const char *path, rdv_str prefix, int depth)
{
    if (depth > MAX_NESTED)
        return rdv_fail(f->err, RDV_E_LIMIT, "%s: %s is nested too deep", f->option, path);
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

int text_files_read(const char *dir, const char *suffix, const char *option, rdv_arena *arena,
                    rdv_prompt_text **out, size_t *n, rdv_error *err)
{
    struct finding f = {.option = option, .suffix = suffix, .arena = arena, .err = err};
    int code = read_folder(&f, dir, RDV_STR(""), 0);
    if (code != RDV_OK)
        return code;
    if (f.n > 1)
        qsort(f.found, f.n, sizeof *f.found, by_id);
    *out = f.found;
    *n = f.n;
    return RDV_OK;
}

bool table_has_prompt(const method_table *table, rdv_str id)
{
    for (size_t i = 0; i < table->n_stages; i++) {
        rdv_str named = table->stages[i].prompt;
        if (rdv_str_eq(id, named) || (rdv_ends(named, RDV_STR("/")) && rdv_starts(id, named)))
            return true;
    }
    return false;
}

static bool has_no_fault(const rdv_prompt_text *text)
{
    rdv_prompt_text one = *text;
    rdv_prompts *prompts;
    one.added = true;
    bool ok = rdv_prompts_new(&one, 1, &prompts, NULL) == RDV_OK;
    rdv_prompts_free(&prompts);
    return ok;
}

/* Keep those of the n prompts that a table of the folder names; returns their number. */
static size_t keep_named(const rdv_prompt_text *tables, size_t n_tables, rdv_arena *arena,
                         rdv_prompt_text *prompts, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n_tables; i++) {
        method_table table;
        if (method_table_read(&table, tables[i].text, arena, NULL) != RDV_OK)
            continue;
        for (size_t k = kept; k < n; k++)
            if (table_has_prompt(&table, prompts[k].id) && has_no_fault(&prompts[k])) {
                rdv_prompt_text found = prompts[k];
                prompts[k] = prompts[kept];
                prompts[kept++] = found;
            }
    }
    return kept;
}

/* The prompts that the tables of a folder name. */
static int read_added(const char *dir, rdv_arena *arena, rdv_prompt_text **out, size_t *n,
                      rdv_error *err)
{
    rdv_prompt_text *tables = NULL;
    size_t n_tables = 0;
    int code = text_files_read(dir, ".md", "--method-dir", arena, out, n, err);
    if (code == RDV_OK)
        code = text_files_read(dir, ".method", "--method-dir", arena, &tables, &n_tables, err);
    if (code == RDV_OK)
        *n = keep_named(tables, n_tables, arena, *out, *n);
    return code;
}

int prompts_read(const char *prompt_dir, const char *method_dir, rdv_arena *arena,
                 rdv_prompt_text **out, size_t *n, rdv_error *err)
{
    rdv_prompt_text *added = NULL, *replaced = NULL;
    size_t n_added = 0, n_replaced = 0;
    int code = RDV_OK;
    if (method_dir)
        code = read_added(method_dir, arena, &added, &n_added, err);
    if (code == RDV_OK && prompt_dir)
        code =
            text_files_read(prompt_dir, ".md", "--prompt-dir", arena, &replaced, &n_replaced, err);
    if (code != RDV_OK)
        return code;
    if (prompt_dir && n_replaced == 0)
        return rdv_fail(err, RDV_E_INPUT, "--prompt-dir %.200s: there is no prompt (NAME.md)",
                        prompt_dir);
    rdv_prompt_text *all = RDV_NEW_ARRAY(arena, rdv_prompt_text, n_added + n_replaced);
    if (!all)
        return rdv_no_memory(err);
    for (size_t i = 0; i < n_added; i++) {
        all[i] = added[i];
        all[i].added = true;
    }
    for (size_t i = 0; i < n_replaced; i++)
        all[n_added + i] = replaced[i];
    *out = all;
    *n = n_added + n_replaced;
    return RDV_OK;
}
