/* SPDX-License-Identifier: Apache-2.0 */
/* Files of annotations: records of JSON, or tables. */
#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "data/annotation/judgements.h"
#include "data/annotation/tools.h"
#include "data/csv.h"
#include "data/json_stream.h"
#include "data/chain_builder.h"

typedef struct reading {
    rdv_annotations *to;
    const char *path; /* as messages name it; in the arena of the annotations */
    rdv_annotation_told *told;
    void *payload;
    size_t bad;
} reading;

/* ---- what was read --------------------------------------------------------------------------- */

/* y, n or a, in words too; false: none of them. */
static bool read_mark(rdv_str text, int8_t *out)
{
    static const struct {
        const char *word;
        int8_t is;
    } words[] = {{"y", 1},  {"yes", 1}, {"true", 1},  {"1", 1},          {"correct", 1},
                 {"n", 0},  {"no", 0},  {"false", 0}, {"0", 0},          {"wrong", 0},
                 {"a", -1}, {"?", -1},  {"null", -1}, {"cannot say", -1}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (rdv_str_ieq(text, rdv_str_of(words[i].word))) {
            *out = words[i].is;
            return true;
        }
    }
    return false;
}

/* A step as the file counts them. */
static bool read_step(const reading *r, rdv_str text, size_t *out)
{
    size_t step = 0;
    if (text.len == 0 || text.len > 9)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (!rdv_is_digit(text.p[i]))
            return false;
        step = 10 * step + (size_t)(text.p[i] - '0');
    }
    if (step < r->to->options.count_from)
        return false;
    *out = step - r->to->options.count_from;
    return true;
}

static int read_first_wrong(const reading *r, rdv_str text, rdv_label *out, rdv_error *err)
{
    size_t step = 0;
    bool none = rdv_str_ieq(text, RDV_STR("none")) || rdv_str_ieq(text, RDV_STR("null"));
    if (!none && !read_step(r, text, &step))
        return rdv_fail(err, RDV_E_INPUT,
                        "first_error \"%.*s\": a step, counted from %zu, or none is wanted",
                        RDV_FMT(rdv_str_head(text, 40)), r->to->options.count_from);
    *out = (rdv_label){none ? RDV_LABEL_NO_MISTAKE : RDV_LABEL_AT, step};
    return RDV_OK;
}

/* The annotator and the criterion; if they are missing, those of the options. */
static int complete(const reading *r, rdv_annotation *one, rdv_error *err)
{
    const rdv_annotation_options *o = &r->to->options;
    if (!one->id.len)
        return rdv_fail(err, RDV_E_INPUT, "no id");
    if (!one->by.len && !o->by)
        return rdv_fail(err, RDV_E_INPUT,
                        "no annotator: the record has no \"annotator\", and no "
                        "other was named");
    if (!one->by.len)
        one->by = rdv_str_of(o->by);
    if (!one->of.len)
        one->of = o->of ? rdv_str_of(o->of) : RDV_STR("correct");
    one->path = r->path;
    return RDV_OK;
}

/* Report a record that cannot be used. Lack of memory and read errors end the file. */
static int tell(reading *r, size_t line, int code, const rdv_error *why, rdv_error *err)
{
    char message[RDV_ERROR_MAX + 64];
    if (code == RDV_OK || code == RDV_NONE)
        return code;
    if (code != RDV_E_INPUT && code != RDV_E_LIMIT)
        return rdv_fail(err, code, "%s:%zu: %s", r->path, line, why->msg);
    r->bad++;
    snprintf(message, sizeof message, "%s:%zu: %s", r->path, line, why->msg);
    if (r->told)
        r->told(r->payload, message);
    return RDV_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static bool mark_of(const json_t *value, int8_t *out)
{
    if (json_is_null(value)) {
        *out = -1;
        return true;
    }
    if (json_is_string(value))
        return read_mark(rdv_str_of(json_string_value(value)), out);
    *out = (int8_t)rdv_build_flag_of(value);
    return *out >= 0;
}

static void read_marks(rdv_chain_builder *m, rdv_annotation *one)
{
    const json_t *list = rdv_build_list(m, "labels");
    one->is_what = RDV_ANNOTATION_STEPS;
    one->n = json_array_size(list);
    one->is = RDV_NEW_ARRAY(m->arena, int8_t, one->n);
    if (!one->is)
        rdv_build_nomem(m);
    for (size_t i = 0; one->is && i < one->n; i++)
        if (!mark_of(json_array_get(list, i), &one->is[i]))
            rdv_members_fail(m->in, RDV_E_INPUT, "labels[%zu]: true, false or null is wanted", i);
}

static int read_members(reading *r, rdv_chain_builder *m, rdv_annotation *one, rdv_error *err)
{
    one->id = rdv_build_text(m, "id");
    one->by = rdv_build_text(m, "annotator");
    one->of = rdv_build_text(m, "criterion");
    bool marks = rdv_members_have(m->in, "labels"), first = rdv_members_have(m->in, "first_error");
    if (marks == first)
        return rdv_fail(err, RDV_E_INPUT, "either \"first_error\" or \"labels\" is wanted");
    if (marks)
        read_marks(m, one);
    rdv_str text = first ? rdv_build_text(m, "first_error") : (rdv_str){0};
    if (m->in->fault != RDV_OK)
        return rdv_fail(err, m->in->fault, "%s", m->in->reason);
    if (first) {
        int code = read_first_wrong(r, text.p ? text : RDV_STR("none"), &one->first_wrong, err);
        if (code < 0)
            return code;
    }
    return complete(r, one, err);
}

/* Take in what people said of a task. */
static int take_task(reading *r, rdv_chain_builder *m, size_t line, rdv_error *err)
{
    size_t next = 0;
    int code = RDV_OK;
    while (code == RDV_OK) {
        rdv_annotation one = {.line = line};
        code = annotation_of_task(m, &next, &one, err);
        if (code == RDV_OK)
            code = complete(r, &one, err);
        if (code == RDV_OK)
            code = rdv_annotations_add(r->to, &one, err);
    }
    return code == RDV_NONE ? RDV_OK : code;
}

static int take_of_span(reading *r, rdv_chain_builder *m, size_t line, rdv_error *err)
{
    rdv_annotation one = {.line = line};
    int code = annotation_of_span(m, &one, err);
    if (code == RDV_OK)
        code = complete(r, &one, err);
    return code == RDV_OK     ? rdv_annotations_add(r->to, &one, err)
           : code == RDV_NONE ? RDV_OK
                              : code;
}

/* Take in the one annotation of a record of our own form. */
static int take_own(reading *r, rdv_chain_builder *m, size_t line, rdv_error *err)
{
    rdv_annotation one = {.line = line};
    int code = rdv_members_version(m->in, err);
    if (code == RDV_OK)
        code = read_members(r, m, &one, err);
    return code == RDV_OK ? rdv_annotations_add(r->to, &one, err) : code;
}

static int take_json(reading *r, const rdv_json_span *span, const rdv_limits *limits,
                     rdv_arena *scratch, rdv_error *err)
{
    rdv_members members = {0};
    rdv_record none = {0};
    rdv_chain_builder m = {.in = &members,
                           .out = &none,
                           .chain = &none.chain,
                           .arena = r->to->arena,
                           .set = r->path,
                           .limits = limits};
    size_t at;
    int code = rdv_members_read(&members, span->text, limits, scratch, &at, err);
    if (code == RDV_OK)
        code = (annotation_is_task(&members)      ? take_task
                : annotation_is_of_span(&members) ? take_of_span
                                                  : take_own)(r, &m, span->line, err);
    rdv_members_free(&members);
    return code;
}

static int read_json(reading *r, rdv_bytes *bytes, rdv_arena *scratch, rdv_error *err)
{
    const rdv_limits limits = {.record_bytes = RDV_MAX_ANNOTATION_BYTES,
                               .depth = 16,
                               .steps = RDV_MAX_STEPS,
                               .members = RDV_MAX_ANNOTATION_CELLS};
    rdv_json_stream stream;
    rdv_json_span span = {.line = 1};
    rdv_error why = {0};
    int code = rdv_json_stream_init(&stream, bytes, &limits, err);
    while (code == RDV_OK) {
        rdv_arena_reset(scratch);
        code = rdv_json_stream_next(&stream, &span, &why);
        if (code == RDV_OK)
            code = take_json(r, &span, &limits, scratch, &why);
        code = tell(r, span.line, code, &why, err);
    }
    rdv_json_stream_free(&stream);
    return code == RDV_NONE ? RDV_OK : code;
}

/* ---- tables ---------------------------------------------------------------------------------- */

enum { ID, BY, OF, FIRST_WRONG, STEP, IS, VERDICT, N_COLUMNS };
#define NO_COLUMN SIZE_MAX

static const char *const column_names[N_COLUMNS] = {"id",   "annotator", "criterion", "first_error",
                                                    "step", "label",     "verdict"};

/* Where each column is, by the table's first row. */
static int find_columns(const reading *r, const rdv_str *cells, size_t n, size_t *at,
                        rdv_error *err)
{
    for (size_t c = 0; c < N_COLUMNS; c++) {
        at[c] = NO_COLUMN;
        for (size_t i = 0; i < n; i++) {
            rdv_str name = rdv_trim(cells[i]);
            if (i == 0 && rdv_starts(name, RDV_STR("\xef\xbb\xbf"))) /* as spreadsheets write it */
                name = rdv_slice(name, 3, name.len);
            if (at[c] == NO_COLUMN && rdv_str_ieq(name, rdv_str_of(column_names[c])))
                at[c] = i;
        }
    }
    bool steps = at[STEP] != NO_COLUMN && at[IS] != NO_COLUMN;
    if (steps && at[VERDICT] != NO_COLUMN) /* of 'rederive convert --to csv': a program's */
        at[FIRST_WRONG] = NO_COLUMN;
    if (at[ID] != NO_COLUMN && steps != (at[FIRST_WRONG] != NO_COLUMN))
        return RDV_OK;
    return rdv_fail(err, RDV_E_INPUT,
                    "%s: the first row has to name the columns: id and first_error, or id, step "
                    "and label; annotator and criterion where there are several",
                    r->path);
}

static rdv_str cell(const rdv_str *cells, size_t n, size_t at)
{
    return at < n ? rdv_csv_text(rdv_trim(cells[at])) : RDV_STR("");
}

/* A copy that lives with the annotations; absent where there is nothing. */
static bool keep(reading *r, rdv_str text, rdv_str *out)
{
    *out = text.len ? rdv_str_copy(r->to->arena, text) : (rdv_str){0};
    return !text.len || out->p;
}

/* The names of a row are UTF-8: otherwise two that differ would be written as the same. */
static int check_names(const rdv_str *cells, size_t n, const size_t *at, rdv_error *err)
{
    static const int names[] = {ID, BY, OF};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rdv_str text = cell(cells, n, at[names[i]]);
        size_t valid = rdv_utf8_valid(text);
        if (valid < text.len)
            return rdv_fail(err, RDV_E_INPUT, "byte 0x%02x is not UTF-8; convert the file first",
                            (unsigned char)text.p[valid]);
    }
    return RDV_OK;
}

/* Read one row. RDV_OK also if it has no label. */
static int take_row(reading *r, const rdv_str *cells, size_t n, const size_t *at, size_t line,
                    rdv_error *err)
{
    rdv_annotation one = {.line = line};
    bool steps = at[FIRST_WRONG] == NO_COLUMN;
    rdv_str said = cell(cells, n, steps ? at[IS] : at[FIRST_WRONG]);
    if (!said.len)
        return RDV_OK;
    int code = check_names(cells, n, at, err);
    if (code != RDV_OK)
        return code;
    if (!keep(r, cell(cells, n, at[ID]), &one.id) || !keep(r, cell(cells, n, at[BY]), &one.by) ||
        !keep(r, cell(cells, n, at[OF]), &one.of))
        return rdv_no_memory(err);
    code = complete(r, &one, err);
    if (code == RDV_OK && !steps)
        code = read_first_wrong(r, said, &one.first_wrong, err);
    if (code == RDV_OK && steps) {
        rdv_str step = cell(cells, n, at[STEP]);
        one.is_what = RDV_ANNOTATION_STEP;
        if (!read_step(r, step, &one.first_wrong.step))
            return rdv_fail(err, RDV_E_INPUT, "step \"%.*s\": a number from %zu is wanted",
                            RDV_FMT(rdv_str_head(step, 40)), r->to->options.count_from);
        if (!read_mark(said, &one.mark))
            return rdv_fail(err, RDV_E_INPUT, "label \"%.*s\": y, n or a (cannot say) is wanted",
                            RDV_FMT(rdv_str_head(said, 40)));
    }
    return code == RDV_OK ? rdv_annotations_add(r->to, &one, err) : code;
}

static int read_table(reading *r, rdv_source source, rdv_arena *scratch, rdv_error *err)
{
    rdv_csv csv;
    rdv_str *cells;
    size_t n, line = 1, at[N_COLUMNS];
    rdv_error why = {0};
    rdv_csv_init(&csv, source, RDV_MAX_ANNOTATION_BYTES, RDV_MAX_ANNOTATION_CELLS);
    int code = rdv_csv_next(&csv, scratch, &cells, &n, &line, &why);
    if (code == RDV_NONE)
        return RDV_OK;
    if (code != RDV_OK)
        return rdv_fail(err, code, "%s:%zu: %s", r->path, line, why.msg);
    code = find_columns(r, cells, n, at, err);
    while (code == RDV_OK) {
        rdv_arena_reset(scratch);
        code = rdv_csv_next(&csv, scratch, &cells, &n, &line, &why);
        if (code == RDV_OK)
            code = take_row(r, cells, n, at, line, &why);
        code = tell(r, line, code, &why, err);
    }
    return code == RDV_NONE ? RDV_OK : code;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* The first bytes of a file, which are examined and then returned again before the others. */
typedef struct looked {
    rdv_bytes *bytes;
    char first[4096];
    size_t begin, end;
    rdv_error fault;
} looked;

static ptrdiff_t read_looked(void *cookie, void *to, size_t size)
{
    looked *l = cookie;
    size_t n = l->end - l->begin < size ? l->end - l->begin : size;
    if (n == 0)
        return rdv_bytes_read(l->bytes, to, size, &n, &l->fault) < 0 ? -1 : (ptrdiff_t)n;
    memcpy(to, l->first + l->begin, n);
    l->begin += n;
    return (ptrdiff_t)n;
}

/* Records of JSON begin with a bracket; a table with the name of a column. */
static bool is_json(const looked *l)
{
    rdv_str text = rdv_trim((rdv_str){l->first, l->end});
    return text.len && (text.p[0] == '{' || text.p[0] == '[');
}

static int read_looked_file(reading *r, looked *l, rdv_error *err)
{
    rdv_bytes *again;
    rdv_source source = {l, read_looked};
    int code = rdv_bytes_read(l->bytes, l->first, sizeof l->first, &l->end, err);
    rdv_arena *scratch = code == RDV_OK ? rdv_arena_new(0) : NULL;
    if (code < 0)
        return rdv_wrap(err, code, "%s", r->path);
    if (!scratch)
        return rdv_no_memory(err);
    if (!is_json(l)) {
        code = read_table(r, source, scratch, err);
    } else {
        code = rdv_bytes_open_source(&again, source, err);
        if (code == RDV_OK)
            code = read_json(r, again, scratch, err);
    }
    rdv_arena_free(&scratch);
    return code;
}

/* Takes over `bytes`. */
static int read_bytes(rdv_annotations *a, rdv_bytes *bytes, const char *name,
                      rdv_annotation_told *told, void *payload, size_t *n_bad, rdv_error *err)
{
    looked l = {.bytes = bytes};
    reading r = {
        .to = a, .path = rdv_cstring(a->arena, rdv_str_of(name)), .told = told, .payload = payload};
    int code = r.path ? read_looked_file(&r, &l, err) : rdv_no_memory(err);
    rdv_bytes_close(&l.bytes);
    if (n_bad)
        *n_bad += r.bad;
    return code;
}

int rdv_annotations_read(rdv_annotations *annotations, const char *path, rdv_annotation_told *told,
                         void *payload, size_t *n_bad, rdv_error *err)
{
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    rdv_bytes *bytes;
    int code = rdv_bytes_open(&bytes, path, err);
    return code == RDV_OK ? read_bytes(annotations, bytes, name, told, payload, n_bad, err) : code;
}

int rdv_annotations_read_source(rdv_annotations *annotations, rdv_source source, const char *name,
                                rdv_annotation_told *told, void *payload, size_t *n_bad,
                                rdv_error *err)
{
    rdv_bytes *bytes;
    int code = rdv_bytes_open_source(&bytes, source, err);
    return code == RDV_OK ? read_bytes(annotations, bytes, name, told, payload, n_bad, err) : code;
}
