/* SPDX-License-Identifier: Apache-2.0 */
#include "data/export/export.h"

#include "base/arena.h"
#include "base/str.h"

static const rdv_export_format *const formats[] = {
    &rdv_export_csv,     &rdv_export_inspect, &rdv_export_jsonl, &rdv_export_label_studio,
    &rdv_export_phoenix, &rdv_export_prm800k, &rdv_export_trl};

const rdv_export_format *rdv_export_format_at(size_t i)
{
    return i < sizeof formats / sizeof *formats ? formats[i] : NULL;
}

void rdv_export_begin(rdv_export *exporter, const char *format, const rdv_export_options *options,
                      rdv_arena *keep)
{
    *exporter = (rdv_export){.options = *options, .keep = keep};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i]->name, format) == 0)
            exporter->format = formats[i];
    rdv_map_init(&exporter->epochs, keep);
}

/* ---- the file -------------------------------------------------------------------------------- */

static int finish(rdv_buf *b, rdv_str *text, rdv_error *err)
{
    if (!rdv_buf_ok(b))
        return rdv_no_memory(err);
    *text = b->len ? rdv_buf_str(b) : RDV_STR("");
    return RDV_OK;
}

int rdv_export_head(const rdv_export *exporter, rdv_arena *arena, rdv_str *text, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    if (exporter->format->head)
        exporter->format->head(exporter, &b);
    return finish(&b, text, err);
}

int rdv_export_chain(rdv_export *exporter, const rdv_chain *chain, rdv_arena *arena, rdv_str *text,
                     rdv_error *err)
{
    rdv_str method = exporter->options.method;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    if (method.p && !rdv_chain_check(chain, method))
        return rdv_fail(err, RDV_E_INPUT, "no check by %.*s", RDV_FMT(method));
    if (exporter->written)
        rdv_buf_add(&b, rdv_str_of(exporter->format->between));
    int code = exporter->format->item(exporter, chain, arena, &b, err);
    exporter->left_out += code == RDV_NONE;
    if (code != RDV_OK)
        return code;
    exporter->written++;
    return finish(&b, text, err);
}

int rdv_export_tail(const rdv_export *exporter, rdv_arena *arena, rdv_str *text, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add(&b, rdv_str_of(exporter->format->tail));
    return finish(&b, text, err);
}
