/* SPDX-License-Identifier: Apache-2.0 */
/* How much text per second the calculation checker goes through on one core.
 *
 *   bench_calculations [--json] [--runs N] FILE
 *
 * FILE is plain text: a line is a step, an empty line ends a chain. */
#include <rederive/math.h>

#include "base/str.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench_job {
    rdv_str text;
    rdv_arena *arena;
    size_t found[RDV_CALC_UNDECIDED + 1]; /* calculations, by what they are */
} bench_job;

static bool check_step(bench_job *job, rdv_calculator *calculator, rdv_str step)
{
    rdv_calc *calcs;
    size_t n;
    if (rdv_calculator_step(calculator, step, &calcs, &n, NULL) < 0)
        return false;
    for (size_t i = 0; i < n; i++)
        job->found[calcs[i].kind]++;
    return true;
}

/* The next chain: lines up to an empty one. False when the text is at its end; *ok says whether the
 * chain could be checked. */
static bool next_chain(bench_job *job, rdv_str *rest, bool *ok)
{
    if (!rest->p)
        return false;
    rdv_arena_reset(job->arena);
    rdv_calculator *calculator = rdv_calculator_new(job->arena, (rdv_str){0});
    *ok = calculator != NULL;
    rdv_str line;
    while (*ok && rdv_next_line(rest, &line) && line.len)
        *ok = check_step(job, calculator, line);
    rdv_calculator_free(&calculator);
    return true;
}

static bool check_text(void *payload)
{
    bench_job *job = payload;
    rdv_str rest = job->text;
    bool ok = true;
    memset(job->found, 0, sizeof job->found);
    while (ok && next_chain(job, &rest, &ok))
        continue;
    return ok;
}

/* The whole file, to be freed by the caller; p == NULL when it could not be read. */
static rdv_str read_file(const char *path)
{
    rdv_str text = {0};
    FILE *f = fopen(path, "rb");
    if (!f)
        return text;
    char *data = NULL;
    if (fseek(f, 0, SEEK_END) == 0) {
        long size = ftell(f);
        rewind(f);
        data = size < 0 ? NULL : malloc((size_t)size + 1);
        if (data && fread(data, 1, (size_t)size, f) == (size_t)size)
            text = (rdv_str){data, (size_t)size};
        else
            free(data);
    }
    fclose(f);
    return text;
}

static void print_plain(const bench_job *job, const bench_times *times)
{
    printf("%.2f MB of text in %.4f s (+- %.4f, %zu runs): %.2f MB/s\n",
           (double)job->text.len / 1e6, times->median, times->deviation, times->n,
           (double)job->text.len / 1e6 / times->median);
    for (int is = RDV_CALC_RIGHT; is <= RDV_CALC_UNDECIDED; is++)
        printf("%10zu %s\n", job->found[is], rdv_calc_name((rdv_calc_kind)is));
}

static void print_json(const bench_job *job, const bench_times *times)
{
    printf("{\"checker\":\"rederive\",\"bytes\":%zu,\"runs\":%zu,\"seconds\":%.6f,"
           "\"deviation\":%.6f,\"mb_per_s\":%.4f",
           job->text.len, times->n, times->median, times->deviation,
           (double)job->text.len / 1e6 / times->median);
    for (int is = RDV_CALC_RIGHT; is <= RDV_CALC_UNDECIDED; is++)
        printf(",\"%s\":%zu", rdv_calc_name((rdv_calc_kind)is), job->found[is]);
    printf("}\n");
}

static int usage(void)
{
    fprintf(stderr, "usage: bench_calculations [--json] [--runs N] FILE\n");
    return 2;
}

int main(int argc, char **argv)
{
    bool json = false;
    unsigned long runs = 9;
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc)
            runs = strtoul(argv[++i], NULL, 10);
        else
            return usage();
    }
    if (i + 1 != argc || runs < 1 || runs > BENCH_MAX_RUNS)
        return usage();

    bench_job job = {.text = read_file(argv[i]), .arena = rdv_arena_new(0)};
    static bench_times times;
    int status = 0;
    if (!job.text.p || !job.arena || !bench_run(&times, runs, check_text, &job)) {
        fprintf(stderr, "bench_calculations: %s: could not be read or checked\n", argv[i]);
        status = 1;
    } else {
        bench_summarise(&times);
        (json ? print_json : print_plain)(&job, &times);
    }
    rdv_arena_free(&job.arena);
    free((void *)job.text.p);
    return status;
}
