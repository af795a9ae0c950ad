/* SPDX-License-Identifier: Apache-2.0 */
#include "input_size.h"
#include "run.h"

#include "base/arena.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_SECONDS 2.0

uint64_t input_bytes(const char *path)
{
    struct stat info;
    bool standard = strcmp(path, "-") == 0;
    int failed = standard ? fstat(STDIN_FILENO, &info) : stat(path, &info);
    if (failed || !S_ISREG(info.st_mode))
        return 0;
    off_t at = standard ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    return at >= 0 && at < info.st_size ? (uint64_t)(info.st_size - at) : 0;
}

uint64_t input_bytes_of(const struct run *run)
{
    uint64_t total = 0;
    if (run->settings->in.n == 0)
        return input_bytes("-");
    for (size_t i = 0; i < run->inputs.n_in; i++) {
        uint64_t bytes = input_bytes(run->inputs.in[i]);
        if (bytes == 0)
            return 0;
        total += bytes;
    }
    return total;
}

/* Count the records of one file into *n; false: there was no time for all of them. */
static bool count_file(const struct run *run, const char *path, rdv_arena *arena, uint64_t *n)
{
    rdv_read_options options = run_read_options(run);
    rdv_reader *reader;
    rdv_record record;
    rdv_error err = {0};
    double began = run_seconds(run);
    int code = rdv_reader_open(path, &options, &reader, &err);
    bool in_time = true;
    while (code == RDV_OK || code == RDV_E_INPUT || code == RDV_E_LIMIT) {
        rdv_arena_reset(arena);
        code = rdv_reader_next(reader, arena, &record, &err);
        *n += code == RDV_OK;
        in_time = run_seconds(run) - began < MOST_SECONDS && !run_stopped(run);
        if (!in_time)
            break;
    }
    rdv_reader_close(&reader);
    return in_time;
}

uint64_t input_records_of(const struct run *run)
{
    uint64_t n = 0;
    if (run->settings->in.n == 0 || input_bytes_of(run) == 0)
        return 0; /* standard input can be read only once */
    rdv_arena *arena = rdv_arena_new(0);
    bool all = arena != NULL;
    for (size_t i = 0; all && i < run->inputs.n_in; i++)
        all = strcmp(run->inputs.in[i], "-") != 0 && count_file(run, run->inputs.in[i], arena, &n);
    rdv_arena_free(&arena);
    return all ? n : 0;
}
