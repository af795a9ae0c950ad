/* SPDX-License-Identifier: Apache-2.0 */
/* The head of a prompt file: "name: value" lines between two lines "---". */
#include "prompt/parse.h"

#include "base/arena.h"
#include "base/str.h"

#include <math.h>

enum {
    ID,
    SOURCE,
    PROFILE,
    VARIABLES,
    ROBUST_ONLY,
    TEMPERATURE,
    MAX_TOKENS,
    STOP,
    ANSWERS,
    REASONED,
    NOTES,
    N_MEMBERS
};

static const struct {
    const char *name;
    bool required;
} members[N_MEMBERS] = {
    [ID] = {"id", true},
    [SOURCE] = {"source", true},
    [PROFILE] = {"profile", true},
    [VARIABLES] = {"variables", true},
    [ROBUST_ONLY] = {"robust_only", false},
    [TEMPERATURE] = {"temperature", false},
    [MAX_TOKENS] = {"max_tokens", false},
    [STOP] = {"stop", false},
    [ANSWERS] = {"answers", false},
    [REASONED] = {"reasoned", false},
    [NOTES] = {"notes", false},
};

typedef struct member {
    rdv_str value;
    size_t line; /* 0: not in the head */
} member;

static rdv_str trim_blanks(rdv_str s)
{
    while (s.len > 0 && s.p[0] == ' ')
        s = rdv_slice(s, 1, s.len);
    while (s.len > 0 && s.p[s.len - 1] == ' ')
        s.len--;
    return s;
}

/* ---- variables ------------------------------------------------------------------------------- */

static int read_name(const prompt_parser *ps, rdv_str text, prompt_name *out)
{
    if (!prompt_is_name(text) || prompt_is_built_in(text))
        return prompt_fault(ps, RDV_E_INPUT, ps->prompt->variables_line, "\"%.*s\" is not a name",
                            RDV_FMT(text));
    *out = (prompt_name){.text = text};
    return RDV_OK;
}

static int declared_twice(const prompt_parser *ps, rdv_str name)
{
    return prompt_fault(ps, RDV_E_INPUT, ps->prompt->variables_line, "%.*s is declared twice",
                        RDV_FMT(name));
}

/* The names between the brackets of a list. */
static int read_fields(const prompt_parser *ps, rdv_str list, prompt_variable *v)
{
    size_t cap = 0;
    for (size_t at = 0, end; at != RDV_NOT_FOUND; at = end == RDV_NOT_FOUND ? end : end + 1) {
        end = rdv_find_char(list, ',', at);
        prompt_name field;
        int rc = read_name(ps, trim_blanks(rdv_slice(list, at, end)), &field);
        if (rc != RDV_OK)
            return rc;
        for (size_t i = 0; i < v->n_fields; i++)
            if (rdv_str_eq(v->fields[i].text, field.text))
                return declared_twice(ps, field.text);
        if (!RDV_PUSH_ROOM(ps->arena, v->fields, v->n_fields, cap))
            return prompt_fault(ps, RDV_E_NOMEM, ps->line, "out of memory");
        v->fields[v->n_fields++] = field;
    }
    return RDV_OK;
}

/* "question" or "steps[text]". */
static int read_variable(const prompt_parser *ps, rdv_str text)
{
    prompt *p = ps->prompt;
    size_t bracket = rdv_find_char(text, '[', 0);
    prompt_variable v = {.list = bracket != RDV_NOT_FOUND};
    if (v.list && text.p[text.len - 1] != ']')
        return prompt_fault(ps, RDV_E_INPUT, p->variables_line,
                            "a list is declared as \"name[field, ...]\"");
    int rc = read_name(ps, rdv_slice(text, 0, bracket), &v.name);
    for (size_t i = 0; i < p->n_variables && rc == RDV_OK; i++)
        if (rdv_str_eq(p->variables[i].name.text, v.name.text))
            rc = declared_twice(ps, v.name.text);
    if (rc == RDV_OK && v.list)
        rc = read_fields(ps, rdv_slice(text, bracket + 1, text.len - 1), &v);
    if (rc != RDV_OK)
        return rc;
    if (p->n_variables == PROMPT_MAX_VARIABLES)
        return prompt_fault(ps, RDV_E_INPUT, p->variables_line, "more than %d variables",
                            PROMPT_MAX_VARIABLES);
    p->variables[p->n_variables++] = v;
    return RDV_OK;
}

/* The end of the declaration that begins at byte `at`: a comma outside brackets, or the end of the
 * list. */
static size_t declaration_end(rdv_str list, size_t at)
{
    bool inside = false;
    for (; at < list.len; at++) {
        if (list.p[at] == '[')
            inside = true;
        else if (list.p[at] == ']')
            inside = false;
        else if (list.p[at] == ',' && !inside)
            return at;
    }
    return RDV_NOT_FOUND;
}

static int read_variables(const prompt_parser *ps, const member *m)
{
    ps->prompt->variables_line = m->line;
    for (size_t at = 0, end; at != RDV_NOT_FOUND; at = end == RDV_NOT_FOUND ? end : end + 1) {
        end = declaration_end(m->value, at);
        int rc = read_variable(ps, trim_blanks(rdv_slice(m->value, at, end)));
        if (rc != RDV_OK)
            return rc;
    }
    return RDV_OK;
}

/* Names of declared variables, which the profile `paper` leaves empty. */
static int read_robust_only(const prompt_parser *ps, const member *m)
{
    prompt *p = ps->prompt;
    for (size_t at = 0, end; at != RDV_NOT_FOUND; at = end == RDV_NOT_FOUND ? end : end + 1) {
        size_t i = 0;
        end = rdv_find_char(m->value, ',', at);
        rdv_str name = trim_blanks(rdv_slice(m->value, at, end));
        while (i < p->n_variables && !rdv_str_eq(p->variables[i].name.text, name))
            i++;
        if (i == p->n_variables)
            return prompt_fault(ps, RDV_E_INPUT, m->line, "\"%.*s\" is not declared",
                                RDV_FMT(name));
        p->variables[i].robust_only = true;
    }
    return RDV_OK;
}

/* ---- sampling -------------------------------------------------------------------------------- */

static int read_temperature(const prompt_parser *ps, const member *m)
{
    double value = 0, unit = 1;
    bool ok = m->value.len == 1 || (m->value.len > 2 && m->value.len <= 8);
    for (size_t i = 0; i < m->value.len && ok; i++) {
        char c = m->value.p[i];
        ok = i == 1 ? c == '.' : rdv_is_digit(c);
        if (i == 1)
            continue;
        value = value * 10 + (c - '0');
        unit *= i > 1 ? 10 : 1;
    }
    if (!ok || value > 2 * unit)
        return prompt_fault(ps, RDV_E_INPUT, m->line,
                            "temperature is a number from 0 to 2, with at most 6 decimals");
    ps->prompt->sampling.temperature = value / unit;
    return RDV_OK;
}

static int read_max_tokens(const prompt_parser *ps, const member *m)
{
    uint32_t value = 0;
    bool ok = m->value.len > 0 && m->value.len <= 7 && m->value.p[0] != '0';
    for (size_t i = 0; i < m->value.len && ok; i++) {
        ok = rdv_is_digit(m->value.p[i]);
        value = value * 10 + (uint32_t)(m->value.p[i] - '0');
    }
    if (!ok)
        return prompt_fault(ps, RDV_E_INPUT, m->line,
                            "max_tokens is a whole number from 1 to 9999999");
    ps->prompt->sampling.max_tokens = value;
    return RDV_OK;
}

/* A list of texts in double quotes, at most `most` of them. */
static int read_texts(const prompt_parser *ps, const member *m, const char *name, size_t most,
                      rdv_str **out, size_t *n_out)
{
    rdv_str s = m->value;
    size_t at = 0, n = 0;
    rdv_str *texts = RDV_NEW_ARRAY(ps->arena, rdv_str, most);
    int rc = texts ? RDV_OK : RDV_E_NOMEM;
    while (rc == RDV_OK) {
        rc = n < most ? rdv_read_quoted(s, &at, ps->arena, &texts[n]) : RDV_NONE;
        if (rc != RDV_OK)
            break;
        n++;
        if (at == s.len)
            break;
        rc = s.p[at++] == ',' ? RDV_OK : RDV_NONE;
        while (at < s.len && s.p[at] == ' ')
            at++;
    }
    if (rc == RDV_E_NOMEM)
        return prompt_fault(ps, rc, m->line, "out of memory");
    if (rc != RDV_OK)
        return prompt_fault(ps, RDV_E_INPUT, m->line,
                            "%s is a list of up to %zu texts in double quotes", name, most);
    *out = texts;
    *n_out = n;
    return RDV_OK;
}

static int read_stop(const prompt_parser *ps, const member *m)
{
    rdv_str *stops;
    size_t n;
    int rc = read_texts(ps, m, "stop", PROMPT_MAX_STOPS, &stops, &n);
    if (rc != RDV_OK)
        return rc;
    ps->prompt->sampling.stop = stops;
    ps->prompt->sampling.n_stop = n;
    return RDV_OK;
}

static int read_reasoned(const prompt_parser *ps, const member *m)
{
    if (!rdv_str_eq(m->value, RDV_STR("yes")))
        return prompt_fault(ps, RDV_E_INPUT, m->line, "reasoned is yes, or is left out");
    ps->prompt->reasoned = true;
    return RDV_OK;
}

/* ---- members --------------------------------------------------------------------------------- */

static int read_member(const prompt_parser *ps, rdv_str line, member *found, size_t *which)
{
    size_t colon = rdv_find_char(line, ':', 0);
    rdv_str name = rdv_slice(line, 0, colon);
    if (colon == RDV_NOT_FOUND || !prompt_is_name(name))
        return prompt_fault(ps, RDV_E_INPUT, ps->line, "a line of the head is \"name: value\"");
    size_t k = 0;
    while (k < N_MEMBERS && !rdv_str_eq(name, rdv_str_of(members[k].name)))
        k++;
    if (k == N_MEMBERS)
        return prompt_fault(ps, RDV_E_INPUT, ps->line, "%.*s is not a member of the head",
                            RDV_FMT(name));
    if (found[k].line)
        return prompt_fault(ps, RDV_E_INPUT, ps->line, "%.*s stands twice in the head",
                            RDV_FMT(name));
    found[k].value = trim_blanks(rdv_slice(line, colon + 1, line.len));
    found[k].line = ps->line;
    *which = k;
    return RDV_OK;
}

/* Read the lines between the two "---". Notes continue in lines that begin with a blank. */
static int read_members(prompt_parser *ps, member *found)
{
    rdv_str line;
    size_t which = N_MEMBERS;
    if (!prompt_next_line(ps, &line) || !rdv_str_eq(line, RDV_STR("---")))
        return prompt_fault(ps, RDV_E_INPUT, 1, "a prompt begins with a line \"---\"");
    prompt_parser begin = *ps;
    while (prompt_next_line(ps, &line) && !rdv_str_eq(line, RDV_STR("---")))
        continue;
    if (!rdv_str_eq(line, RDV_STR("---")) || ps->line == 1)
        return prompt_fault(ps, RDV_E_INPUT, 1, "the head has no end, a second line \"---\"");
    while (prompt_next_line(&begin, &line) && begin.line < ps->line) {
        if (which == NOTES && rdv_starts(line, RDV_STR(" ")))
            continue;
        int rc = read_member(&begin, line, found, &which);
        if (rc != RDV_OK)
            return rc;
    }
    return RDV_OK;
}

static int check_profile(const prompt_parser *ps, const member *m)
{
    if (rdv_str_eq(m->value, RDV_STR("paper")) || rdv_str_eq(m->value, RDV_STR("robust")) ||
        rdv_str_eq(m->value, RDV_STR("both")))
        return RDV_OK;
    return prompt_fault(ps, RDV_E_INPUT, m->line, "profile is paper, robust or both");
}

int prompt_read_head(prompt_parser *ps)
{
    member found[N_MEMBERS] = {0};
    int rc = read_members(ps, found);
    if (rc != RDV_OK)
        return rc;
    for (size_t k = 0; k < N_MEMBERS; k++)
        if (members[k].required && found[k].value.len == 0)
            return prompt_fault(ps, RDV_E_INPUT, 1, "the head has no %s", members[k].name);
    ps->prompt->id = found[ID].value;
    ps->prompt->sampling = (rdv_sampling){.temperature = NAN, .top_p = NAN};
    if (found[TEMPERATURE].line)
        rc = read_temperature(ps, &found[TEMPERATURE]);
    if (rc == RDV_OK && found[MAX_TOKENS].line)
        rc = read_max_tokens(ps, &found[MAX_TOKENS]);
    if (rc == RDV_OK && found[STOP].line)
        rc = read_stop(ps, &found[STOP]);
    if (rc == RDV_OK && found[ANSWERS].line)
        rc = read_texts(ps, &found[ANSWERS], "answers", PROMPT_MAX_ANSWERS, &ps->prompt->answers,
                        &ps->prompt->n_answers);
    if (rc == RDV_OK && found[REASONED].line)
        rc = read_reasoned(ps, &found[REASONED]);
    if (rc == RDV_OK)
        rc = check_profile(ps, &found[PROFILE]);
    if (rc == RDV_OK)
        rc = read_variables(ps, &found[VARIABLES]);
    return rc == RDV_OK && found[ROBUST_ONLY].line ? read_robust_only(ps, &found[ROBUST_ONLY]) : rc;
}
