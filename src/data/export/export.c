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

/* As the item of the format, of a chain whose check is there. */
static int make_item(rdv_export *exporter, const rdv_chain *chain, rdv_arena *arena, rdv_str *text,
                     rdv_error *err)
{
    rdv_str method = exporter->options.method;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    if (method.p && !rdv_chain_check(chain, method))
        return rdv_fail(err, RDV_E_INPUT, "no check by %.*s", RDV_FMT(method));
    int code = exporter->format->item(exporter, chain, arena, &b, err);
    return code == RDV_OK ? finish(&b, text, err) : code;
}

int rdv_export_make(const rdv_export *exporter, const char *file, const rdv_chain *chain,
                    rdv_arena *arena, rdv_exported *made, rdv_error *err)
{
    rdv_export own = {.format = exporter->format,
                      .options = exporter->options,
                      .keep = exporter->keep,
                      .file = file};
    *made = (rdv_exported){.code = RDV_OK};
    if (exporter->format->in_order)
        return RDV_OK;
    made->code = make_item(&own, chain, arena, &made->text, err);
    made->cut = own.cut;
    return made->code < 0 ? made->code : RDV_OK;
}

int rdv_export_add(rdv_export *exporter, const rdv_chain *chain, const rdv_exported *made,
                   rdv_arena *arena, rdv_str *text, rdv_error *err)
{
    rdv_exported is = *made;
    rdv_buf b;
    if (exporter->format->in_order)
        is.code = make_item(exporter, chain, arena, &is.text, err);
    exporter->left_out += is.code == RDV_NONE;
    if (is.code != RDV_OK)
        return is.code;
    exporter->cut += is.cut;
    rdv_buf_init(&b, arena, 0);
    if (exporter->written++)
        rdv_buf_add(&b, rdv_str_of(exporter->format->between));
    rdv_buf_add(&b, is.text);
    return finish(&b, text, err);
}

int rdv_export_chain(rdv_export *exporter, const rdv_chain *chain, rdv_arena *arena, rdv_str *text,
                     rdv_error *err)
{
    rdv_exported made;
    int code = rdv_export_make(exporter, exporter->file, chain, arena, &made, err);
    return code == RDV_OK ? rdv_export_add(exporter, chain, &made, arena, text, err) : code;
}

int rdv_export_tail(const rdv_export *exporter, rdv_arena *arena, rdv_str *text, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add(&b, rdv_str_of(exporter->format->tail));
    return finish(&b, text, err);
}
