/* SPDX-License-Identifier: Apache-2.0 */
#include "binding/binding.h"

#include <rederive/data.h>

#include <stdlib.h>
#include <string.h>

#define PIECE ((size_t)64 << 10) /* bytes of lines, after which they are handed out */

struct binding_reader {
    rdv_reader *reader;
    rdv_arena *arena; /* of one record */
    char *lines, *notes;
    size_t n_lines, cap_lines, n_notes, cap_notes;
    rdv_error error;
};

static bool append(char **to, size_t *len, size_t *cap, const char *bytes, size_t n)
{
    if (*cap - *len < n) {
        size_t wanted = 2 * (*len + n) + 256;
        char *p = realloc(*to, wanted);
        if (!p)
            return false;
        *to = p;
        *cap = wanted;
    }
    memcpy(*to + *len, bytes, n);
    *len += n;
    return true;
}

static void take_note(void *payload, const char *message)
{
    binding_reader *r = payload;
    append(&r->notes, &r->n_notes, &r->cap_notes, message, strlen(message));
    append(&r->notes, &r->n_notes, &r->cap_notes, "\n", 1);
}

binding_reader *binding_reader_open(const char *path, const rdv_read_options *given, rdv_error *err)
{
    binding_reader *r = calloc(1, sizeof *r);
    rdv_read_options options = *given;
    if (r && !(r->arena = rdv_arena_new(0))) {
        free(r);
        r = NULL;
    }
    if (!r) {
        rdv_fail(err, RDV_E_NOMEM, "out of memory");
        return NULL;
    }
    options.note = take_note;
    options.note_payload = r;
    if (rdv_reader_open(path, &options, &r->reader, err) == RDV_OK)
        return r;
    binding_reader_close(r);
    return NULL;
}

static int next_line(binding_reader *r)
{
    rdv_record record;
    rdv_str line;
    rdv_arena_reset(r->arena);
    int code = rdv_reader_next(r->reader, r->arena, &record, &r->error);
    if (code == RDV_OK && record.kind == RDV_RECORD_ERROR)
        code = record.chain.raw.p
                   ? rdv_record_write(&record.chain, NULL, r->arena, &line, &r->error)
                   : rdv_error_write(record.error, r->arena, &line, &r->error);
    else if (code == RDV_OK)
        code = rdv_record_write(&record.chain, NULL, r->arena, &line, &r->error);
    if (code == RDV_OK && !append(&r->lines, &r->n_lines, &r->cap_lines, line.p, line.len))
        code = rdv_fail(&r->error, RDV_E_NOMEM, "out of memory");
    return code;
}

int binding_reader_lines(binding_reader *r, rdv_str *lines, rdv_str *notes, rdv_error *err)
{
    int code = r->error.code; /* what ended the piece before */
    r->n_lines = r->n_notes = 0;
    r->error.code = RDV_OK;
    while (code == RDV_OK && r->n_lines < PIECE)
        code = next_line(r);
    if (code != RDV_OK && r->n_lines) { /* the lines first, the reason with the next call */
        r->error.code = code;
        code = RDV_OK;
    } else if (code < 0) {
        *err = r->error;
        r->error.code = RDV_OK;
    }
    *lines = (rdv_str){r->lines, r->n_lines};
    *notes = (rdv_str){r->notes, r->n_notes};
    return code;
}

void binding_reader_close(binding_reader *r)
{
    if (!r)
        return;
    rdv_reader_close(&r->reader);
    rdv_arena_free(&r->arena);
    free(r->lines);
    free(r->notes);
    free(r);
}
