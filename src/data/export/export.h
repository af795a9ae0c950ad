/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Chains in the formats of other tools (docs/convert.md). A file is a head, one item for each chain
 * with `between` in the middle, and a tail, so that it is written as the chains are read. */
#include "data/export/format.h"

/* The `i`-th format, or NULL past the last. */
const rdv_export_format *rdv_export_format_at(size_t i);
/* Begin to export in the format of that name, which exists. Strings are borrowed. */
void rdv_export_begin(rdv_export *exporter, const char *format, const rdv_export_options *options,
                      rdv_arena *keep);
/* The text of the file's head, of the next chain, and of its tail; in `arena`, empty where there is
 * none. rdv_export_chain(): RDV_NONE: the chain is left out; RDV_E_INPUT, RDV_E_FORMAT; the
 * others only RDV_E_NOMEM. */
int rdv_export_head(const rdv_export *exporter, rdv_arena *arena, rdv_str *text, rdv_error *err);
int rdv_export_chain(rdv_export *exporter, const rdv_chain *chain, rdv_arena *arena, rdv_str *text,
                     rdv_error *err);
/* The same in two parts. The first may be done by any thread, with *made untouched until the second
 * is done; `file` is what exporter->file would be. */
int rdv_export_make(const rdv_export *exporter, const char *file, const rdv_chain *chain,
                    rdv_arena *arena, rdv_exported *made, rdv_error *err);
int rdv_export_add(rdv_export *exporter, const rdv_chain *chain, const rdv_exported *made,
                   rdv_arena *arena, rdv_str *text, rdv_error *err);
int rdv_export_tail(const rdv_export *exporter, rdv_arena *arena, rdv_str *text, rdv_error *err);
