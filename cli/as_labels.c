/* SPDX-License-Identifier: Apache-2.0 */
#include "as_labels.h"

#include "base/json.h"
#include "base/str.h"
#include "method/decided_label.h"

#include <inttypes.h>
#include <string.h>

#define MAX_SHOWN 10 /* conflicts that are listed one by one */

bool as_labels_usable(const struct settings *s)
{
    const char *other = s->view          ? "view"
                        : s->list_form   ? "list"
                        : s->list_unread ? "list-unread"
                        : s->dry_run     ? "dry-run"
                                         : NULL;
    if (s->replace_labels && !s->as_labels)
        say("check: --replace-labels has no effect without --as-labels");
    else if (s->as_labels && other)
        say("check: --as-labels writes records, and cannot be combined with --%s", other);
    else
        return true;
    return false;
}

static bool same(rdv_label a, rdv_label b)
{
    return a.kind == b.kind && (a.kind != RDV_LABEL_AT || a.step == b.step);
}

/* "step 3", or "no wrong step". */
static const char *described(rdv_label label, char *room, size_t size)
{
    if (label.kind != RDV_LABEL_AT)
        return "no wrong step";
    snprintf(room, size, "step %zu", label.step);
    return room;
}

static void tell_conflict(struct as_labels *labels, struct run *run, const char *path, size_t line,
                          const rdv_chain *chain, const rdv_check *check, rdv_label found)
{
    char was[40], is[40];
    if (labels->conflicts++ >= MAX_SHOWN)
        return;
    run_progress(run, NULL);
    say("%s:%zu: %.*s: its label is %s, %.*s finds %s; the label is %s", path, line,
        RDV_FMT(chain->id), described(chain->label, was, sizeof was), RDV_FMT(check->method),
        described(found, is, sizeof is),
        run->settings->replace_labels ? "replaced" : "kept (--replace-labels replaces it)");
}

static void put(const struct settings *s, rdv_label found, const rdv_check *check, bool asks,
                rdv_str checker, rdv_buf *b)
{
    rdv_json_name(b, RDV_STR("label"));
    if (found.kind == RDV_LABEL_AT)
        rdv_buf_printf(b, "%zu", found.step);
    else
        rdv_buf_lit(b, "null");
    rdv_json_open(b, "label_source", '{');
    rdv_json_put_text(b, "method", check->method);
    rdv_json_put_text(b, "rederive_version", RDV_STR(RDV_VERSION));
    if (asks) {
        rdv_json_put_text(b, "checker", checker);
        rdv_json_put_text(b, "profile", rdv_str_of(s->profile));
    }
    rdv_buf_add_char(b, '}');
}

static bool is_set(const struct settings *s, const rdv_chain *chain, rdv_label found)
{
    bool had = chain->label.kind != RDV_LABEL_UNKNOWN;
    return found.kind != RDV_LABEL_UNKNOWN && (!had || s->replace_labels);
}

void as_labels_put(const struct settings *settings, const rdv_chain *chain, const rdv_check *check,
                   bool asks, rdv_str checker, rdv_buf *members)
{
    rdv_label found = decided_label(check, chain);
    if (is_set(settings, chain, found))
        put(settings, found, check, asks, checker, members);
}

void as_labels_count(struct as_labels *labels, struct run *run, const char *path, size_t line,
                     const rdv_chain *chain, const rdv_check *check)
{
    rdv_label found = decided_label(check, chain);
    bool had = chain->label.kind != RDV_LABEL_UNKNOWN;
    bool set = is_set(run->settings, chain, found);
    if (had && found.kind != RDV_LABEL_UNKNOWN && !same(chain->label, found))
        tell_conflict(labels, run, path, line, chain, check, found);
    labels->set += set;
    labels->kept += had && !set;
    labels->undecided += !had && !set;
}

void as_labels_conclude(const struct as_labels *labels)
{
    if (labels->conflicts > MAX_SHOWN)
        say("and so for %" PRIu64 " more", labels->conflicts - MAX_SHOWN);
}
