/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a reproduction: its settings, which a resumed run must share, and its index. */
#include "file_hash.h"
#include "output.h"
#include "reproduce.h"
#include "terminal.h"
#include "whole_file.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"

#include <rederive/data.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_MAX ((size_t)256 << 20)
#define MANIFEST_VERSION 1

/* ---- files ----------------------------------------------------------------------------------- */

int reproduce_write(const char *path, rdv_str text, rdv_arena *arena, rdv_error *err)
{
    struct output output;
    if (!path)
        return rdv_no_memory(err);
    int code = output_open(&output, path, arena, err);
    if (code != RDV_OK)
        return code;
    code = output_write(&output, text, err);
    if (code == RDV_OK)
        return output_finish(&output, true, err);
    output_drop(&output);
    return code;
}

int reproduce_read(const char *path, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    return path ? whole_file_read(path, READ_MAX, arena, out, err) : rdv_no_memory(err);
}

char *stage_mark(const struct stages *s, const char *out)
{
    return (char *)rdv_str_printf(s->arena, "%s" STAGE_MARK, out).p;
}

bool stage_is_done(const struct stages *s, const char *out)
{
    const char *mark = stage_mark(s, out);
    return mark && access(out, F_OK) == 0 && access(mark, F_OK) != 0;
}

/* The size and SHA-256 of a file, as members. */
static int put_file(rdv_buf *b, const char *path, rdv_error *err)
{
    struct sha256_ctx sha;
    char hex[FILE_HASH_TEXT];
    uint64_t size = 0;
    sha256_init(&sha);
    int code = file_hash_add(&sha, "--data", path, &size, err);
    if (code != RDV_OK)
        return code;
    file_hash_text(&sha, hex);
    rdv_json_item(b);
    rdv_buf_add_char(b, '{');
    rdv_json_put_text(b, "file", rdv_str_of(path));
    rdv_json_put_count(b, "n_bytes", size);
    rdv_json_put_text(b, "sha256", rdv_str_of(hex));
    rdv_buf_add_char(b, '}');
    return RDV_OK;
}

/* ---- the settings ---------------------------------------------------------------------------- */

static void put_list(rdv_buf *b, const char *name, const struct list *list)
{
    rdv_json_open(b, name, '[');
    for (size_t i = 0; i < list->n; i++) {
        rdv_json_item(b);
        rdv_json_text(b, rdv_str_of(list->items[i]));
    }
    rdv_buf_add_char(b, ']');
}

/* Everything that results depend on; how fast a server is asked is not among it. Members are named
 * after their options, with underscores. */
static int manifest_text(const struct settings *s, const struct reproduction **of, size_t n,
                         rdv_buf *b, rdv_error *err)
{
    rdv_buf_printf(b, "{\"rederive_reproduce\":%d", MANIFEST_VERSION);
    rdv_json_open(b, "recipes", '[');
    for (size_t i = 0; i < n; i++) {
        rdv_json_item(b);
        rdv_json_text(b, rdv_str_of(of[i]->name));
    }
    rdv_buf_add_char(b, ']');
    rdv_json_open(b, "data", '[');
    for (size_t i = 0; i < s->data.n; i++) {
        int code = put_file(b, s->data.items[i], err);
        if (code != RDV_OK)
            return code;
    }
    rdv_buf_add_char(b, ']');
    put_list(b, "model", &s->models);
    put_list(b, "checker", &s->checkers);
    rdv_json_put_count(b, "limit", s->limit);
    rdv_json_put_count(b, "chains", s->reproduced_chains);
    rdv_json_put_count(b, "seed", s->seed);
    rdv_json_put_flag(b, "no_fit", s->no_fit);
    rdv_json_put_text(b, "profile", rdv_str_of(s->profile));
    rdv_json_put_flag(b, "structured", s->structured);
    rdv_json_put_text(b, "prompt_dir", rdv_str_of(s->prompt_dir));
    if (s->method)
        rdv_json_put_text(b, "method", rdv_str_of(s->method));
    if (s->method_dir)
        rdv_json_put_text(b, "method_dir", rdv_str_of(s->method_dir));
    if (s->rubric)
        rdv_json_put_text(b, "rubric", rdv_str_of(s->rubric));
    if (s->baseline)
        rdv_json_put_text(b, "baseline", rdv_str_of(s->baseline));
    rdv_buf_lit(b, "}\n");
    return rdv_buf_ok(b) ? RDV_OK : rdv_no_memory(err);
}

/* The settings that a folder has, by member and option; recipes are no option. */
static const char *const kept[][2] = {{"recipes", ""},
                                      {"data", "--data "},
                                      {"model", "--model "},
                                      {"checker", "--checker "},
                                      {"limit", "--limit "},
                                      {"chains", "--chains "},
                                      {"seed", "--seed "},
                                      {"profile", "--profile "},
                                      {"structured", "--structured "},
                                      {"prompt_dir", "--prompt-dir "},
                                      {"method", "--method "},
                                      {"method_dir", "--method-dir "},
                                      {"rubric", "--rubric "},
                                      {"baseline", "--baseline "}};

/* A member of a manifest; what was not given is not in it. */
static int kept_member(rdv_str manifest, const char *name, rdv_str *out)
{
    int code = rdv_record_member(manifest, rdv_str_of(name), out);
    static const char *const later[] = {"method", "method_dir", "rubric", "baseline"};
    bool optional = rdv_named(rdv_str_of(name), later, sizeof later / sizeof *later) >= 0;
    if (code != RDV_NONE || !optional)
        return code;
    *out = RDV_STR("null");
    return RDV_OK;
}

static int shown_length(rdv_str text)
{
    return text.len > 120 ? 120 : (int)text.len;
}

static int check_same(const struct settings *s, rdv_str before, rdv_str now, rdv_error *err)
{
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        rdv_str was, is;
        if (kept_member(before, kept[i][0], &was) != RDV_OK ||
            kept_member(now, kept[i][0], &is) != RDV_OK)
            return rdv_fail(err, RDV_E_INPUT,
                            "%.100s/reproduce.json: is not readable; delete the folder, or name "
                            "another",
                            s->out);
        if (!rdv_str_eq(was, is))
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "--out %.100s: was begun with %s%.*s, not %.*s; give the same "
                            "settings, or another folder",
                            s->out, kept[i][1], shown_length(was), was.p, shown_length(is), is.p);
    }
    return RDV_OK;
}

/* A folder in which no run has begun is empty: results would replace files of their names. What a
 * run leaves that is killed while it writes reproduce.json is no such file. */
static int check_empty(const char *path, rdv_error *err)
{
    DIR *folder = opendir(path);
    rdv_error found = {0};
    for (const struct dirent *entry; folder && found.code == 0 && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !rdv_starts(rdv_str_of(entry->d_name), RDV_STR("reproduce.json.")))
            rdv_fail(&found, RDV_E_ARGUMENT,
                     "--out %.200s: has files, such as %.100s, and no reproduce.json, so nothing "
                     "was begun in it; name a new or an empty folder",
                     path, entry->d_name);
    if (folder)
        closedir(folder);
    return found.code ? rdv_fail(err, found.code, "%s", found.msg) : RDV_OK;
}

static int make_folder(const char *path, rdv_error *err)
{
    struct stat info;
    if (mkdir(path, 0777) == 0)
        return RDV_OK;
    int code = errno; /* stat() would replace it */
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return RDV_OK;
    return rdv_fail(err, RDV_E_IO, "--out %s: cannot be created: %s", path, strerror(code));
}

char *reproduce_table_folder(const char *out, const char *name, size_t n_tables, rdv_arena *arena)
{
    rdv_str path = n_tables == 1 ? rdv_str_printf(arena, "%s", out)
                                 : rdv_str_printf(arena, "%s/%s", out, name);
    for (char *c = (char *)path.p + (path.p ? strlen(out) : 0); path.p && *c; c++)
        if (*c == ':')
            *c = '-';
    return (char *)path.p;
}

/* Only tables depend on whether something is fitted. Those are removed, so that they are computed
 * again from the same chains and checks. */
static int take_no_fit(const struct settings *s, const struct reproduction **of, size_t n,
                       const char *path, rdv_str before, rdv_str now, rdv_arena *arena,
                       rdv_error *err)
{
    rdv_str was, is;
    if (rdv_record_member(before, RDV_STR("no_fit"), &was) != RDV_OK ||
        rdv_record_member(now, RDV_STR("no_fit"), &is) != RDV_OK || rdv_str_eq(was, is))
        return RDV_OK;
    for (size_t i = 0; i < n; i++) {
        char *folder = reproduce_table_folder(s->out, of[i]->name, n, arena);
        const char *table = folder ? rdv_str_printf(arena, "%s/table.json", folder).p : NULL;
        if (!table)
            return rdv_no_memory(err);
        if (of[i]->fits && unlink(table) != 0 && errno != ENOENT)
            return rdv_fail(err, RDV_E_IO, "%s: cannot be removed: %s", table, strerror(errno));
    }
    return reproduce_write(path, now, arena, err);
}

int manifest_open(const struct settings *settings, const struct reproduction **of, size_t n,
                  rdv_arena *arena, rdv_error *err)
{
    rdv_buf b;
    rdv_str before;
    rdv_buf_init(&b, arena, 0);
    const char *path = rdv_str_printf(arena, "%s/reproduce.json", settings->out).p;
    const char *work = rdv_str_printf(arena, "%s/work", settings->out).p;
    int code = path && work ? manifest_text(settings, of, n, &b, err) : rdv_no_memory(err);
    if (code != RDV_OK)
        return code;
    code = reproduce_read(path, arena, &before, err);
    bool begun = code == RDV_OK;
    if (begun)
        code = check_same(settings, before, rdv_buf_str(&b), err);
    else if (code == RDV_NONE)
        code = check_empty(settings->out, err);
    if (code != RDV_OK || settings->dry_run)
        return code;
    if (begun)
        code = take_no_fit(settings, of, n, path, before, rdv_buf_str(&b), arena, err);
    else
        code = make_folder(settings->out, err);
    if (code == RDV_OK && !begun)
        code = reproduce_write(path, rdv_buf_str(&b), arena, err);
    return code == RDV_OK ? make_folder(work, err) : code;
}
