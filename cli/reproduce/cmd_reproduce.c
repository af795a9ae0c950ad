/* SPDX-License-Identifier: Apache-2.0 */
/* rederive reproduce: from data and a model to the tables and figures of the papers. */
#include "cmd.h"
#include "no_baseline.h"
#include "options.h"
#include "reproduce.h"
#include "terminal.h"

#include "base/arena.h"
#include "base/str.h"

#include <rederive/study.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct reproducing {
    const struct settings *settings;
    const struct reproduction **of;
    size_t n;
    struct stages stages;
};

static int check_settings(const struct settings *s, rdv_error *err)
{
    if (s->in.n == 0)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "name a table or figure such as selfcheck:table2, or all; --list lists "
                        "them");
    if (!s->out && !s->dry_run)
        return rdv_fail(err, RDV_E_ARGUMENT, "--out DIR is required: the folder for the results");
    if (s->json && !s->dry_run)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--json has no effect without --list or --dry-run: every table is written "
                        "as table.json too");
    if ((s->price_in.given || s->price_out.given) && !s->dry_run)
        return rdv_fail(err, RDV_E_ARGUMENT, "--price-%s has no effect without --dry-run",
                        s->price_in.given ? "in" : "out");
    return RDV_OK;
}

/* The options of which --list makes use. */
static bool is_for_list(const char *option)
{
    static const char *const names[] = {"list", "json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(option, names[i]) == 0)
            return true;
    for (const struct opt *o = options_telling; o->name; o++)
        if (strcmp(option, o->name) == 0)
            return true;
    return false;
}

static int check_list(const struct settings *s, rdv_error *err)
{
    for (const struct opt_group *group = reproduce_groups; group->title; group++)
        for (const struct opt *o = group->options; o->name; o++)
            if (!is_for_list(o->name) && opt_given(s, o->name))
                return rdv_fail(err, RDV_E_ARGUMENT, "--%s has no effect on --list", o->name);
    return RDV_OK;
}

/* Whether any of the tables rests on chains from such a source. */
static bool any_from(const struct reproducing *r, unsigned sources)
{
    for (size_t i = 0; i < r->n; i++)
        if (sources & 1u << r->of[i]->set->source)
            return true;
    return false;
}

static bool any_fits(const struct reproducing *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->of[i]->fits)
            return true;
    return false;
}

/* Whether any of the tables has chains that are checked by methods. */
static bool any_checks(const struct reproducing *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->of[i]->set->methods)
            return true;
    return false;
}

/* Whether any of the tables is of checks that --method names; those that may be others. */
static bool any_own_methods(const struct reproducing *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->of[i]->set->own_methods)
            return true;
    return false;
}

static bool any_baseline(const struct reproducing *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (rdv_study_named(rdv_str_of(r->of[i]->name))->uses & RDV_USES_BASELINE)
            return true;
    return false;
}

/* The first option that was given for asking a model; NULL: none was. */
static const char *asking_given(const struct settings *s)
{
    for (const struct opt *o = reproduce_asking; o->name; o++)
        if (opt_given(s, o->name))
            return o->name;
    return NULL;
}

/* An option that none of the tables uses is a mistake. */
static int check_effects(const struct reproducing *r, rdv_error *err)
{
    const struct settings *s = r->settings;
    bool has_data = any_from(r, ~(1u << NO_CHAINS));
    bool generates = any_from(r, 1u << GENERATED_CHAINS);
    bool repairs = any_from(r, 1u << REPAIRED_TRACES);
    bool asks = any_checks(r) || generates || repairs;
    const char *without = s->data.n && !has_data               ? "data"
                          : s->limit && !has_data              ? "limit"
                          : s->reproduced_chains && !generates ? "chains"
                          : s->no_fit && !any_fits(r)          ? "no-fit"
                          : s->checkers.n && !any_checks(r)    ? "checker"
                          : s->method && !any_own_methods(r)   ? "method"
                          : s->method_dir && !s->method        ? "method-dir"
                          : s->rubric && !s->method            ? "rubric"
                          : s->baseline && !any_baseline(r)    ? "baseline"
                          : s->models.n && !asks               ? "model"
                          : !asks                              ? asking_given(s)
                                                               : NULL;
    if (without && !s->method &&
        (strcmp(without, "method-dir") == 0 || strcmp(without, "rubric") == 0))
        return rdv_fail(err, RDV_E_ARGUMENT, "--%s has no effect without --method", without);
    if (without && strcmp(without, "baseline") == 0 && r->n == 1)
        return no_baseline(r->of[0]->name, err);
    return without ? rdv_fail(err, RDV_E_ARGUMENT, "--%s has no effect on %s%s", without,
                              r->of[0]->name, r->n > 1 ? " and the others" : "")
                   : RDV_OK;
}

static int add_stages(struct reproducing *r, rdv_error *err)
{
    int code = RDV_OK;
    for (size_t i = 0; i < r->n && code == RDV_OK; i++) {
        const char *folder =
            reproduce_table_folder(r->stages.dir, r->of[i]->name, r->n, r->stages.arena);
        code = folder ? stages_add(&r->stages, r->of[i], folder, err) : rdv_no_memory(err);
    }
    return code;
}

/* ---- a dry run ------------------------------------------------------------------------------- */

static void remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    rmdir(path);
}

static int print_estimate(struct reproducing *r, const struct estimate_sums *sums, rdv_error *err)
{
    const struct settings *s = r->settings;
    struct terminal terminal = terminal_look(s);
    struct prices prices = {s->price_in.is, s->price_out.is};
    rdv_str text;
    int code = estimate_sums_print(sums, prices, &terminal.view, s->json, &text, err);
    if (code != RDV_OK)
        return code;
    if (fwrite(text.p, 1, text.len, stdout) != text.len || fflush(stdout) != 0)
        return rdv_fail(err, RDV_E_IO, "standard output cannot be written: %s", strerror(errno));
    if (!s->quiet && !s->json)
        estimate_sums_tell(sums);
    return RDV_OK;
}

static int dry_run(struct reproducing *r, rdv_error *err)
{
    const char *temporary = getenv("TMPDIR");
    struct estimate_sums sums;
    char *dir = (char *)rdv_str_printf(r->stages.arena, "%s/rederive-XXXXXX",
                                       temporary && *temporary ? temporary : "/tmp")
                    .p;
    if (!dir || !mkdtemp(dir))
        return rdv_fail(err, RDV_E_IO, "a temporary folder cannot be created: %s", strerror(errno));
    estimate_sums_init(&sums, r->stages.arena);
    r->stages.dry_dir = dir;
    r->stages.dir = r->settings->out ? r->stages.dir : dir;
    int code =
        r->settings->out ? manifest_open(r->settings, r->of, r->n, r->stages.arena, err) : RDV_OK;
    if (code == RDV_OK)
        code = add_stages(r, err);
    int status = code == RDV_OK ? stages_estimate(&r->stages, &sums) : USAGE;
    remove_folder(dir);
    if (code == RDV_OK && status == DONE)
        code = print_estimate(r, &sums, err);
    return code != RDV_OK ? code : status;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static int run(struct reproducing *r, rdv_error *err)
{
    rdv_str script;
    int code = add_stages(r, err);
    if (code == RDV_OK)
        code = manifest_open(r->settings, r->of, r->n, r->stages.arena, err);
    if (code == RDV_OK)
        code = stages_script(&r->stages, &script, err);
    if (code == RDV_OK)
        code = reproduce_write(rdv_str_printf(r->stages.arena, "%s/commands.sh", r->stages.dir).p,
                               script, r->stages.arena, err);
    if (code != RDV_OK)
        return code;
    int status = stages_run(&r->stages);
    if (r->n > 1 && (status == DONE || status == SOME_FAILED))
        code = reproduce_index(&r->stages, err);
    return code == RDV_OK ? status : code;
}

static int reproduce(struct reproducing *r, rdv_error *err)
{
    const struct settings *s = r->settings;
    const struct list all = {(const char *[]){"all"}, 1};
    int code = reproductions_named(s->list && s->in.n == 0 ? &all : &s->in, r->stages.arena, &r->of,
                                   &r->n, err);
    if (code != RDV_OK)
        return code;
    if (s->list) {
        code = check_list(s, err);
        return code == RDV_OK ? reproductions_list(s, r->of, r->n) : code;
    }
    code = check_settings(s, err);
    if (code == RDV_OK)
        code = check_effects(r, err);
    if (code != RDV_OK)
        return code;
    r->stages.settings = s;
    r->stages.dir = s->out;
    if (s->out && *s->out == '-') /* no command may take it for an option */
        r->stages.dir = rdv_str_printf(r->stages.arena, "./%s", s->out).p;
    if (s->out && !r->stages.dir)
        return rdv_no_memory(err);
    return (s->dry_run ? dry_run : run)(r, err);
}

int cmd_reproduce(const struct settings *settings)
{
    struct reproducing r = {.settings = settings, .stages.arena = rdv_arena_new(0)};
    rdv_error err = {0};
    int status = r.stages.arena ? reproduce(&r, &err) : rdv_no_memory(&err);
    if (status < 0) {
        say("reproduce: %s", err.msg);
        status = status == RDV_E_ARGUMENT ? USAGE : NOTHING_DONE;
    }
    rdv_arena_free(&r.stages.arena);
    return status;
}
