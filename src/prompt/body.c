/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of a prompt file. A line "## user" (or system, assistant) begins a message; tags are
 * in double braces, each within one line. */
#include "prompt/parse.h"

#include "base/arena.h"
#include "base/str.h"

/* An open section. */
typedef struct section {
    size_t part, line;
} section;

typedef struct body {
    prompt_parser *ps;
    size_t cap_parts, cap_turns;
    section open[PROMPT_MAX_DEPTH];
    size_t depth;
    prompt_variable *list; /* the list that is being repeated, or NULL */
} body;

static int fault_memory(const body *b)
{
    return prompt_fault(b->ps, RDV_E_NOMEM, b->ps->line, "out of memory");
}

/* ---- parts ----------------------------------------------------------------------------------- */

static int add_part(body *b, prompt_part part)
{
    prompt *p = b->ps->prompt;
    if (!RDV_PUSH_ROOM(b->ps->arena, p->parts, p->n_parts, b->cap_parts))
        return fault_memory(b);
    p->parts[p->n_parts++] = part;
    return RDV_OK;
}

static int add_text(body *b, rdv_str text)
{
    return text.len ? add_part(b, (prompt_part){.is = PROMPT_TEXT, .text = text}) : RDV_OK;
}

/* The variable of that name, marked as used; NULL: there is none. */
static prompt_variable *use_variable(const body *b, rdv_str name)
{
    prompt *p = b->ps->prompt;
    for (size_t i = 0; i < p->n_variables; i++) {
        if (!rdv_str_eq(p->variables[i].name.text, name))
            continue;
        p->variables[i].name.used = true;
        return &p->variables[i];
    }
    return NULL;
}

static int unknown_variable(const body *b, rdv_str name)
{
    return prompt_fault(b->ps, RDV_E_INPUT, b->ps->line, "%.*s is not a variable here",
                        RDV_FMT(name));
}

static bool use_field(const body *b, rdv_str name)
{
    for (size_t i = 0; b->list && i < b->list->n_fields; i++) {
        if (!rdv_str_eq(b->list->fields[i].text, name))
            continue;
        b->list->fields[i].used = true;
        return true;
    }
    return false;
}

/* {{name}}: a built-in name of the item, then a field of its list, then a variable. */
static int insert(body *b, rdv_str name)
{
    if (b->list && prompt_is_built_in(name)) {
        bool index = rdv_str_eq(name, RDV_STR("index"));
        return add_part(b, (prompt_part){.is = index ? PROMPT_INDEX : PROMPT_LETTER});
    }
    if (use_field(b, name))
        return add_part(b, (prompt_part){.is = PROMPT_FIELD, .text = name});
    const prompt_variable *v = use_variable(b, name);
    if (!v)
        return unknown_variable(b, name);
    if (v->list)
        return prompt_fault(b->ps, RDV_E_INPUT, b->ps->line,
                            "%.*s is a list and has to be a section", RDV_FMT(name));
    return add_part(
        b, (prompt_part){.is = PROMPT_VALUE, .variable = (size_t)(v - b->ps->prompt->variables)});
}

/* {{#name}}, {{?name}}, {{^name}} */
static int open_section(body *b, char sign, rdv_str name)
{
    prompt_variable *v = use_variable(b, name);
    if (!v)
        return unknown_variable(b, name);
    bool each = sign == '#' && v->list;
    if (each && b->list)
        return prompt_fault(b->ps, RDV_E_INPUT, b->ps->line, "%.*s is a list inside a list",
                            RDV_FMT(name));
    if (b->depth == PROMPT_MAX_DEPTH)
        return prompt_fault(b->ps, RDV_E_INPUT, b->ps->line, "sections are nested deeper than %d",
                            PROMPT_MAX_DEPTH);
    b->open[b->depth++] = (section){b->ps->prompt->n_parts, b->ps->line};
    if (each)
        b->list = v;
    return add_part(b, (prompt_part){.is = each          ? PROMPT_EACH
                                           : sign == '^' ? PROMPT_NONE
                                                         : PROMPT_SOME,
                                     .text = name,
                                     .variable = (size_t)(v - b->ps->prompt->variables)});
}

/* {{/name}} */
static int close_section(body *b, rdv_str name)
{
    prompt *p = b->ps->prompt;
    prompt_part *opened = b->depth ? &p->parts[b->open[b->depth - 1].part] : NULL;
    if (!opened || !rdv_str_eq(opened->text, name))
        return prompt_fault(b->ps, RDV_E_INPUT, b->ps->line,
                            "%.*s is not the section that is open here", RDV_FMT(name));
    opened->end = p->n_parts;
    if (opened->is == PROMPT_EACH)
        b->list = NULL;
    b->depth--;
    return add_part(b, (prompt_part){.is = PROMPT_END});
}

static bool is_section_sign(char c)
{
    return c == '#' || c == '?' || c == '^' || c == '/';
}

/* Read the text between the braces. */
static int read_tag(body *b, rdv_str tag)
{
    char sign = tag.len && is_section_sign(tag.p[0]) ? tag.p[0] : '\0';
    rdv_str name = rdv_slice(tag, sign ? 1 : 0, tag.len);
    if (!prompt_is_name(name))
        return prompt_fault(b->ps, RDV_E_INPUT, b->ps->line, "\"{{%.*s}}\" is not a tag",
                            RDV_FMT(tag));
    return !sign         ? insert(b, name)
           : sign == '/' ? close_section(b, name)
                         : open_section(b, sign, name);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Whether the line consists of one section tag. Such a line leaves no line in the message. */
static bool is_section_line(rdv_str line)
{
    line = rdv_trim(line);
    return line.len > 4 && rdv_starts(line, RDV_STR("{{")) && is_section_sign(line.p[2]) &&
           rdv_find(line, RDV_STR("}}"), 0) == line.len - 2;
}

/* One line of a message, with its newline if it has one. */
static int read_line(body *b, rdv_str line)
{
    size_t at = 0, tag;
    bool section_line = is_section_line(line);
    while ((tag = rdv_find(line, RDV_STR("{{"), at)) != RDV_NOT_FOUND) {
        size_t end = rdv_find(line, RDV_STR("}}"), tag + 2);
        if (end == RDV_NOT_FOUND)
            return prompt_fault(b->ps, RDV_E_INPUT, b->ps->line, "a tag has no end in its line");
        int rc = section_line ? RDV_OK : add_text(b, rdv_slice(line, at, tag));
        if (rc == RDV_OK)
            rc = read_tag(b, rdv_slice(line, tag + 2, end));
        if (rc != RDV_OK)
            return rc;
        at = end + 2;
    }
    return section_line ? RDV_OK : add_text(b, rdv_slice(line, at, line.len));
}

/* ---- messages -------------------------------------------------------------------------------- */

static bool read_role(rdv_str line, rdv_role *role)
{
    static const struct {
        const char *line;
        rdv_role role;
    } roles[] = {{"## system", RDV_SYSTEM}, {"## user", RDV_USER}, {"## assistant", RDV_ASSISTANT}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        if (!rdv_str_eq(line, rdv_str_of(roles[i].line)))
            continue;
        *role = roles[i].role;
        return true;
    }
    return false;
}

/* End the message at the parser's position; its heading is in line `heading` (0: there was no
 * message). */
static int end_turn(body *b, size_t heading, bool empty)
{
    prompt *p = b->ps->prompt;
    if (b->depth) {
        const section *s = &b->open[b->depth - 1];
        return prompt_fault(b->ps, RDV_E_INPUT, s->line, "the section %.*s is not closed",
                            RDV_FMT(p->parts[s->part].text));
    }
    if (heading && empty)
        return prompt_fault(b->ps, RDV_E_INPUT, heading, "a message is empty");
    if (heading)
        p->turns[p->n_turns - 1].end = p->n_parts;
    return RDV_OK;
}

static int begin_turn(body *b, rdv_str line)
{
    prompt *p = b->ps->prompt;
    rdv_role role;
    if (!read_role(line, &role))
        return prompt_fault(b->ps, RDV_E_INPUT, b->ps->line,
                            "a message begins with ## system, ## user or ## assistant");
    if (!RDV_PUSH_ROOM(b->ps->arena, p->turns, p->n_turns, b->cap_turns))
        return fault_memory(b);
    p->turns[p->n_turns++] = (prompt_turn){.role = role, .begin = p->n_parts};
    return RDV_OK;
}

static int read_turns(body *b)
{
    size_t heading = 0; /* the line of the current message's heading */
    bool empty = true;
    rdv_str line;
    int rc = RDV_OK;
    while (rc == RDV_OK && prompt_next_line(b->ps, &line)) {
        bool blank = rdv_trim(line).len == 0;
        if (rdv_starts(line, RDV_STR("## ")) || (!heading && !blank)) {
            rc = end_turn(b, heading, empty);
            if (rc == RDV_OK)
                rc = begin_turn(b, line);
            heading = b->ps->line;
            empty = true;
            continue;
        }
        bool newline = b->ps->rest.p > line.p + line.len;
        if (heading)
            rc = read_line(b, (rdv_str){line.p, line.len + newline});
        empty = empty && blank;
    }
    if (rc == RDV_OK)
        rc = end_turn(b, heading, empty);
    if (rc == RDV_OK && !heading)
        rc = prompt_fault(b->ps, RDV_E_INPUT, 1, "there is no message");
    return rc;
}

static int check_used(const body *b)
{
    const prompt *p = b->ps->prompt;
    for (size_t i = 0; i < p->n_variables; i++) {
        const prompt_variable *v = &p->variables[i];
        const prompt_name *unused = v->name.used ? NULL : &v->name;
        for (size_t k = 0; k < v->n_fields && !unused; k++)
            unused = v->fields[k].used ? NULL : &v->fields[k];
        if (unused)
            return prompt_fault(b->ps, RDV_E_INPUT, p->variables_line,
                                "the variable %.*s is not used", RDV_FMT(unused->text));
    }
    return RDV_OK;
}

int prompt_read_body(prompt_parser *ps)
{
    body b = {.ps = ps};
    int rc = read_turns(&b);
    return rc == RDV_OK ? check_used(&b) : rc;
}
