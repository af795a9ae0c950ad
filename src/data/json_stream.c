/* SPDX-License-Identifier: Apache-2.0 */
#include "data/json_stream.h"
#include "base/arena.h"
#include "base/str.h"
#include "data/format/formats.h"
#include "data/mapping.h"
#include "data/nonfinite.h"
#include "data/scan.h"

#define READ_SIZE ((size_t)64 * 1024)

/* ---- the window on the input ----------------------------------------------------------------- */

int rdv_json_stream_init(rdv_json_stream *f, rdv_bytes *bytes, const rdv_limits *limits,
                         rdv_error *err)
{
    *f = (rdv_json_stream){.bytes = bytes, .limits = limits, .here = {1, 1, 0}};
    f->arena = rdv_arena_new(0);
    if (f->arena)
        f->p = rdv_alloc(f->arena, READ_SIZE);
    if (!f->p)
        return rdv_no_memory(err);
    f->cap = READ_SIZE;
    rdv_buf_init(&f->finite, f->arena, 0);
    rdv_buf_init(&f->chat, f->arena, 0);
    return RDV_OK;
}

void rdv_json_stream_free(rdv_json_stream *f)
{
    rdv_bytes_close(&f->bytes);
    rdv_arena_free(&f->arena);
}

static rdv_str window(const rdv_json_stream *f)
{
    return (rdv_str){f->p + f->begin, f->end - f->begin};
}

/* Room after `end`: by moving what is held, where that is less than half of it, else by doubling,
 * so that every byte is moved a bounded number of times. */
static int make_room(rdv_json_stream *f, rdv_error *err)
{
    if (f->end < f->cap)
        return RDV_OK;
    if (f->begin > f->cap / 2) {
        memmove(f->p, f->p + f->begin, f->end - f->begin);
        f->end -= f->begin;
        f->begin = 0;
        return RDV_OK;
    }
    char *p = rdv_regrow(f->arena, f->p, f->cap, f->cap * 2);
    if (!p)
        return rdv_no_memory(err);
    f->p = p;
    f->cap *= 2;
    return RDV_OK;
}

/* Read more. RDV_OK; RDV_NONE: there is no more; or a fault. */
static int fill(rdv_json_stream *f, rdv_error *err)
{
    if (f->ended)
        return RDV_NONE;
    int rc = make_room(f, err);
    if (rc != RDV_OK)
        return rc;
    size_t got;
    rc = rdv_bytes_read(f->bytes, f->p + f->end, f->cap - f->end, &got, err);
    if (rc != RDV_OK)
        return rc;
    f->end += got;
    f->ended = got == 0;
    return got ? RDV_OK : RDV_NONE;
}

void rdv_json_span_advance(rdv_json_span *span, size_t n)
{
    rdv_place place = {span->line, span->column, 0};
    rdv_place_pass(&place, span->text.p, n < span->text.len ? n : span->text.len);
    span->line = place.line;
    span->column = place.column;
}

/* Be done with the first `n` bytes held. */
static void use(rdv_json_stream *f, size_t n)
{
    rdv_place_pass(&f->here, f->p + f->begin, n);
    f->begin += n;
}

/* The next byte into *c without using it. RDV_NONE at the end. */
static int peek(rdv_json_stream *f, char *c, rdv_error *err)
{
    int rc = f->begin < f->end ? RDV_OK : fill(f, err);
    if (rc == RDV_OK)
        *c = f->p[f->begin];
    return rc;
}

/* Use white space, then peek. */
static int peek_word(rdv_json_stream *f, char *c, rdv_error *err)
{
    int rc;
    while ((rc = peek(f, c, err)) == RDV_OK && rdv_is_space(*c))
        use(f, 1);
    return rc;
}

static int too_long(const rdv_json_stream *f, rdv_error *err)
{
    return rdv_fail(err, RDV_E_LIMIT, "a record of more than %zu bytes; it was passed over",
                    f->limits->record_bytes);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int pass_line(rdv_json_stream *f, rdv_error *err)
{
    for (;;) {
        size_t newline = rdv_find_char(window(f), '\n', 0);
        if (newline != RDV_NOT_FOUND) {
            use(f, newline + 1);
            return RDV_OK;
        }
        use(f, f->end - f->begin);
        int rc = fill(f, err);
        if (rc != RDV_OK)
            return rc;
    }
}

/* Length of the line at `begin`, without its newline; *taken with it. */
static int measure_line(rdv_json_stream *f, size_t *len, size_t *taken, rdv_error *err)
{
    size_t searched = 0;
    for (;;) {
        size_t newline = rdv_find_char(window(f), '\n', searched);
        *len = newline == RDV_NOT_FOUND ? window(f).len : newline;
        *taken = newline == RDV_NOT_FOUND ? *len : *len + 1;
        if (newline != RDV_NOT_FOUND || *len > f->limits->record_bytes)
            break;
        searched = *len;
        int rc = fill(f, err);
        if (rc == RDV_NONE)
            break;
        if (rc != RDV_OK)
            return rc;
    }
    return *len > f->limits->record_bytes ? RDV_E_LIMIT : RDV_OK;
}

static int next_line(rdv_json_stream *f, rdv_json_span *span, rdv_error *err)
{
    char c;
    int rc = peek_word(f, &c, err);
    if (rc != RDV_OK)
        return rc;
    size_t len;
    rc = measure_line(f, &len, &f->taken, err);
    *span = (rdv_json_span){{f->p + f->begin, len}, f->here.line, f->here.column, {0}, {{0}}};
    if (rc != RDV_E_LIMIT)
        return rc;
    f->taken = 0;
    rc = pass_line(f, err);
    return rc < 0 ? rc : too_long(f, err);
}

/* ---- lists and objects ----------------------------------------------------------------------- */

/* Length of the list or object `from` bytes after `begin`. RDV_E_INPUT, RDV_E_LIMIT: *len is where
 * it went wrong. */
static int measure(rdv_json_stream *f, size_t from, size_t *len, rdv_error *err)
{
    rdv_scan scan;
    rdv_scan_init(&scan, f->limits->depth);
    scan.nonfinite = true;
    for (*len = 0;; ++*len) {
        if (*len == f->limits->record_bytes)
            return too_long(f, err);
        if (f->begin + from + *len == f->end) {
            int rc = fill(f, err);
            if (rc == RDV_NONE)
                return rdv_fail(err, RDV_E_INPUT, "the file ends inside a record; is it whole?");
            if (rc != RDV_OK)
                return rc;
        }
        int rc = rdv_scan_byte(&scan, f->p[f->begin + from + *len]);
        if (rc == RDV_NONE) {
            ++*len;
            return RDV_OK;
        }
        if (rc != RDV_OK)
            return rdv_fail(err, rc, "%s", scan.wrong);
    }
}

/* Brackets alone, to find the end of a value that is not well formed. */
typedef struct brackets {
    size_t depth;
    bool in_string, escaped;
} brackets;

static void count_bracket(brackets *b, char c)
{
    if (c == '\n')
        b->in_string = b->escaped = false; /* no string goes over a line */
    else if (b->escaped)
        b->escaped = false;
    else if (b->in_string) {
        b->escaped = c == '\\';
        b->in_string = c != '"';
    } else if (c == '"')
        b->in_string = true;
    else if (c == '{' || c == '[')
        b->depth++;
    else if (c == '}' || c == ']')
        b->depth--;
}

/* Skip the broken record at `begin`, whose byte `wrong` cannot be: to where its brackets
 * close, or, after that byte, to a line that opens an object no further in than the record itself.
 */
static int pass_record(rdv_json_stream *f, size_t wrong, rdv_error *err)
{
    brackets b = {0};
    size_t column = f->here.column;
    bool line_start = false;
    for (size_t i = 0;; i++) {
        char c;
        int rc = peek(f, &c, err);
        if (rc != RDV_OK)
            return rc;
        if (i >= wrong && line_start && c == '{' && f->here.column <= column)
            return RDV_OK;
        line_start = c == '\n' || (line_start && rdv_is_space(c));
        count_bracket(&b, c);
        use(f, 1);
        if (b.depth == 0)
            return RDV_OK;
    }
}

static int take_record(rdv_json_stream *f, rdv_json_span *span, rdv_error *err)
{
    *span = (rdv_json_span){{f->p + f->begin, 0}, f->here.line, f->here.column, {0}, {{0}}};
    size_t len;
    int rc = measure(f, 0, &len, err);
    span->text = (rdv_str){f->p + f->begin, len};
    if (rc == RDV_OK) {
        f->taken = len;
        f->named = false;
        return RDV_OK;
    }
    if (rc != RDV_E_INPUT && rc != RDV_E_LIMIT)
        return rc;
    bool cut = rc == RDV_E_INPUT && len == window(f).len;
    rdv_json_span_advance(span, len);
    f->named = false;
    rdv_error final = {0};
    int passed = pass_record(f, len, &final);
    if (cut)
        f->n_open = 0; /* one message says that the file is cut */
    return passed < RDV_OK ? rdv_fail(err, passed, "%s", final.msg) : rc;
}

/* Use a string: from its opening quote to its closing one. */
static int pass_string(rdv_json_stream *f, rdv_error *err)
{
    brackets b = {0};
    char c;
    int rc;
    do {
        rc = peek(f, &c, err);
        if (rc != RDV_OK)
            return rc;
        count_bracket(&b, c);
        use(f, 1);
    } while (b.in_string);
    return RDV_OK;
}

/* Use a number or a word: to the next byte that separates values. */
static int pass_word(rdv_json_stream *f, rdv_error *err)
{
    char c;
    int rc;
    do {
        use(f, 1);
        rc = peek(f, &c, err);
    } while (rc == RDV_OK && !strchr(",:[]{}\"\n", c));
    return rc < 0 ? rc : RDV_OK;
}

static int bad_place(rdv_json_stream *f, rdv_json_span *span, rdv_error *err)
{
    *span = (rdv_json_span){{f->p + f->begin, 0}, f->here.line, f->here.column, {0}, {{0}}};
    char c = f->p[f->begin];
    int rc = c == '"' ? pass_string(f, err) : pass_word(f, err);
    return rc < 0 ? rc : rdv_fail(err, RDV_E_INPUT, "expected a record, a JSON object");
}

static int at_end(rdv_json_stream *f, rdv_json_span *span, rdv_error *err)
{
    if (f->n_open == 0)
        return RDV_NONE;
    *span = (rdv_json_span){{f->p + f->begin, 0}, f->here.line, f->here.column, {0}, {{0}}};
    char missing = f->open[0] == '[' ? ']' : '}';
    f->n_open = 0;
    return rdv_fail(err, RDV_E_INPUT, "the file ends without its closing '%c'; is it whole?",
                    missing);
}

/* Is the string at `begin` the name of the member that holds the records? */
static int look_at_name(rdv_json_stream *f, rdv_error *err)
{
    size_t len = strlen(f->only);
    int rc = RDV_OK;
    while (rc == RDV_OK && window(f).len < len + 2)
        rc = fill(f, err);
    rdv_str rest = rdv_slice(window(f), 1, window(f).len);
    f->other = !rdv_starts(rest, rdv_str_of(f->only)) || rest.len == len || rest.p[len] != '"';
    return rc < 0 ? rc : RDV_OK;
}

/* Within an object: a member's name, or a value that is no record and is skipped. */
static int pass_scalar(rdv_json_stream *f, char c, rdv_error *err)
{
    bool name = c == '"' && !f->named && f->n_open == 1;
    if (name && f->only && look_at_name(f, err) != RDV_OK)
        return RDV_E_IO;
    int rc = c == '"' ? pass_string(f, err) : pass_word(f, err);
    f->named = name;
    return rc;
}

/* Deal with byte `c`, which begins no record. RDV_OK: go on; else what next_nested() returns. */
static int pass_between(rdv_json_stream *f, char c, rdv_json_span *span, rdv_error *err)
{
    char inner = f->n_open ? f->open[f->n_open - 1] : '\0';
    bool opens = c == '[' ? f->shape == RDV_LAYOUT_LIST || f->shape == RDV_LAYOUT_OBJECT
                          : c == '{' && f->shape == RDV_LAYOUT_OBJECT;
    bool may_open = f->n_open == 0 ? (c == '{') == (f->shape == RDV_LAYOUT_OBJECT)
                                   : inner == '{' && f->named && c == '[';
    if (opens && may_open) {
        f->open[f->n_open++] = c;
        use(f, 1);
        return RDV_OK;
    }
    if ((c == ']' && inner == '[') || (c == '}' && inner == '{')) {
        f->n_open--;
        f->named = false;
        use(f, 1);
        return RDV_OK;
    }
    if ((c == ',' && inner) || (c == ':' && f->named)) {
        use(f, 1);
        return RDV_OK;
    }
    if (f->n_open && f->open[0] == '{' && !strchr("[]{},:", c))
        return pass_scalar(f, c, err);
    return bad_place(f, span, err);
}

static int next_nested(rdv_json_stream *f, rdv_json_span *span, rdv_error *err)
{
    for (;;) {
        char c;
        int rc = peek_word(f, &c, err);
        if (rc == RDV_NONE)
            return at_end(f, span, err);
        if (rc != RDV_OK)
            return rc;
        char inner = f->n_open ? f->open[f->n_open - 1] : '\0';
        if (inner == '{' && f->named && f->other && (c == '{' || c == '[')) {
            rc = pass_record(f, SIZE_MAX, err); /* a member that holds no records */
            f->named = false;
            if (rc < 0)
                return rc;
            continue;
        }
        bool here =
            inner == '[' || (inner == '{' && f->named) || (!inner && f->shape == RDV_LAYOUT_VALUES);
        if ((c == '{' && here) || (c == '[' && f->shape == RDV_LAYOUT_CHATS))
            return take_record(f, span, err);
        rc = pass_between(f, c, span, err);
        if (rc != RDV_OK && rc != RDV_NONE)
            return rc;
    }
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Is the value an object, or a list that begins with one? */
static bool holds_records(rdv_str value)
{
    if (value.p[0] == '{')
        return true;
    rdv_str rest = rdv_trim(rdv_slice(value, 1, value.len));
    return value.p[0] == '[' && rest.len && rest.p[0] == '{';
}

/* Is a log of inspect_ai: its header under "eval", its records under "samples". */
static bool is_log(const rdv_members *m)
{
    rdv_str samples = rdv_members_raw(m, "samples"), header = rdv_members_raw(m, "eval");
    return samples.p && samples.p[0] == '[' && header.p && header.p[0] == '{';
}

/* Is a page of a list, as APIs return it: {"data":[{...}, ...],"meta":...}, of no form itself. */
static bool is_page(const rdv_members *m)
{
    rdv_str data = rdv_members_raw(m, "data");
    return rdv_starts(data, RDV_STR("[")) && holds_records(data) && !rdv_format_of(m) &&
           (rdv_members_have(m, "meta") || rdv_members_have(m, "next_cursor") ||
            rdv_members_have(m, "object") || m->n == 1);
}

/* The same of a log of which only the beginning is known, as inspect_ai orders it. */
static bool begins_log(rdv_str text)
{
    rdv_str first = rdv_trim(rdv_slice(text, 1, READ_SIZE));
    return rdv_starts(first, RDV_STR("\"version\"")) &&
           rdv_find(first, RDV_STR("\"eval\""), 0) != RDV_NOT_FOUND;
}

/* Has the object all parts where the user says that a record has them? */
static bool is_mapped(const rdv_json_stream *f, rdv_members *m)
{
    const char *part;
    return f->mapping && f->mapping->any && !rdv_mapping_lacks(f->mapping, m, &part);
}

/* Is this object a file of records, not a record itself? It is when all its members are records or
 * lists of records, or when one is called "examples" or "outputs" (BIG-Bench) and is, or when it is
 * a log of inspect_ai. What an API or a trace writes has such members too, and so may what the user
 * says where its parts are, but they are records. */
static int is_file(rdv_json_stream *f, rdv_str text, bool *out, rdv_error *err)
{
    rdv_arena *arena = rdv_arena_new(0);
    if (!arena)
        return rdv_no_memory(err);
    rdv_members m;
    rdv_buf finite;
    size_t at, n = 0;
    rdv_buf_init(&finite, arena, 0);
    rdv_nonfinite_to_null(text, &finite, &text);
    int rc = rdv_members_read(&m, text, f->limits, arena, &at, err);
    bool listed = false;
    for (size_t i = 0; i < m.n; i++) {
        bool holds = holds_records(m.items[i].raw);
        n += holds;
        listed |= holds && (rdv_str_eq(m.items[i].name, RDV_STR("examples")) ||
                            rdv_str_eq(m.items[i].name, RDV_STR("outputs")));
    }
    if (rc == RDV_OK && is_log(&m))
        f->only = "samples";
    else if (rc == RDV_OK && is_page(&m))
        f->only = "data";
    *out = rc == RDV_OK && m.n > 0 &&
           (((n == m.n || listed) && !rdv_format_is_foreign(&m) && !is_mapped(f, &m)) || f->only);
    rdv_members_free(&m);
    rdv_arena_free(&arena);
    return rc == RDV_E_NOMEM ? rc : RDV_OK;
}

/* The same of the first member of an object of which only the beginning is known. */
static bool first_holds_records(rdv_str text)
{
    rdv_str rest = rdv_trim(rdv_slice(text, 1, text.len));
    brackets b = {0};
    size_t i = 0;
    while (i < rest.len) {
        count_bracket(&b, rest.p[i++]);
        if (!b.in_string)
            break;
    }
    rest = rdv_trim(rdv_slice(rest, i, rest.len));
    if (!rdv_starts(rest, RDV_STR(":")))
        return false;
    rest = rdv_trim(rdv_slice(rest, 1, rest.len));
    return rest.len && holds_records(rest);
}

/* The shape of a file that ends inside its first object. An object of several lines is one record
 * that is cut, and its lines are none; of a log the samples before the cut are read. */
static void shape_of_cut(rdv_json_stream *f, rdv_str text)
{
    if (begins_log(text)) {
        f->only = "samples";
        f->shape = RDV_LAYOUT_OBJECT;
    } else if (rdv_find_char(rdv_trim(text), '\n', 0) != RDV_NOT_FOUND)
        f->shape = RDV_LAYOUT_VALUES;
}

/* The shape of a file that begins with '{'. A first object that is larger than a record may be is a
 * file of records when its first member holds some. */
static int shape_of_object(rdv_json_stream *f, rdv_error *err)
{
    size_t len;
    bool file = false;
    int rc = measure(f, 0, &len, err);
    rdv_str text = {f->p + f->begin, len};
    f->shape = RDV_LAYOUT_LINES;
    if (rc == RDV_E_LIMIT && len == f->limits->record_bytes) {
        if (begins_log(text))
            f->only = "samples";
        if (f->only || first_holds_records(text))
            f->shape = RDV_LAYOUT_OBJECT;
        return RDV_OK;
    }
    if (rc == RDV_E_INPUT && len == window(f).len)
        shape_of_cut(f, text);
    if (rc != RDV_OK)
        return rc == RDV_E_INPUT || rc == RDV_E_LIMIT ? RDV_OK : rc;
    rc = is_file(f, text, &file, err);
    if (file)
        f->shape = RDV_LAYOUT_OBJECT;
    else if (rdv_find_char(text, '\n', 0) != RDV_NOT_FOUND)
        f->shape = RDV_LAYOUT_VALUES;
    return rc;
}

/* Is the object a message of a chat, and no record: has it a role and what was said, alone? */
static bool is_message(rdv_str text, const rdv_limits *limits)
{
    static const char *const said[] = {"content", "parts", "value", "tool_calls"};
    rdv_members m;
    rdv_error err = {0};
    size_t at;
    rdv_arena *arena = rdv_arena_new(0);
    bool is = arena && rdv_members_read(&m, text, limits, arena, &at, &err) == RDV_OK &&
              (rdv_members_have(&m, "role") || rdv_members_have(&m, "from"));
    bool says = false;
    for (size_t i = 0; is && i < sizeof said / sizeof *said; i++)
        says = says || rdv_members_have(&m, said[i]);
    is = is && says && !rdv_format_of(&m);
    if (arena)
        rdv_members_free(&m);
    rdv_arena_free(&arena);
    return is;
}

/* The shape of a file that begins with '[': a list of records, or of the messages of a chat, which
 * its first element tells. */
static int shape_of_list(rdv_json_stream *f, rdv_error *err)
{
    size_t from = 1, len;
    int rc = RDV_OK;
    f->shape = RDV_LAYOUT_LIST;
    do {
        from = rdv_skip_any(window(f), from, " \t\r\n");
        if (from == window(f).len)
            rc = fill(f, err);
    } while (rc == RDV_OK && from == window(f).len);
    if (rc == RDV_OK && window(f).p[from] == '{')
        rc = measure(f, from, &len, err);
    else
        return rc < 0 ? rc : RDV_OK;
    if (rc == RDV_OK && is_message(rdv_slice(window(f), from, from + len), f->limits))
        f->shape = RDV_LAYOUT_CHATS;
    return rc == RDV_E_INPUT || rc == RDV_E_LIMIT ? RDV_OK : rc;
}

static int find_shape(rdv_json_stream *f, rdv_error *err)
{
    char c;
    int rc = RDV_OK;
    while (rc == RDV_OK && f->end < 3)
        rc = fill(f, err);
    if (rdv_starts(window(f), RDV_STR("\xef\xbb\xbf")))
        f->begin = f->here.offset = 3;
    if (rc >= 0)
        rc = peek_word(f, &c, err);
    if (rc != RDV_OK)
        return rc;
    if (c == '{')
        return shape_of_object(f, err);
    if (c == '[')
        return shape_of_list(f, err);
    f->shape = RDV_LAYOUT_LINES;
    return RDV_OK;
}

/* A list of messages as the chat that it is: {"messages":[...]}. */
static int make_chat(rdv_json_stream *f, rdv_json_span *span, rdv_error *err)
{
    rdv_buf_clear(&f->chat);
    rdv_buf_lit(&f->chat, "{\"messages\":");
    rdv_arena_log(f->arena, f->copies);
    rdv_buf_add(&f->chat, span->text);
    rdv_arena_log(f->arena, NULL);
    rdv_buf_lit(&f->chat, "}");
    span->text = rdv_buf_str(&f->chat);
    return rdv_buf_ok(&f->chat) ? RDV_OK : rdv_no_memory(err);
}

static int make_finite(rdv_json_stream *f, rdv_json_span *span, rdv_error *err)
{
    span->origin = (rdv_origin){span->text, f->here, f->copies};
    if (f->shape == RDV_LAYOUT_CHATS && make_chat(f, span, err) != RDV_OK)
        return RDV_E_NOMEM;
    rdv_arena_log(f->arena, f->copies);
    size_t n = rdv_nonfinite_to_null(span->text, &f->finite, &span->text);
    rdv_arena_log(f->arena, NULL);
    f->nonfinite += n;
    return n && !rdv_buf_ok(&f->finite) ? rdv_no_memory(err) : RDV_OK;
}

static int next_of_shape(rdv_json_stream *f, rdv_json_span *span, rdv_error *err)
{
    for (;;) {
        int rc = f->shape == RDV_LAYOUT_LINES ? next_line(f, span, err) : next_nested(f, span, err);
        bool fault = rc == RDV_E_INPUT || rc == RDV_E_LIMIT;
        if (!fault)
            return rc;
        if (span->line != f->fault_line) {
            f->fault_line = span->line;
            return rc;
        }
    }
}

int rdv_json_stream_next(rdv_json_stream *f, rdv_json_span *span, rdv_error *err)
{
    use(f, f->taken);
    f->taken = 0;
    *span = (rdv_json_span){.line = f->here.line, .column = f->here.column};
    if (f->shape == RDV_LAYOUT_UNKNOWN) {
        int rc = find_shape(f, err);
        if (rc != RDV_OK)
            return rc;
    }
    int rc = next_of_shape(f, span, err);
    return rc == RDV_OK ? make_finite(f, span, err) : rc;
}
