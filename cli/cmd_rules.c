/* SPDX-License-Identifier: Apache-2.0 */
/* rederive rules: the rules of language, as a list or as they are written. */
#include "cmd.h"
#include "rule_files.h"
#include "terminal.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "language/embedded_rules.h"
#include "language/rule.h"
#include "report/paint.h"
#include "report/list/place.h"

/* A rule is one of those that the command names, or it names none. */
static bool is_named(const struct settings *s, const rdv_rule *r)
{
    bool named = s->in.n == 0;
    for (size_t i = 0; i < s->in.n && !named; i++)
        named = rdv_str_eq(r->id, rdv_str_of(s->in.items[i]));
    return named;
}

static void put_json(const rdv_rule *r, rdv_buf *b)
{
    rdv_json_item(b);
    rdv_buf_add_char(b, '{');
    rdv_json_put_text(b, "id", r->id);
    rdv_json_put_text(b, "effect", rdv_str_of(r->effect));
    if (r->reason)
        rdv_json_put_text(b, "reason", rdv_str_of(r->reason));
    rdv_json_put_text(b, "file", r->file);
    rdv_json_put_count(b, "line", r->line);
    rdv_json_put_flag(b, "added", r->added);
    rdv_json_put_flag(b, "disabled", r->off);
    rdv_json_name(b, RDV_STR("fires"));
    rdv_json_texts(b, r->fires, r->n_fires);
    rdv_json_name(b, RDV_STR("silent"));
    rdv_json_texts(b, r->silent, r->n_silent);
    rdv_buf_add_char(b, '}');
}

static int list_json(const struct settings *s, const rdv_rules *rules, rdv_arena *arena,
                     rdv_str *out)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "{\"rules\":[");
    for (size_t i = 0; i < rdv_rules_count(rules); i++) {
        rdv_rule r = rdv_rules_at(rules, i);
        if (is_named(s, &r))
            put_json(&r, &b);
    }
    rdv_buf_lit(&b, "]}\n");
    *out = rdv_buf_str(&b);
    return out->p ? RDV_OK : RDV_E_NOMEM;
}

static int list_text(const struct settings *s, const rdv_rules *rules, rdv_arena *arena,
                     rdv_str *out)
{
    static const char *const heads[] = {"rule", "effect", "where", "example"};
    struct terminal terminal = terminal_look(s);
    rdv_table *table = rdv_table_new(arena, heads, sizeof heads / sizeof *heads);
    if (!table)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < rdv_rules_count(rules); i++) {
        rdv_rule r = rdv_rules_at(rules, i);
        rdv_table_cell(table, r.id);
        rdv_table_cellf(table, "%s%s", r.effect, r.off ? " (disabled)" : "");
        rdv_table_cellf(table, "%.*s:%zu", RDV_FMT(r.file), r.line);
        rdv_table_cell(table, r.n_fires ? r.fires[0] : RDV_STR(""));
    }
    return rdv_table_print(table, &terminal.view, out, NULL);
}

/* The rows as they are written, each under its place. */
static int show_rows(const struct settings *s, const rdv_rules *rules, rdv_arena *arena,
                     rdv_str *out)
{
    struct terminal terminal = terminal_look(s);
    rdv_paint p;
    rdv_str line;
    bool any = false;
    rdv_paint_begin(&p, &terminal.view, arena);
    for (size_t i = 0; i < rdv_rules_count(rules); i++) {
        rdv_rule r = rdv_rules_at(rules, i);
        if (!is_named(s, &r))
            continue;
        if (any)
            rdv_paint_end_line(&p);
        any = true;
        rdv_paint_lit(&p, "# ", RDV_DIM);
        place_put_text(&p, r.file, RDV_DIM);
        rdv_paint_putf(&p, RDV_DIM, ":%zu%s", r.line, r.off ? ", disabled" : "");
        rdv_paint_end_line(&p);
        for (rdv_str rest = r.text; rdv_next_line(&rest, &line);) {
            place_put_text(&p, line, RDV_PLAIN);
            rdv_paint_end_line(&p);
        }
    }
    *out = rdv_buf_str(&p.out);
    return out->p ? RDV_OK : RDV_E_NOMEM;
}

/* Every rule that is named is there. */
static int find_named(const struct settings *s, const rdv_rules *rules, rdv_error *err)
{
    int code = RDV_OK;
    for (size_t i = 0; i < s->in.n && code == RDV_OK; i++) {
        rdv_str id = rdv_str_of(s->in.items[i]);
        code = rule_set_find(rules, id) ? RDV_OK : rule_unknown(rules, id, err);
    }
    return code;
}

/* The examples of added rules are their test; each that fails is reported. */
static bool examples_hold(const rdv_rules *rules)
{
    bool hold = true;
    for (size_t i = 0; i < rules->n; i++) {
        const rule *r = &rules->rules[i];
        for (size_t k = 0; r->added && !r->off && k < r->n_fires + r->n_silent; k++) {
            const char *fault = rule_example_fault(rules, r, k);
            rdv_str text = k < r->n_fires ? r->fires[k] : r->silent[k - r->n_fires];
            if (fault)
                say("%.*s:%zu: %.*s: %s: %.*s", RDV_FMT(r->file), r->line, RDV_FMT(r->id), fault,
                    RDV_FMT(text));
            hold &= !fault;
        }
    }
    return hold;
}

int cmd_rules(const struct settings *s)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_rules *rules;
    rdv_str text = {0};
    rdv_error err = {0};
    int code = arena ? rule_files_read(s, arena, &rules, &err) : rdv_no_memory(&err);
    if (code == RDV_OK) /* which are about answers, and no part of the rules of a check */
        code = rule_set_list(rules, EFFECT_ANNOUNCED, RDV_STR("answers.rules"),
                             rules_embedded_text("answers.rules"), &err);
    if (code == RDV_OK)
        code = rule_set_list(rules, EFFECT_CLASS, RDV_STR("words.rules"),
                             rules_embedded_text("words.rules"), &err);
    if (code == RDV_OK)
        code = find_named(s, rules, &err);
    if (code == RDV_OK && !examples_hold(rules)) {
        rdv_arena_free(&arena);
        return USAGE;
    }
    if (code == RDV_OK) {
        code = s->json   ? list_json(s, rules, arena, &text)
               : s->in.n ? show_rows(s, rules, arena, &text)
                         : list_text(s, rules, arena, &text);
        code = code == RDV_OK ? code : rdv_no_memory(&err);
    }
    if (code == RDV_OK)
        fwrite(text.p, 1, text.len, stdout);
    else
        say("%s", err.msg);
    rdv_arena_free(&arena);
    return code == RDV_OK ? DONE : code == RDV_E_NOMEM ? NOTHING_DONE : USAGE;
}
