/* SPDX-License-Identifier: Apache-2.0 */
#include "mcp/serve.h"

#include "base/arena.h"
#include "base/str.h"
#include "mcp/answer.h"
#include "mcp/lines.h"
#include "mcp/worker.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* What the tools load when they are first used is loaded here, so that a process that can open
 * nothing has it, and a new one has it at once. */
static void warm(rdv_arena *arena)
{
    static const char *const calls[] = {
        "\"check\",\"arguments\":{\"text\":\"Half of 48 is 24. 2.5 m + 50 cm = 3 m.\"}",
        "\"check\",\"arguments\":{\"text\":\"3x = 12, so x = 4. 0.1 + 0.2 = 0.3\"}",
        "\"grade\",\"arguments\":{\"gold\":\"\\\\sqrt{8}\",\"reply\":\"It is 2\\\\sqrt{2}.\"}",
        "\"grade\",\"arguments\":{\"gold\":\"\\\\sqrt{5+2\\\\sqrt6}\",\"answer\":\"\\\\sqrt2\"}",
        "\"calculate\",\"arguments\":{\"expression\":\"\\\\sin 1 + \\\\sqrt{2}\"}"};
    rdv_str answer;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        rdv_str message = rdv_str_printf(
            arena,
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":%s}}",
            calls[i]);
        if (message.p)
            (void)mcp_answer(message, arena, &answer, NULL);
    }
    rdv_arena_reset(arena);
}

/* RDV_NONE: nobody reads. */
static int write_all(int fd, rdv_str text, rdv_error *err)
{
    while (text.len) {
        ssize_t n = write(fd, text.p, text.len);
        if (n < 0 && errno == EPIPE)
            return RDV_NONE;
        if (n < 0 && errno != EINTR)
            return rdv_fail(err, RDV_E_IO, "standard output cannot be written: %s",
                            strerror(errno));
        text = rdv_slice(text, n > 0 ? (size_t)n : 0, text.len);
    }
    return RDV_OK;
}

static int answer_next(mcp_lines *lines, mcp_worker *worker, int out, rdv_arena *arena,
                       rdv_error *err)
{
    rdv_str line, answer = {0};
    rdv_arena_reset(arena);
    int code = mcp_lines_next(lines, &line, err);
    if (code == RDV_OK)
        code = mcp_worker_answer(worker, line, arena, &answer, err);
    else if (code == RDV_E_LIMIT)
        code = mcp_answer_too_long(arena, &answer, err);
    return code == RDV_OK && answer.p ? write_all(out, answer, err) : code;
}

int mcp_serve(int in, int out, bool (*stopped)(void), rdv_error *err)
{
    mcp_lines lines;
    rdv_arena *arena = rdv_arena_new(0);
    if (!arena)
        return rdv_no_memory(err);
    warm(arena);
    mcp_worker *worker = mcp_worker_new(err);
    mcp_lines_init(&lines, in, MCP_MAX_MESSAGE);
    int code = worker ? RDV_OK : err->code;
    while (code == RDV_OK && !stopped())
        code = answer_next(&lines, worker, out, arena, err);
    mcp_lines_free(&lines);
    mcp_worker_free(&worker);
    rdv_arena_free(&arena);
    return code < 0 ? code : RDV_OK;
}
