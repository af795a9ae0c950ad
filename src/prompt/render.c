/* SPDX-License-Identifier: Apache-2.0 */
/* Inserting values into a prompt. Values are copied unchanged, except for a line that begins like
 * one of the message's own labels: it is quoted with "> ", so that a value cannot imitate a label
 * such as "Solution 2:". */
#include "prompt/parse.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <string.h>

#define MAX_MESSAGE ((size_t)64 << 20) /* bytes */

typedef struct renderer {
    const prompt *prompt;
    const prompt_value *values[PROMPT_MAX_VARIABLES]; /* of each variable */
    const prompt_item *item;                          /* the current item, inside a list */
    size_t index;
    rdv_buf *out;
    rdv_buf *labels;   /* of this message, one per line; NUMBER and LETTER are wildcards */
    bool behind_value; /* collecting: the rest of the line is not part of a label */
    bool labelling;    /* labels are being collected: nothing is rendered */
    rdv_error *err;
} renderer;

#define NUMBER '\1'
#define LETTER '\2'
#define MAX_LABEL 80 /* bytes of a line without a value; longer lines are not labels */

/* ---- values ---------------------------------------------------------------------------------- */

static const prompt_value *value_named(const prompt_value *values, size_t n, rdv_str name)
{
    for (size_t i = 0; i < n; i++)
        if (rdv_str_eq(values[i].name, name))
            return &values[i];
    return NULL;
}

static int fault_value(const renderer *r, const char *what, rdv_str name)
{
    return rdv_fail(r->err, RDV_E_ARGUMENT, "prompt %.*s: %s %.*s", RDV_FMT(r->prompt->id), what,
                    RDV_FMT(name));
}

static int bind_values(renderer *r, const prompt_value *values, size_t n)
{
    for (size_t i = 0; i < r->prompt->n_variables; i++) {
        const prompt_variable *v = &r->prompt->variables[i];
        r->values[i] = value_named(values, n, v->name.text);
        if (!r->values[i])
            return fault_value(r, "no value for", v->name.text);
        if (r->values[i]->list != v->list)
            return fault_value(r, v->list ? "not a list:" : "a list, not a text:", v->name.text);
    }
    return RDV_OK;
}

static bool is_empty(const prompt_value *value)
{
    return value->list ? value->n_items == 0 : value->text.len == 0;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static int add(const renderer *r, rdv_str text)
{
    if (text.len > MAX_MESSAGE - r->out->len)
        return rdv_fail(r->err, RDV_E_LIMIT, "prompt %.*s: a message of more than %zu MiB",
                        RDV_FMT(r->prompt->id), MAX_MESSAGE >> 20);
    rdv_buf_add(r->out, text);
    return rdv_buf_ok(r->out) ? RDV_OK : rdv_no_memory(r->err);
}

/* ---- labels ---------------------------------------------------------------------------------- */

static bool ends_line(char c)
{
    return c == '\n' || c == '\r';
}

/* The line without what may precede a label and leave it looking the same: blanks and emphasis. */
static rdv_str bare_line(rdv_str line)
{
    while (line.len > 0 && line.p[0] != '\0' && strchr(" \t*_#>", line.p[0]))
        line = rdv_slice(line, 1, line.len);
    return rdv_trim_end(line);
}

/* Whether `line` begins with the label. Case and the number of consecutive blanks are ignored. */
static bool begins_with(rdv_str line, rdv_str label)
{
    size_t i = 0;
    for (size_t k = 0; k < label.len; k++) {
        size_t from = i;
        if (label.p[k] == NUMBER) {
            i = rdv_skip_digits(line, i);
        } else if (label.p[k] == ' ') {
            while (i < line.len && (line.p[i] == ' ' || line.p[i] == '\t'))
                i++;
        } else if (i < line.len &&
                   (label.p[k] == LETTER ? rdv_is_alpha(line.p[i])
                                         : rdv_lower(line.p[i]) == rdv_lower(label.p[k]))) {
            i++;
        }
        if (i == from)
            return false;
    }
    return true;
}

static bool is_label(rdv_str label)
{
    for (size_t i = 0; i < label.len; i++)
        if (rdv_is_alpha(label.p[i]) || label.p[i] == LETTER)
            return true;
    return false;
}

static bool looks_like_label(const renderer *r, rdv_str line)
{
    rdv_str rest = {r->labels->p, r->labels->len}, label;
    line = bare_line(line);
    while (rest.len > 0 && rdv_next_line(&rest, &label))
        if (is_label(label) && begins_with(line, bare_line(label)))
            return true;
    return false;
}

/* While labels are collected: the current line's label ends here, before a value or at the end of
 * the line. The label of "Thought 1: In one day ..." is "Thought 1:". */
static void end_label(const renderer *r, bool at_value)
{
    rdv_str all = {r->labels->p, r->labels->len};
    size_t begin = all.len;
    while (begin > 0 && all.p[begin - 1] != '\n')
        begin--;
    size_t colon = rdv_find_char(rdv_slice(all, 0, begin + MAX_LABEL), ':', begin);
    if (colon != RDV_NOT_FOUND)
        r->labels->len = colon + 1;
    else if (!at_value && all.len - begin > MAX_LABEL)
        r->labels->len = begin; /* it is a sentence of the instructions */
    rdv_buf_add(r->labels, RDV_STR("\n"));
}

/* Add a part of the message's own text while labels are collected. */
static int note_text(renderer *r, rdv_str text)
{
    for (size_t at = 0, end; at < text.len; at = end + 1) {
        end = rdv_find_char(text, '\n', at);
        bool ends = end != RDV_NOT_FOUND;
        if (!r->behind_value)
            rdv_buf_add(r->labels, rdv_slice(text, at, ends ? end : text.len));
        if (!ends)
            break;
        if (!r->behind_value)
            end_label(r, false);
        r->behind_value = false;
    }
    return rdv_buf_ok(r->labels) ? RDV_OK : rdv_no_memory(r->err);
}

static int note_value(renderer *r, char stands_for)
{
    if (!r->behind_value && stands_for)
        rdv_buf_add(r->labels, (rdv_str){&stands_for, 1});
    else if (!r->behind_value)
        end_label(r, true);
    r->behind_value = r->behind_value || !stands_for;
    return rdv_buf_ok(r->labels) ? RDV_OK : rdv_no_memory(r->err);
}

static int add_text(renderer *r, rdv_str text)
{
    return r->labelling ? note_text(r, text) : add(r, text);
}

/* Add a value; its lines that begin like a label are quoted. */
static int add_value(renderer *r, rdv_str text)
{
    int rc = r->labelling ? note_value(r, '\0') : RDV_OK;
    for (size_t at = 0; at < text.len && rc == RDV_OK && !r->labelling;) {
        size_t end = at;
        while (end < text.len && !ends_line(text.p[end]))
            end++;
        bool begins = r->out->len == 0 || ends_line(r->out->p[r->out->len - 1]);
        if (begins && looks_like_label(r, rdv_slice(text, at, end)))
            rc = add(r, RDV_STR("> "));
        end += end < text.len;
        if (rc == RDV_OK)
            rc = add(r, rdv_slice(text, at, end));
        at = end;
    }
    return rc;
}

/* ---- parts of an item ------------------------------------------------------------------------ */

static int add_field(renderer *r, rdv_str name)
{
    const prompt_value *value = value_named(r->item->values, r->item->n_values, name);
    if (!value)
        return fault_value(r, "no value for an item's", name);
    return value->list ? fault_value(r, "a list, not a text:", name)
           : rdv_str_eq(name, RDV_STR("number")) && r->labelling ? note_value(r, NUMBER)
                                                                 : add_value(r, value->text);
}

static int add_index(renderer *r)
{
    if (r->labelling)
        return note_value(r, NUMBER);
    rdv_buf_printf(r->out, "%zu", r->index);
    return add(r, RDV_STR(""));
}

static int add_letter(renderer *r)
{
    if (r->labelling)
        return note_value(r, LETTER);
    if (r->index >= 26)
        return rdv_fail(r->err, RDV_E_LIMIT, "prompt %.*s: more items than letters",
                        RDV_FMT(r->prompt->id));
    char letter = (char)('A' + r->index);
    return add(r, (rdv_str){&letter, 1});
}

static int render_parts(renderer *r, size_t begin, size_t end);

/* Render the section at `part`. Sections are nested at most PROMPT_MAX_DEPTH deep. */
static int render_section(renderer *r, size_t part)
{
    const prompt_part *p = &r->prompt->parts[part];
    const prompt_value *value = r->values[p->variable];
    if (p->is != PROMPT_EACH)
        return is_empty(value) == (p->is == PROMPT_NONE) ? render_parts(r, part + 1, p->end)
                                                         : RDV_OK;
    int rc = RDV_OK;
    size_t n = r->labelling && value->n_items ? 1 : value->n_items;
    for (size_t i = 0; i < n && rc == RDV_OK; i++) {
        r->item = &value->items[i];
        r->index = i;
        rc = render_parts(r, part + 1, p->end);
    }
    r->item = NULL;
    return rc;
}

static int render_part(renderer *r, size_t part)
{
    const prompt_part *p = &r->prompt->parts[part];
    switch (p->is) {
    case PROMPT_TEXT:
        return add_text(r, p->text);
    case PROMPT_VALUE:
        return add_value(r, r->values[p->variable]->text);
    case PROMPT_FIELD:
        return add_field(r, p->text);
    case PROMPT_INDEX:
        return add_index(r);
    case PROMPT_LETTER:
        return add_letter(r);
    case PROMPT_EACH:
    case PROMPT_SOME:
    case PROMPT_NONE:
        return render_section(r, part);
    case PROMPT_END:
        break;
    }
    return RDV_OK;
}

static int render_parts(renderer *r, size_t begin, size_t end)
{
    int rc = RDV_OK;
    for (size_t i = begin; i < end && rc == RDV_OK; i++) {
        rc = render_part(r, i);
        if (r->prompt->parts[i].end)
            i = r->prompt->parts[i].end;
    }
    return rc;
}

/* The labels of a message: the beginnings of its own lines up to the first value, for the parts
 * that are rendered with these values. */
static int collect_labels(renderer *r, const prompt_turn *turn, rdv_arena *arena)
{
    rdv_buf_init(r->labels, arena, 0);
    r->labelling = true;
    r->behind_value = false;
    int rc = render_parts(r, turn->begin, turn->end);
    if (rc == RDV_OK && !r->behind_value)
        end_label(r, false);
    r->labelling = false;
    return rdv_buf_ok(r->labels) ? rc : rdv_no_memory(r->err);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Remove the empty lines that omitted sections leave at both ends. */
static rdv_str trim_newlines(rdv_str s)
{
    while (s.len > 0 && s.p[0] == '\n')
        s = rdv_slice(s, 1, s.len);
    while (s.len > 0 && s.p[s.len - 1] == '\n')
        s.len--;
    return s;
}

int prompt_render(const prompt *p, const prompt_value *values, size_t n_values, rdv_arena *arena,
                  rdv_message **messages, size_t *n_messages, rdv_error *err)
{
    rdv_buf out, labels;
    renderer r = {.prompt = p, .out = &out, .labels = &labels, .err = err};
    rdv_message *made = RDV_NEW_ARRAY(arena, rdv_message, p->n_turns);
    int rc = made ? bind_values(&r, values, n_values) : rdv_no_memory(err);
    for (size_t i = 0; i < p->n_turns && rc == RDV_OK; i++) {
        rdv_buf_init(&out, arena, 0);
        rc = collect_labels(&r, &p->turns[i], arena);
        if (rc == RDV_OK)
            rc = render_parts(&r, p->turns[i].begin, p->turns[i].end);
        made[i].role = p->turns[i].role;
        made[i].text = trim_newlines(rdv_buf_str(&out));
    }
    if (rc == RDV_OK) {
        *messages = made;
        *n_messages = p->n_turns;
    }
    return rc;
}
