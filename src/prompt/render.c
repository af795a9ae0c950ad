/* SPDX-License-Identifier: Apache-2.0 */
/* Putting values into a prompt. Values are copied, never looked at. */
#include "prompt/parse.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#define MAX_MESSAGE ((size_t)64 << 20) /* bytes */

typedef struct renderer {
    const prompt *prompt;
    const prompt_value *values[PROMPT_MAX_VARIABLES]; /* of each variable */
    const prompt_item *item;                          /* the list's item, inside a list */
    size_t index;
    rdv_buf *out;
    rdv_error *err;
} renderer;

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
    return rdv_buf_ok(r->out) ? RDV_OK : rdv_fail(r->err, RDV_E_NOMEM, "out of memory");
}

static int add_field(const renderer *r, rdv_str name)
{
    const prompt_value *value = value_named(r->item->values, r->item->n_values, name);
    if (!value)
        return fault_value(r, "no value for an item's", name);
    return value->list ? fault_value(r, "a list, not a text:", name) : add(r, value->text);
}

static int add_index(const renderer *r)
{
    rdv_buf_printf(r->out, "%zu", r->index);
    return add(r, RDV_STR(""));
}

static int add_letter(const renderer *r)
{
    if (r->index >= 26)
        return rdv_fail(r->err, RDV_E_LIMIT, "prompt %.*s: more items than letters",
                        RDV_FMT(r->prompt->id));
    char letter = (char)('A' + r->index);
    return add(r, (rdv_str){&letter, 1});
}

static int render_parts(renderer *r, size_t begin, size_t end);

/* The section at `part`. Sections are nested PROMPT_MAX_DEPTH deep at most. */
static int render_section(renderer *r, size_t part)
{
    const prompt_part *p = &r->prompt->parts[part];
    const prompt_value *value = r->values[p->variable];
    if (p->is != PROMPT_EACH)
        return is_empty(value) == (p->is == PROMPT_NONE) ? render_parts(r, part + 1, p->end)
                                                         : RDV_OK;
    int rc = RDV_OK;
    for (size_t i = 0; i < value->n_items && rc == RDV_OK; i++) {
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
        return add(r, p->text);
    case PROMPT_VALUE:
        return add(r, r->values[p->variable]->text);
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

/* ---- messages -------------------------------------------------------------------------------- */

/* Without the empty lines that sections left out leave behind at both ends. */
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
    rdv_buf out;
    renderer r = {.prompt = p, .out = &out, .err = err};
    rdv_message *made = RDV_NEW_ARRAY(arena, rdv_message, p->n_turns);
    int rc = made ? bind_values(&r, values, n_values) : rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t i = 0; i < p->n_turns && rc == RDV_OK; i++) {
        rdv_buf_init(&out, arena, 0);
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
