/* SPDX-License-Identifier: Apache-2.0 */
/* The prompts of a run: those compiled in, with replacements and additions. */
#include "prompt/parse.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "prompt/embedded.h"

struct rdv_prompts {
    prompt *prompts;
    size_t n;
    rdv_arena *arena; /* the set's own arena; NULL: the set is in another arena */
};

int prompt_parse(prompt *out, rdv_str text, rdv_arena *arena, rdv_error *err)
{
    prompt parsed = {0};
    prompt_parser ps = {.rest = text, .prompt = &parsed, .arena = arena, .err = err};
    if (text.len > PROMPT_MAX_BYTES)
        return prompt_fault(&ps, RDV_E_LIMIT, 1, "a prompt has at most %d bytes", PROMPT_MAX_BYTES);
    if (rdv_utf8_valid(text) < text.len)
        return prompt_fault(&ps, RDV_E_INPUT, 1, "a prompt is UTF-8");
    int rc = prompt_read_head(&ps);
    if (rc == RDV_OK)
        rc = prompt_read_body(&ps);
    if (rc == RDV_OK)
        *out = parsed;
    return rc;
}

/* ---- replacements and additions -------------------------------------------------------------- */

/* What is asked, with and without the words that state its task: a replacement uses either. */
static bool is_asked(rdv_str name)
{
    return rdv_str_eq(name, RDV_STR("question")) || rdv_str_eq(name, RDV_STR("input"));
}

static bool same_variable(const prompt_variable *a, const prompt_variable *b)
{
    bool same_name = rdv_str_eq(a->name.text, b->name.text) ||
                     (is_asked(a->name.text) && is_asked(b->name.text));
    if (!same_name || a->list != b->list || a->n_fields != b->n_fields)
        return false;
    for (size_t i = 0; i < a->n_fields; i++) {
        size_t k = 0;
        while (k < b->n_fields && !rdv_str_eq(a->fields[i].text, b->fields[k].text))
            k++;
        if (k == b->n_fields)
            return false;
    }
    return true;
}

/* The first variable of `a` that `b` lacks or declares differently, or NULL. `may_lack`: those that
 * the profile `paper` leaves empty need not be there. */
static const prompt_variable *missing_from(const prompt *b, const prompt *a, bool may_lack)
{
    for (size_t i = 0; i < a->n_variables; i++) {
        size_t k = 0;
        if (may_lack && a->variables[i].robust_only)
            continue;
        while (k < b->n_variables && !same_variable(&a->variables[i], &b->variables[k]))
            k++;
        if (k == b->n_variables)
            return &a->variables[i];
    }
    return NULL;
}

static prompt *find(const rdv_prompts *set, rdv_str id)
{
    for (size_t i = 0; i < set->n; i++)
        if (rdv_str_eq(set->prompts[i].id, id))
            return &set->prompts[i];
    return NULL;
}

static int parse_text(prompt *out, const rdv_prompt_text *text, rdv_arena *arena, rdv_error *err)
{
    int rc = prompt_parse(out, text->text, arena, err);
    if (rc == RDV_OK && !rdv_str_eq(out->id, text->id))
        rc = rdv_fail(err, RDV_E_INPUT, "its head says %.*s", RDV_FMT(out->id));
    return rc;
}

static int add(rdv_prompts *set, const rdv_prompt_text *text, rdv_arena *arena, rdv_error *err)
{
    prompt *fresh = &set->prompts[set->n];
    int rc = parse_text(fresh, text, arena, err);
    set->n += rc == RDV_OK;
    return rc;
}

static int take(rdv_prompts *set, const rdv_prompt_text *text, rdv_arena *arena, rdv_error *err)
{
    prompt *old = find(set, text->id), fresh;
    if (text->added)
        return old ? rdv_fail(err, RDV_E_INPUT, "there is a prompt of this id already")
                   : add(set, text, arena, err);
    if (!old)
        return rdv_fail(err, RDV_E_INPUT, "there is no prompt of this id");
    if (old->replaced)
        return rdv_fail(err, RDV_E_INPUT, "it is replaced twice");
    int rc = parse_text(&fresh, text, arena, err);
    if (rc != RDV_OK)
        return rc;
    const prompt_variable *v = missing_from(&fresh, old, true);
    if (v)
        return rdv_fail(err, RDV_E_INPUT, "the variable %.*s of the prompt it replaces is missing",
                        RDV_FMT(v->name.text));
    v = missing_from(old, &fresh, false);
    if (v)
        return rdv_fail(err, RDV_E_INPUT, "the prompt it replaces has no such variable %.*s",
                        RDV_FMT(v->name.text));
    *old = fresh;
    old->replaced = true;
    return RDV_OK;
}

/* ---- the set --------------------------------------------------------------------------------- */

static int parse_embedded(rdv_prompts *set, rdv_arena *arena, rdv_error *err)
{
    for (size_t i = 0; i < prompt_n_all; i++) {
        const prompt_embedded *e = &prompt_all[i];
        int rc = prompt_parse(&set->prompts[i], (rdv_str){e->text, e->len}, arena, err);
        if (rc != RDV_OK)
            return rdv_wrap(err, rc, "prompt %s", e->id);
        set->prompts[i].sha256 = e->sha256;
    }
    set->n = prompt_n_all;
    return RDV_OK;
}

int prompts_new(const rdv_prompt_text *texts, size_t n, rdv_arena *arena, rdv_prompts **out,
                rdv_error *err)
{
    rdv_prompts *set = RDV_NEW(arena, rdv_prompts);
    if (set)
        set->prompts = RDV_NEW_ARRAY(arena, prompt, prompt_n_all + n);
    if (!set || !set->prompts)
        return rdv_no_memory(err);
    int rc = parse_embedded(set, arena, err);
    for (size_t i = 0; i < n && rc == RDV_OK; i++) {
        rc = take(set, &texts[i], arena, err);
        if (rc != RDV_OK)
            rdv_wrap(err, rc, "prompt %.*s", RDV_FMT(texts[i].id));
    }
    if (rc == RDV_OK)
        *out = set;
    return rc;
}

int rdv_prompts_new(const rdv_prompt_text *texts, size_t n, rdv_prompts **out, rdv_error *err)
{
    *out = NULL;
    rdv_arena *arena = rdv_arena_new(0);
    if (!arena)
        return rdv_no_memory(err);
    int rc = prompts_new(texts, n, arena, out, err);
    if (rc == RDV_OK)
        (*out)->arena = arena;
    else
        rdv_arena_free(&arena);
    return rc;
}

void rdv_prompts_free(rdv_prompts **prompts)
{
    rdv_prompts *set = prompts ? *prompts : NULL;
    if (!set)
        return;
    *prompts = NULL;
    rdv_arena *arena = set->arena; /* it holds `set` itself */
    rdv_arena_free(&arena);
}

const prompt *prompt_named(const rdv_prompts *set, rdv_str id)
{
    return find(set, id);
}

bool prompt_variable_at(const prompt *p, size_t i, rdv_str *name, bool *list, bool *numbered)
{
    if (i >= p->n_variables)
        return false;
    const prompt_variable *v = &p->variables[i];
    *name = v->name.text;
    *list = v->list;
    *numbered = false;
    for (size_t k = 0; k < v->n_fields; k++)
        *numbered |= rdv_str_eq(v->fields[k].text, RDV_STR("number"));
    return true;
}

bool prompt_variable_is_robust_only(const prompt *p, size_t i)
{
    return i < p->n_variables && p->variables[i].robust_only;
}

size_t prompt_variables_line(const prompt *p, bool *added)
{
    *added = !p->sha256 && !p->replaced;
    return p->variables_line;
}

bool prompt_is_compiled_in(const prompt *p)
{
    return p->sha256 && !p->replaced;
}

const rdv_sampling *prompt_sampling(const prompt *p)
{
    return &p->sampling;
}

void prompt_answers(const prompt *p, const rdv_str **answers, size_t *n, bool *reasoned)
{
    *answers = p->answers;
    *n = p->n_answers;
    *reasoned = p->reasoned;
}
