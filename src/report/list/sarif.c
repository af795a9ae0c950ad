/* SPDX-License-Identifier: Apache-2.0 */
#include "report/list/sarif.h"

#include "base/json.h"
#include "base/str.h"

#include <rederive/method.h>

#define SCHEMA                                                                                     \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

void sarif_begin(rdv_buf *b)
{
    rdv_buf_lit(b, "{\"$schema\":\"" SCHEMA "\",\"version\":\"2.1.0\",\"runs\":[{"
                   "\"columnKind\":\"unicodeCodePoints\",\"results\":[");
}

static void put_uri_path(rdv_buf *b, rdv_str path)
{
    for (size_t i = 0; i < path.len; i++)
        if (rdv_is_alnum(path.p[i]) || (path.p[i] && strchr("-._~/!", path.p[i])))
            rdv_buf_add_char(b, path.p[i]);
        else
            rdv_buf_printf(b, "%%%02X", (unsigned char)path.p[i]);
}

/* The file as a reference that is relative to where the program ran, unless its path is absolute.
 */
static void put_uri(rdv_buf *b, const rdv_listing_place *place)
{
    rdv_str file = rdv_str_of(place->file);
    while (rdv_starts(file, RDV_STR("./")))
        file = rdv_slice(file, 2, file.len);
    rdv_buf_lit(b, "\"");
    if (rdv_starts(file, RDV_STR("/")))
        rdv_buf_lit(b, "file://");
    put_uri_path(b, file);
    if (place->places && place->places->part.p) {
        rdv_buf_lit(b, "!");
        put_uri_path(b, place->places->part);
    }
    rdv_buf_lit(b, "\"");
}

static void put_region(rdv_buf *b, const finding *f)
{
    rdv_json_open(b, "region", '{');
    rdv_json_put_count(b, "startLine", f->from.line);
    rdv_json_put_count(b, "startColumn", f->from.column);
    if (f->is_placed) {
        rdv_json_put_count(b, "endLine", f->to.line);
        rdv_json_put_count(b, "endColumn", f->to.column);
        rdv_json_put_count(b, "byteOffset", f->from.offset);
        rdv_json_put_count(b, "byteLength", f->to.offset - f->from.offset);
    }
    rdv_buf_lit(b, "}");
}

void sarif_put(const finding *f, rdv_buf *b)
{
    static const char *const levels[] = {"error", "warning", "note"};
    rdv_buf_lit(b, ",\n{");
    rdv_json_put_text(b, "ruleId", f->rule);
    rdv_json_put_text(b, "level", rdv_str_of(levels[f->level]));
    rdv_json_open(b, "message", '{');
    rdv_json_put_text(b, "text", f->message);
    rdv_buf_lit(b, "},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
    put_uri(b, f->place);
    rdv_buf_lit(b, "}");
    put_region(b, f);
    rdv_buf_lit(b, "}}]}");
}

/* A member that is a text for people. */
static void put_message(rdv_buf *b, const char *name, const char *before, rdv_str text,
                        const char *behind)
{
    rdv_json_open(b, name, '{');
    rdv_json_name(b, RDV_STR("text"));
    rdv_buf whole;
    rdv_buf_init(&whole, b->arena, 0);
    rdv_buf_printf(&whole, "%s%.*s%s", before, RDV_FMT(text), behind);
    b->failed |= !rdv_buf_ok(&whole);
    rdv_json_text(b, rdv_buf_str(&whole));
    rdv_buf_lit(b, "}");
}

/* A rule is a method, and behind "/" a row of the rules of language. */
static void put_rule(rdv_buf *b, rdv_str id)
{
    size_t slash = rdv_find_char(id, '/', 0);
    bool is_row = slash != RDV_NOT_FOUND;
    rdv_str name = is_row ? rdv_slice(id, 0, slash) : id;
    const rdv_method *method = rdv_method_named(name);
    rdv_json_item(b);
    rdv_buf_lit(b, "\n{");
    rdv_json_put_text(b, "id", id);
    put_message(b, "shortDescription", "", method ? rdv_str_of(method->summary) : name, "");
    put_message(b, "fullDescription", "A step that Rederive's method ", id, " finds wrong.");
    if (is_row)
        put_message(b, "help", "The row that read the text: rederive rules ",
                    rdv_slice(id, slash + 1, id.len), "");
    else
        put_message(b, "help", "The methods: rederive methods; this one: ", name, "");
    rdv_buf_lit(b, "}");
}

void sarif_end(const rdv_rule_ids *rules, const char *version, rdv_buf *b)
{
    rdv_buf_lit(b, "\n],\"tool\":{\"driver\":{\"name\":\"Rederive\"");
    rdv_json_put_text(b, "version", rdv_str_of(version));
    rdv_json_open(b, "rules", '[');
    for (size_t i = 0; i < rules->n; i++)
        put_rule(b, rules->items[i]);
    rdv_buf_lit(b, "]}}}]}\n");
}
