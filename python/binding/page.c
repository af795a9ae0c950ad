/* SPDX-License-Identifier: Apache-2.0 */
#include "binding/binding.h"

#include "report/html.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct binding_page {
    rdv_arena *kept, *scratch;
    FILE *spill;
    rdv_html *html;
    FILE *out; /* into `text`, which is valid when it is flushed */
    char *text;
    size_t len;
};

binding_page *binding_page_new(void)
{
    binding_page *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->kept = rdv_arena_new(0);
    p->scratch = rdv_arena_new(0);
    p->spill = tmpfile();
    p->out = open_memstream(&p->text, &p->len);
    const rdv_html_options options = {.spill = p->spill};
    if (p->kept && p->scratch && p->spill && p->out &&
        rdv_html_new(&options, &p->html, NULL) == RDV_OK)
        return p;
    binding_page_free(p);
    return NULL;
}

static int add(binding_page *p, const rdv_record *record, rdv_error *err)
{
    rdv_html_chain shown = {.chain = &record->chain, .weight = NAN};
    rdv_str partial;
    if (record->kind == RDV_RECORD_RESULT)
        return rdv_html_add_result(p->html, &record->result, p->scratch, err);
    if (record->kind != RDV_RECORD_CHAIN)
        return rdv_fail(err, RDV_E_INPUT, "neither a chain nor the result of a vote");
    shown.partial =
        rdv_record_member(record->chain.raw, (rdv_str){"partial", 7}, &partial) == RDV_OK &&
        partial.len == 4; /* true */
    return rdv_html_add_chain(p->html, &shown, p->scratch, err);
}

int binding_page_add(binding_page *p, const char *line, size_t n, rdv_error *err)
{
    const rdv_read_options options = {.size = sizeof options, .name = "chain"};
    rdv_record *records;
    size_t n_records;
    binding_thread_begin();
    int code = rdv_record_read((rdv_str){line, n}, &options, p->kept, &records, &n_records, err);
    for (size_t i = 0; code == RDV_OK && i < n_records; i++) {
        code = add(p, &records[i], err);
        rdv_arena_reset(p->scratch);
    }
    return code;
}

static int write_out(void *payload, rdv_str bytes, rdv_error *err)
{
    return fwrite(bytes.p, 1, bytes.len, payload) == bytes.len
               ? RDV_OK
               : rdv_fail(err, RDV_E_NOMEM, "out of memory");
}

int binding_page_html(binding_page *p, rdv_str *html, rdv_error *err)
{
    const rdv_html_sink sink = {p->out, write_out};
    int code = rdv_html_write_questions(p->html, &sink, err);
    if (code == RDV_OK && fflush(p->out) != 0)
        code = rdv_fail(err, RDV_E_NOMEM, "out of memory");
    *html = (rdv_str){p->text, p->len};
    return code;
}

void binding_page_free(binding_page *p)
{
    if (!p)
        return;
    rdv_html_free(&p->html);
    rdv_arena_free(&p->kept);
    rdv_arena_free(&p->scratch);
    if (p->spill)
        fclose(p->spill);
    if (p->out)
        fclose(p->out);
    free(p->text);
    free(p);
}

const char *binding_page_style(void)
{
    return rdv_html_style();
}
