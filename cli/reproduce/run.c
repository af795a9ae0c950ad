/* SPDX-License-Identifier: Apache-2.0 */
/* Running stages. A stage is complete if its file is there and FILE.incomplete is not: that mark is
 * made before a stage begins, and removed when it and its inputs ended without a failure. So a
 * stage that was killed, or that left records undone, runs again; the journal answers what was
 * asked before. */
#include "cmd.h"
#include "prompts.h"
#include "reproduce.h"
#include "terminal.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- running one ----------------------------------------------------------------------------- */

/* Run with standard output in the file `to` (NULL: as it is). */
static int run_command(const struct arguments *command, const char *to,
                       struct estimate_sums *estimate)
{
    int saved = -1, file = -1;
    if (to) {
        fflush(stdout);
        saved = dup(STDOUT_FILENO);
        file = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (saved < 0 || file < 0 || dup2(file, STDOUT_FILENO) < 0) {
            say("reproduce: %s: cannot be written: %s", to, strerror(errno));
            if (saved >= 0)
                close(saved);
            if (file >= 0)
                close(file);
            return NOTHING_DONE;
        }
    }
    fflush(stdout); /* commands write to its descriptor themselves */
    int status = cmd_run(command->items[0], (int)command->n - 1, command->items + 1, estimate);
    if (to) {
        fflush(stdout);
        bool back = dup2(saved, STDOUT_FILENO) >= 0;
        close(saved);
        if (close(file) != 0 || !back) {
            say("reproduce: %s: cannot be written: %s", to, strerror(errno));
            status = NOTHING_DONE;
        }
    }
    return status;
}

/* The arguments with further ones, ending in NULL as those of a program do. */
static int with(const struct stages *s, const struct arguments *command, const char *const *more,
                size_t n_more, struct arguments *out)
{
    *out = (struct arguments){.items = RDV_NEW_ARRAY(s->arena, char *, command->n + n_more + 1)};
    if (!out->items)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < command->n; i++)
        out->items[out->n++] = command->items[i];
    for (size_t i = 0; i < n_more; i++)
        out->items[out->n++] = (char *)more[i];
    return RDV_OK;
}

static int run_with(const struct stages *s, const struct stage *stage, const char *const *more,
                    size_t n_more, const char *to)
{
    struct arguments command;
    if (with(s, &stage->command, more, n_more, &command) != RDV_OK) {
        say("reproduce: out of memory");
        return NOTHING_DONE;
    }
    return run_command(&command, to, NULL);
}

/* Write where the table of the second profile differs from that of the first. */
static int compare_profiles(const struct stages *s, const struct stage *stage)
{
    rdv_error err = {0};
    rdv_str first, second, differ;
    const char *before = rdv_str_printf(s->arena, "%s/table.json", stage->beside).p;
    const char *to = rdv_str_printf(s->arena, "%s/profiles.txt", stage->beside).p;
    int code = before && to ? reproduce_read(before, s->arena, &first, &err) : rdv_no_memory(&err);
    if (code == RDV_OK)
        code = reproduce_read(stage->out, s->arena, &second, &err);
    if (code == RDV_OK)
        code = profile_figures(first, second, s->arena, &differ, &err);
    if (code == RDV_OK)
        code = reproduce_write(to, differ, s->arena, &err);
    if (code == RDV_OK)
        printf("\n%.*s\n", RDV_FMT(differ));
    else
        say("reproduce: %s", code == RDV_NONE ? "a table was not written" : err.msg);
    return code;
}

/* Write the table, and beside it the paper's figures. */
static int run_table(const struct stages *s, const struct stage *stage)
{
    const char *dir = stage->table;
    rdv_error err = {0};
    rdv_str json, paper, prompts;
    const char *folder[] = {"--tables", dir};
    int status = run_with(s, stage, folder, 2, NULL);
    if (status != DONE && status != SOME_FAILED)
        return status;
    if (stage->beside)
        return compare_profiles(s, stage) == RDV_OK ? status : NOTHING_DONE;
    int code = reproduce_read(stage->out, s->arena, &json, &err);
    if (code == RDV_OK)
        code = paper_figures(stage->for_table->name, json, s->arena, &paper, &err);
    if (code == RDV_OK)
        code = reproduce_prompts(s->settings, stage->for_table->name, s->arena, &prompts, &err);
    if (code == RDV_OK)
        paper = rdv_str_printf(s->arena, "%.*s%.*s", RDV_FMT(paper), RDV_FMT(prompts));
    if (code == RDV_OK && !paper.p)
        code = rdv_no_memory(&err);
    if (code == RDV_OK)
        code =
            reproduce_write(rdv_str_printf(s->arena, "%s/paper.txt", dir).p, paper, s->arena, &err);
    if (code == RDV_OK)
        printf("%s%.*s\n", paper.len ? "\n" : "", RDV_FMT(paper));
    else
        say("reproduce: %s", code == RDV_NONE ? "the table was not written" : err.msg);
    return code == RDV_OK ? status : NOTHING_DONE;
}

/* ---- running all ----------------------------------------------------------------------------- */

/* What its inputs allow: STAGE_OPEN if it has to run. */
static enum stage_state state_of(const struct stages *s, const struct stage *stage)
{
    bool again = !stage_is_done(s, stage->out);
    for (size_t i = 0; i < stage->n_inputs; i++) {
        if (stage->inputs[i]->state == STAGE_FAILED)
            return STAGE_FAILED;
        again |= stage->inputs[i]->ran;
    }
    return again ? STAGE_OPEN : STAGE_COMPLETE;
}

/* The stage, of those that this one rests on, in which records were left undone. */
static const struct stage *incomplete_in(const struct stage *stage)
{
    for (size_t i = 0; i < stage->n_inputs; i++)
        if (stage->inputs[i]->state == STAGE_INCOMPLETE)
            return incomplete_in(stage->inputs[i]);
    return stage;
}

static bool inputs_are_complete(const struct stage *stage)
{
    for (size_t i = 0; i < stage->n_inputs; i++)
        if (stage->inputs[i]->state != STAGE_COMPLETE)
            return false;
    return true;
}

static bool put_mark(const struct stages *s, const struct stage *stage)
{
    const char *mark = stage_mark(s, stage->out);
    if (stage->for_table && mkdir(stage->table, 0777) != 0 && errno != EEXIST) {
        say("reproduce: %s: cannot be created: %s", stage->table, strerror(errno));
        return false;
    }
    int file = mark ? open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
    bool put = file >= 0 && close(file) == 0;
    if (!put)
        say("reproduce: %s%s: cannot be written: %s", stage->out, STAGE_MARK, strerror(errno));
    return put;
}

static int run_stage(struct stages *s, struct stage *stage)
{
    stage->state = STAGE_FAILED;
    if (!put_mark(s, stage))
        return NOTHING_DONE;
    stage->ran = true;
    int status =
        stage->for_table ? run_table(s, stage) : run_with(s, stage, NULL, 0, stage->print_to);
    bool done = status == DONE && inputs_are_complete(stage);
    stage->state = done                                      ? STAGE_COMPLETE
                   : status == DONE || status == SOME_FAILED ? STAGE_INCOMPLETE
                                                             : STAGE_FAILED;
    if (done)
        unlink(stage_mark(s, stage->out));
    return status;
}

static void tell(const struct stages *s, size_t i)
{
    if (s->settings->quiet)
        return;
    fprintf(stderr, "stage %zu of %zu: ", i + 1, s->n);
    for (const char *c = s->items[i]->name; *c; c++) /* it may have the name of a file */
        fputc((unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c, stderr);
    fputc('\n', stderr);
}

/* One line for each table that is not there, or rests on chains that are not all done. */
static int conclude(const struct stages *s)
{
    size_t n = 0, incomplete = 0, failed = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct stage *stage = s->items[i];
        if (!stage->for_table)
            continue;
        n++;
        failed += stage->state == STAGE_FAILED;
        incomplete += stage->state == STAGE_INCOMPLETE;
        if (stage->state == STAGE_FAILED)
            say("%s: no table, as a stage failed%s", stage->name,
                stage->for_table->fits && !s->settings->no_fit
                    ? "; if too little is there to fit on, the same command with --no-fit makes it"
                    : "");
        if (stage->state == STAGE_INCOMPLETE)
            say("%s: some records of %s failed or are incomplete; the same command tries them "
                "again; a call that the model refuses, as for too long a prompt, fails again",
                stage->name, incomplete_in(stage)->out);
    }
    return failed == n && n ? NOTHING_DONE : failed || incomplete ? SOME_FAILED : DONE;
}

int stages_run(struct stages *s)
{
    for (size_t i = 0; i < s->n; i++) {
        struct stage *stage = s->items[i];
        stage->state = state_of(s, stage);
        if (stage->state != STAGE_OPEN)
            continue;
        tell(s, i);
        int status = run_stage(s, stage);
        if (interrupted() || status == INTERRUPTED) {
            say("interrupted in stage %zu of %zu; the same command goes on", i + 1, s->n);
            return INTERRUPTED;
        }
        if (status == NOBODY_READS)
            return status;
    }
    return conclude(s);
}

/* ---- estimating ------------------------------------------------------------------------------ */

static bool exist(const struct stage *stage)
{
    for (size_t i = 0; i < stage->n_inputs; i++)
        if (access(stage->inputs[i]->out, F_OK) != 0)
            return false;
    return true;
}

int stages_estimate(struct stages *s, struct estimate_sums *sums)
{
    static const char *const dry[] = {"--dry-run", "--quiet"};
    for (size_t i = 0; i < s->n; i++) {
        struct stage *stage = s->items[i];
        const struct arguments *command = exist(stage) ? &stage->command : &stage->estimate;
        struct arguments with_dry;
        int status = DONE;
        if (interrupted())
            return INTERRUPTED;
        if (stage_is_done(s, stage->out) || stage->for_table || stage->skips_dry_run ||
            command->n == 0)
            continue;
        if (with(s, command, dry, stage->asks ? 2 : 0, &with_dry) != RDV_OK)
            return NOTHING_DONE;
        status = run_command(&with_dry, NULL, sums);
        if (status != DONE && status != SOME_FAILED)
            return status;
    }
    return DONE;
}

/* ---- the script ------------------------------------------------------------------------------ */

static void add_word(rdv_buf *b, const char *word)
{
    bool plain = *word != '\0';
    for (const char *c = word; *c; c++)
        plain &= rdv_is_alnum(*c) || strchr("%+,-./:=@_", *c) != NULL;
    if (plain) {
        rdv_buf_add(b, rdv_str_of(word));
        return;
    }
    rdv_buf_add_char(b, '\'');
    for (const char *c = word; *c; c++)
        if (*c == '\'')
            rdv_buf_lit(b, "'\\''");
        else
            rdv_buf_add_char(b, *c);
    rdv_buf_add_char(b, '\'');
}

static void add_command(rdv_buf *b, const struct stage *stage)
{
    rdv_buf_lit(b, "rederive");
    for (size_t i = 0; i < stage->command.n; i++) {
        rdv_buf_add_char(b, ' ');
        add_word(b, stage->command.items[i]);
    }
    if (stage->for_table) {
        rdv_buf_lit(b, " --tables ");
        add_word(b, stage->table);
    }
    if (stage->print_to) {
        rdv_buf_lit(b, " > ");
        add_word(b, stage->print_to);
    }
    rdv_buf_add_char(b, '\n');
}

int stages_script(const struct stages *s, rdv_str *out, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, s->arena, 0);
    rdv_buf_lit(&b, "#!/bin/sh\n"
                    "# The stages of 'rederive reproduce', to be run by hand where it was run.\n"
                    "set -e\n");
    for (size_t i = 0; i < s->n; i++)
        add_command(&b, s->items[i]);
    *out = rdv_buf_str(&b);
    return rdv_buf_ok(&b) ? RDV_OK : rdv_no_memory(err);
}
