/* SPDX-License-Identifier: Apache-2.0 */
#include "output_names.h"
#include "folder.h"
#include "settings.h"

#include "base/arena.h"
#include "base/str.h"

#include <libgen.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What stands before the name of a file in the values of --model, --checker, --method, --weight and
 * --locator. */
static const char *const kinds[] = {"transcript:", "builtin:", "reward:", "combined:"};

struct names {
    const struct command *command;
    const struct settings *settings;
    rdv_arena *arena;
    rdv_error *err;
};

/* A file that would be written, by its option. */
struct written {
    const struct opt *option;
    const char *path;
};

/* Look at one file that is read: 0, or the fault that it would be taken away. */
typedef int (*look)(const struct names *names, const struct written *to, const char *read);

static int no_memory(const struct names *names)
{
    return rdv_no_memory(names->err);
}

static const struct list *list_of(const struct names *names, const struct opt *o)
{
    return (const struct list *)(const void *)((const char *)names->settings + o->offset);
}

static const char *text_of(const struct names *names, const struct opt *o)
{
    return *(const char *const *)(const void *)((const char *)names->settings + o->offset);
}

/* ---- one output and one file ----------------------------------------------------------------- */

/* Devices and pipes keep nothing that could be taken away. */
static bool is_same(const char *path, const struct stat *read)
{
    struct stat is;
    return S_ISREG(read->st_mode) && stat(path, &is) == 0 && is.st_dev == read->st_dev &&
           is.st_ino == read->st_ino;
}

/* "standard input", or the file itself. */
static const char *shown(const char *read)
{
    return strcmp(read, "-") == 0 ? "standard input" : read;
}

static int look_at_file(const struct names *names, const struct written *to, const char *read)
{
    static const char *const ends[] = {".partial", ".writing"};
    struct stat info;
    bool standard = strcmp(read, "-") == 0;
    if ((standard ? fstat(STDIN_FILENO, &info) : stat(read, &info)) != 0)
        return RDV_OK;
    if (is_same(to->path, &info))
        return rdv_fail(names->err, RDV_E_ARGUMENT,
                        "--%s %.200s would replace %.200s, which is read; name another file",
                        to->option->name, to->path, shown(read));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        rdv_str beside = rdv_str_printf(names->arena, "%s%s", to->path, ends[i]);
        if (!beside.p)
            return no_memory(names);
        if (is_same(beside.p, &info))
            return rdv_fail(names->err, RDV_E_ARGUMENT,
                            "--%s %.200s would remove %.200s, which is read; name another file",
                            to->option->name, to->path, shown(read));
    }
    return RDV_OK;
}

/* A folder of tables has files of fixed names. */
static int look_in_folder(const struct names *names, const struct written *to, const char *read)
{
    rdv_str copy = rdv_str_copy(names->arena, rdv_str_of(read));
    const char *slash = strrchr(read, '/');
    rdv_str name = rdv_str_of(slash ? slash + 1 : read);
    struct stat folder, of_read;
    if (!copy.p)
        return no_memory(names);
    if (!rdv_starts(name, RDV_STR("table")) && !rdv_starts(name, RDV_STR("figure")))
        return RDV_OK;
    if (stat(to->path, &folder) != 0 || stat(dirname((char *)copy.p), &of_read) != 0 ||
        folder.st_dev != of_read.st_dev || folder.st_ino != of_read.st_ino ||
        access(read, F_OK) != 0)
        return RDV_OK;
    return rdv_fail(names->err, RDV_E_ARGUMENT,
                    "--%s %.200s might replace %.200s, which is read; name another folder",
                    to->option->name, to->path, read);
}

/* ---- all files that are read ----------------------------------------------------------------- */

/* A file, or the files of a folder; NAME=FILE of a data set. */
static int look_at_path(const struct names *names, const struct written *to, const char *path,
                        look at)
{
    struct folder_files files = {0};
    const char *named = strchr(path, '=');
    int code = named ? look_at_path(names, to, named + 1, at) : RDV_OK;
    if (code != RDV_OK || !is_folder(path))
        return code == RDV_OK ? at(names, to, path) : code;
    rdv_error none; /* a folder that cannot be walked is said when it is read */
    if (folder_add(&files, path, names->arena, &none) == RDV_E_NOMEM)
        return no_memory(names);
    for (size_t i = 0; i < files.n && code == RDV_OK; i++)
        code = at(names, to, files.is[i]);
    return code;
}

/* The files in a value such as "transcript:FILE#NAME" or "majority,reward:FILE". */
static int look_in_value(const struct names *names, const struct written *to, const char *value,
                         look at)
{
    int code = RDV_OK;
    for (const char *word = value; *word && code == RDV_OK;) {
        size_t len = strcspn(word, ",");
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds && code == RDV_OK; i++) {
            size_t before = strlen(kinds[i]);
            if (len <= before || strncmp(word, kinds[i], before) != 0)
                continue;
            rdv_str path = rdv_str_copy(names->arena, (rdv_str){word + before, len - before});
            code = path.p ? at(names, to, path.p) : no_memory(names);
            char *name = path.p ? strchr((char *)path.p, '#') : NULL;
            if (name && code == RDV_OK) {
                *name = '\0';
                code = at(names, to, path.p);
            }
        }
        word += len + (word[len] == ',');
    }
    return code;
}

static int look_at_list(const struct names *names, const struct written *to,
                        const struct list *list, look at)
{
    int code = RDV_OK;
    for (size_t i = 0; i < list->n && code == RDV_OK; i++)
        code = look_at_path(names, to, list->items[i], at);
    return code;
}

static int look_at_option(const struct names *names, const struct written *to, const struct opt *o,
                          look at)
{
    if (o->writes)
        return RDV_OK;
    if (o->type == OPT_FILES)
        return look_at_list(names, to, list_of(names, o), at);
    if (o->type == OPT_FILE && text_of(names, o))
        return look_at_path(names, to, text_of(names, o), at);
    if (o->type == OPT_TEXT && text_of(names, o))
        return look_in_value(names, to, text_of(names, o), at);
    return RDV_OK;
}

static int look_at_all(const struct names *names, const struct written *to, look at)
{
    const struct settings *s = names->settings;
    size_t words = names->command->words ? 1 : 0; /* a verb stands before the files */
    bool reads_standard = names->command->takes_arguments && s->in.n <= words;
    int code = reads_standard ? at(names, to, "-") : RDV_OK;
    if (code == RDV_OK)
        code = look_at_list(names, to, &s->in, at);
    for (size_t i = 0; i < s->n_given && code == RDV_OK; i++)
        code = look_at_option(names, to, s->given[i], at);
    return code;
}

/* ---- two outputs ----------------------------------------------------------------------------- */

/* Whether two names that need not exist yet are of one file. */
static bool are_one(const char *a, const char *b)
{
    struct stat is;
    return strcmp(a, b) == 0 || (stat(a, &is) == 0 && is_same(b, &is));
}

static int look_at_others(const struct names *names, const struct written *to, size_t before)
{
    const struct settings *s = names->settings;
    for (size_t i = 0; i < before; i++) {
        const struct opt *o = s->given[i];
        bool other = o != to->option && o->writes == OPT_WRITES_FILE;
        if (other && strcmp(text_of(names, o), "-") != 0 && are_one(text_of(names, o), to->path))
            return rdv_fail(names->err, RDV_E_ARGUMENT,
                            "--%s and --%s name one file, %.200s; name two", o->name,
                            to->option->name, to->path);
    }
    return RDV_OK;
}

/* ---- all outputs ----------------------------------------------------------------------------- */

int output_names_check(const struct command *command, const struct settings *settings,
                       rdv_arena *arena, rdv_error *err)
{
    const struct names names = {command, settings, arena, err};
    int code = RDV_OK;
    for (size_t i = 0; i < settings->n_given && code == RDV_OK; i++) {
        const struct opt *o = settings->given[i];
        if (!o->writes || settings->dry_run)
            continue;
        struct written to = {o, text_of(&names, o)};
        if (strcmp(to.path, "-") == 0)
            continue;
        bool file = o->writes == OPT_WRITES_FILE;
        code = look_at_all(&names, &to, file ? look_at_file : look_in_folder);
        if (code == RDV_OK && file)
            code = look_at_others(&names, &to, i);
    }
    return code;
}
