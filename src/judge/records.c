/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/records.h"
#include "base/arena.h"
#include "base/str.h"
#include "judge/judgement.h"
#include <rederive/data.h>
#include <rederive/method.h>

static int add_error(rdv_buf *out, const char *why, rdv_arena *arena, rdv_error *err)
{
    rdv_str line;
    int rc = rdv_error_write(rdv_str_of(why), arena, &line, err);
    if (rc == RDV_OK)
        rdv_buf_add(out, line);
    return rc;
}

/* The chain with one check more, behind those that it has. */
static int check_chain(rdv_chain *chain, rdv_arena *arena, rdv_error *err)
{
    rdv_check_options options;
    rdv_check *checks = RDV_NEW_ARRAY(arena, rdv_check, chain->n_checks + 1);
    if (!checks)
        return rdv_no_memory(err);
    if (chain->n_checks)
        memcpy(checks, chain->checks, chain->n_checks * sizeof *checks);
    rdv_check_options_default(&options, sizeof options);
    options.step_ms = JUDGE_STEP_MS;
    options.chain_ms = JUDGE_REPLY_MS;
    int rc = rdv_check_chain(rdv_method_named(RDV_STR(JUDGE_METHOD)), chain, &options, arena,
                             &checks[chain->n_checks], err);
    chain->checks = checks;
    chain->n_checks += rc == RDV_OK;
    return rc;
}

static int check_record(rdv_record *record, rdv_arena *arena, rdv_buf *out, rdv_error *err)
{
    const rdv_write_options options = {.size = sizeof options, .checked = true};
    rdv_str line;
    if (record->kind != RDV_RECORD_CHAIN)
        return add_error(out, "the record is no chain: it has no steps", arena, err);
    int rc = check_chain(&record->chain, arena, err);
    if (rc == RDV_OK)
        rc = rdv_record_write(&record->chain, &options, arena, &line, err);
    if (rc == RDV_OK)
        rdv_buf_add(out, line);
    return rc;
}

static int check_line(rdv_str line, rdv_arena *arena, rdv_buf *out, rdv_error *err)
{
    const rdv_read_options options = {.size = sizeof options, .max_steps = JUDGE_MOST_STEPS};
    rdv_record *records;
    size_t n = 0;
    int rc = rdv_record_read(line, &options, arena, &records, &n, err);
    for (size_t i = 0; i < n && rc == RDV_OK; i++)
        rc = check_record(&records[i], arena, out, err);
    return rc == RDV_OK || rc == RDV_E_NOMEM ? rc : add_error(out, err->msg, arena, err);
}

int judge_records(rdv_str text, rdv_arena *arena, rdv_buf *out, rdv_error *err)
{
    size_t n = 0;
    for (size_t at = 0; at < text.len;) {
        size_t end = rdv_find_char(text, '\n', at);
        rdv_str line = rdv_trim(rdv_slice(text, at, end));
        at = end == RDV_NOT_FOUND ? text.len : end + 1;
        if (line.len == 0)
            continue;
        if (n++ == JUDGE_MOST_RECORDS)
            return rdv_fail(err, RDV_E_INPUT, "more than %d records", JUDGE_MOST_RECORDS);
        int rc = check_line(line, arena, out, err);
        if (rc != RDV_OK)
            return rc;
    }
    if (n == 0)
        return rdv_fail(err, RDV_E_INPUT, "there is no record");
    return rdv_buf_ok(out) ? RDV_OK : rdv_no_memory(err);
}
