/* SPDX-License-Identifier: Apache-2.0 */
#include "table_files.h"
#include "html_output.h"
#include "run.h"
#include "table_print.h"

#include "base/arena.h"
#include "base/str.h"
#include "report/study_figure.h"
#include "report/table_page.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES_MAX 24

/* One file: its name in the folder, and its content. */
struct file {
    rdv_str name, content;
    struct output output;
};

struct files {
    struct run *run;
    const char *folder;
    rdv_arena *arena;
    struct file of[FILES_MAX];
    size_t n;
    bool failed; /* out of memory */
};

/* ---- the folder ------------------------------------------------------------------------------ */

void table_files_begin(struct run *run)
{
    rdv_error err = {0};
    struct stat is;
    const char *folder = run->settings->tables;
    if (!folder || run_stopped(run))
        return;
    if (mkdir(folder, 0777) == 0)
        return;
    int code = errno; /* stat() would replace it */
    if (stat(folder, &is) == 0 && S_ISDIR(is.st_mode))
        return;
    rdv_fail(&err, RDV_E_IO, "--tables %s: cannot be made: %s", folder, strerror(code));
    run_stop(run, NOTHING_DONE, &err);
}

/* Whether a file of that name is written by some runs with --tables, but not by each of them: a
 * further table, or a figure. */
static bool is_ours(rdv_str name)
{
    bool csv = rdv_ends(name, RDV_STR(".csv")), svg = rdv_ends(name, RDV_STR(".svg"));
    bool figure = rdv_starts(name, RDV_STR("figure-")) || rdv_str_eq(name, RDV_STR("figure.csv")) ||
                  rdv_str_eq(name, RDV_STR("figure.svg"));
    return ((csv || svg) && figure) || (csv && rdv_starts(name, RDV_STR("table-")));
}

static bool is_written(const struct files *files, rdv_str name)
{
    for (size_t i = 0; i < files->n; i++)
        if (rdv_str_eq(files->of[i].name, name))
            return true;
    return false;
}

/* Whether an earlier run wrote its tables to the folder. Without one, files of such names are
 * somebody's own. */
static bool is_used(const struct files *files)
{
    rdv_str path = rdv_str_printf(files->arena, "%s/table.json", files->folder);
    return path.p && access(path.p, F_OK) == 0;
}

/* Remove what an earlier run left: the figure of another recipe would be taken for this one's. */
static void remove_others(const struct files *files)
{
    DIR *folder = opendir(files->folder);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        rdv_str name = rdv_str_of(entry->d_name);
        if (is_ours(name) && !is_written(files, name))
            (void)unlinkat(dirfd(folder), entry->d_name, 0);
    }
    if (folder)
        closedir(folder);
}

/* ---- contents -------------------------------------------------------------------------------- */

static rdv_buf new_buffer(const struct files *files)
{
    rdv_buf b;
    rdv_buf_init(&b, files->arena, 0);
    return b;
}

static void add(struct files *files, rdv_str name, const rdv_buf *content)
{
    if (!name.p || !rdv_buf_ok(content) || files->n == FILES_MAX)
        files->failed = true;
    else
        files->of[files->n++] = (struct file){.name = name, .content = rdv_buf_str(content)};
}

static void add_text(struct files *files, const rdv_study_tables *tables)
{
    const rdv_view_options plain = {0};
    rdv_buf b = new_buffer(files);
    rdv_error err;
    if (table_put_text(tables, &plain, files->run->settings->curves, &b, &err) < 0)
        files->failed = true;
    add(files, RDV_STR("table.txt"), &b);
}

static void add_json(struct files *files, const rdv_study_tables *tables)
{
    rdv_buf b = new_buffer(files);
    rdv_error err;
    if (table_put_json(tables, files->run->failed, &b, &err) < 0)
        files->failed = true;
    add(files, RDV_STR("table.json"), &b);
}

/* The name of a table among the members of the JSON output. */
static const char *member_of(const rdv_study_table *t)
{
    const char *member = t->series ? t->series->member : t->member;
    return member ? member : "counts";
}

/* The first table that is more than counts is table.csv; the others are named after their members.
 */
static void add_csv(struct files *files, const rdv_study_tables *tables)
{
    bool main_done = false;
    for (size_t i = 0; i < tables->n; i++) {
        const rdv_study_table *t = &tables->tables[i];
        bool is_main = !main_done && strcmp(member_of(t), "counts") != 0;
        rdv_buf b = new_buffer(files);
        rdv_table_csv(t, &b);
        rdv_str name = is_main   ? RDV_STR("table.csv")
                       : t->name ? rdv_str_printf(files->arena, "table-%zu.csv", i + 1)
                                 : rdv_str_printf(files->arena, "table-%s.csv", member_of(t));
        main_done = main_done || is_main;
        if (rdv_table_has_csv(t))
            add(files, name, &b);
    }
}

static void add_html(struct files *files, const rdv_study_info *info,
                     const rdv_study_tables *tables, const rdv_figure_grid *figures,
                     size_t n_figures)
{
    rdv_buf b = new_buffer(files);
    rdv_table_page page = {.info = info,
                           .title = info->no_chains ? (rdv_str){0}
                                                    : html_title(files->run, files->arena),
                           .command = html_command(files->run, files->arena),
                           .n_failed = files->run->failed,
                           .figures = figures,
                           .n_figures = n_figures};
    rdv_table_html(&page, tables, &b);
    add(files, RDV_STR("table.html"), &b);
}

/* The first figure is figure.svg, with its data in figure.csv; the next ones are numbered. */
static void add_figure(struct files *files, const rdv_figure_grid *figure, size_t number)
{
    const char *name =
        number == 1 ? "figure" : rdv_str_printf(files->arena, "figure-%zu", number).p;
    rdv_buf svg = new_buffer(files), csv = new_buffer(files);
    if (!name) {
        files->failed = true;
        return;
    }
    rdv_figure_grid_svg(figure, &svg);
    rdv_buf_lit(&svg, "\n");
    rdv_figure_grid_csv(figure, &csv);
    add(files, rdv_str_printf(files->arena, "%s.svg", name), &svg);
    add(files, rdv_str_printf(files->arena, "%s.csv", name), &csv);
}

/* ---- writing --------------------------------------------------------------------------------- */

static int open_and_write(const struct files *files, struct file *file, rdv_error *err)
{
    rdv_str path = rdv_str_printf(files->arena, "%s/%.*s", files->folder, RDV_FMT(file->name));
    if (!path.p)
        return rdv_no_memory(err);
    int code = output_open(&file->output, path.p, files->arena, err);
    return code == RDV_OK ? output_write(&file->output, file->content, err) : code;
}

static int write_all(struct files *files, rdv_error *err)
{
    int code = RDV_OK;
    for (size_t i = 0; code == RDV_OK && i < files->n; i++)
        code = open_and_write(files, &files->of[i], err);
    for (size_t i = 0; i < files->n; i++) {
        struct output *output = &files->of[i].output;
        if (code == RDV_OK)
            code = output_finish(output, true, err);
        else if (output->file)
            output_drop(output);
    }
    return code;
}

int table_files_write(struct run *run, const rdv_study_info *info, const rdv_study_tables *tables,
                      rdv_error *err)
{
    struct files files = {.run = run, .folder = run->settings->tables, .arena = run->keep};
    rdv_figure_grid *figures;
    size_t n;
    if (!files.folder || !run_keeps(run))
        return RDV_OK;
    add_text(&files, tables);
    add_csv(&files, tables);
    add_json(&files, tables);
    if (rdv_study_figures(tables, files.arena, &figures, &n) < 0)
        return rdv_no_memory(err);
    for (size_t i = 0; i < n; i++)
        add_figure(&files, &figures[i], i + 1);
    add_html(&files, info, tables, figures, n);
    bool used = is_used(&files);
    int code = files.failed ? rdv_no_memory(err) : write_all(&files, err);
    if (code == RDV_OK && used)
        remove_others(&files);
    return code;
}
