/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/rule.h"
#include "base/json.h"
#include "base/str.h"
#include "method/acceptance.h"
#include <rederive/plan.h>

#include <math.h>
#include <stdio.h>

#define MOST_TOKENS 1e12
#define MOST_SECONDS 3600

static const char *const modes[] = {
    [JUDGE_AFTER] = "after", [JUDGE_WHOLE] = "whole", [JUDGE_STRICT] = "strict", NULL};
static const char *const reasonings[] = {[JUDGE_REASONING_PASS] = "pass",
                                         [JUDGE_REASONING_HOLD] = "hold",
                                         [JUDGE_REASONING_DROP] = "drop",
                                         NULL};

judge_rule judge_rule_default(void)
{
    return (judge_rule){.method = rdv_method_named(RDV_STR(JUDGE_METHOD)),
                        .mode = JUDGE_AFTER,
                        .asking = {.tokens = 50000, .seconds = 60}};
}

bool judge_rule_asks(const judge_rule *rule)
{
    return rule->method != rdv_method_named(RDV_STR(JUDGE_METHOD));
}

const char *judge_mode_name(judge_mode m)
{
    return modes[m];
}

/* ---- reading --------------------------------------------------------------------------------- */

/* What an object says; what it leaves out stays as it was. */
typedef struct rule_reading {
    judge_rule rule;
    bool says_mode, says_not_admitted;
    rdv_error *err;
} rule_reading;

/* The number of the member's value in a list that ends with NULL; -1: it is none of them. */
static int word_of(rule_reading *r, const char *name, const json_t *value,
                   const char *const words[])
{
    char all[80] = "";
    for (int i = 0; words[i]; i++)
        if (rdv_str_eq(parse_text(value), rdv_str_of(words[i])))
            return i;
    for (int i = 0; words[i]; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s\"%s\"", i ? " or " : "",
                 words[i]);
    rdv_fail(r->err, RDV_E_INPUT, "'%s' must be %s", name, all);
    return -1;
}

/* Whether it is the second one. */
static int read_flag(rule_reading *r, const char *name, const json_t *value,
                     const char *const two[], bool *out)
{
    int i = word_of(r, name, value, two);
    *out = i > 0;
    return i < 0 ? RDV_E_INPUT : RDV_OK;
}

static int read_mode(rule_reading *r, const char *name, const json_t *value)
{
    int i = word_of(r, name, value, modes);
    if (i < 0)
        return RDV_E_INPUT;
    r->rule.mode = (judge_mode)i;
    r->says_mode = true;
    return RDV_OK;
}

static int read_reasoning(rule_reading *r, const char *name, const json_t *value)
{
    int i = word_of(r, name, value, reasonings);
    if (i < 0)
        return RDV_E_INPUT;
    r->rule.reasoning = (judge_reasoning)i;
    return RDV_OK;
}

static int read_unknown(rule_reading *r, const char *name, const json_t *value)
{
    static const char *const words[] = {"reject", "admit", NULL};
    return read_flag(r, name, value, words, &r->rule.admits_unknown);
}

static int read_not_admitted(rule_reading *r, const char *name, const json_t *value)
{
    static const char *const words[] = {"mark", "refuse", NULL};
    r->says_not_admitted = true;
    return read_flag(r, name, value, words, &r->rule.refuses);
}

static int read_plain(rule_reading *r, const char *name, const json_t *value)
{
    static const char *const words[] = {"pass", "judge", NULL};
    return read_flag(r, name, value, words, &r->rule.judges_plain);
}

static int read_threshold(rule_reading *r, const char *name, const json_t *value)
{
    double x = parse_double(value);
    if (!(x >= 0 && x <= 1))
        return rdv_fail(r->err, RDV_E_INPUT, "'%s' must be a number from 0 to 1", name);
    r->rule.threshold = x;
    return RDV_OK;
}

/* Whether a server can judge by it: it needs nothing but a model, and claims that steps are right.
 * Methods that ask none are left out, but for one whose time is limited. */
static bool can_judge(const rdv_method *m)
{
    rdv_plan *plan = NULL;
    rdv_plan_options options;
    rdv_error err;
    if (rdv_str_eq(rdv_str_of(m->name), RDV_STR(JUDGE_METHOD)))
        return true;
    if (!rdv_method_needs_model(m, NULL) ||
        acceptance_of(rdv_str_of(m->name), NAN).rule == ACCEPT_NEVER)
        return false;
    rdv_plan_options_default(&options, sizeof options);
    options.methods = &m;
    options.n_methods = 1;
    int rc = rdv_plan_check(NULL, 0, &options, &plan, &err);
    rdv_plan_free(&plan);
    return rc == RDV_OK;
}

static int method_of(rule_reading *r, const char *name, const json_t *value,
                     const rdv_method **out)
{
    rdv_str text = parse_text(value);
    const rdv_method *m = text.p ? rdv_method_named(text) : NULL;
    if (!m || !can_judge(m))
        return rdv_fail(r->err, RDV_E_INPUT,
                        "'%s' must be \"" JUDGE_METHOD "\", or a method that asks a model and "
                        "needs nothing else, such as \"selfcheck\" (docs/methods.md)",
                        name);
    *out = m;
    return RDV_OK;
}

static int read_method(rule_reading *r, const char *name, const json_t *value)
{
    return method_of(r, name, value, &r->rule.method);
}

static int read_methods(rule_reading *r, const char *name, const json_t *value)
{
    size_t n = json_array_size(value);
    if (!json_is_array(value) || n > JUDGE_MOST_METHODS)
        return rdv_fail(r->err, RDV_E_INPUT, "'%s' must be a list of at most %d methods", name,
                        JUDGE_MOST_METHODS);
    r->rule.n_others = n;
    for (size_t i = 0; i < n; i++)
        if (method_of(r, name, json_array_get(value, i), &r->rule.others[i]) != RDV_OK)
            return RDV_E_INPUT;
    return RDV_OK;
}

static int read_checker(rule_reading *r, const char *name, const json_t *value)
{
    rdv_str text = parse_text(value);
    if (!text.len || text.len >= JUDGE_MOST_NAME)
        return rdv_fail(r->err, RDV_E_INPUT,
                        "'%s' must be the name of a model that is served, of at most %d bytes",
                        name, JUDGE_MOST_NAME - 1);
    snprintf(r->rule.asking.checker, JUDGE_MOST_NAME, "%.*s", RDV_FMT(text));
    return RDV_OK;
}

static int read_whole(rule_reading *r, const char *name, const json_t *value, double most,
                      double *out)
{
    *out = parse_double(value);
    if (*out >= 1 && *out <= most && *out == floor(*out))
        return RDV_OK;
    return rdv_fail(r->err, RDV_E_INPUT, "'%s' must be a whole number from 1 to %.0f", name, most);
}

static int read_check_tokens(rule_reading *r, const char *name, const json_t *value)
{
    double n;
    int rc = read_whole(r, name, value, MOST_TOKENS, &n);
    if (rc == RDV_OK)
        r->rule.asking.tokens = (uint64_t)n;
    return rc;
}

static int read_check_seconds(rule_reading *r, const char *name, const json_t *value)
{
    double n;
    int rc = read_whole(r, name, value, MOST_SECONDS, &n);
    if (rc == RDV_OK)
        r->rule.asking.seconds = (uint32_t)n;
    return rc;
}

static int read_repair(rule_reading *r, const char *name, const json_t *value)
{
    double n = parse_double(value);
    if (!(n >= 0 && n <= JUDGE_MOST_REPAIRS && n == floor(n)))
        return rdv_fail(r->err, RDV_E_INPUT, "'%s' must be a whole number of rounds from 0 to %d",
                        name, JUDGE_MOST_REPAIRS);
    r->rule.repairs = (uint32_t)n;
    return RDV_OK;
}

static int read_member(rule_reading *r, const char *name, const json_t *value, bool of_request)
{
    static const struct {
        const char *name;
        int (*read)(rule_reading *r, const char *name, const json_t *value);
        bool of_policy_only;
    } known[] = {{"method", read_method, false},
                 {"mode", read_mode, false},
                 {"unknown", read_unknown, false},
                 {"not_admitted", read_not_admitted, false},
                 {"reasoning", read_reasoning, false},
                 {"repair", read_repair, false},
                 {"threshold", read_threshold, false},
                 {"plain", read_plain, true},
                 {"methods", read_methods, true},
                 {"checker", read_checker, true},
                 {"tokens_per_check", read_check_tokens, true},
                 {"seconds_per_check", read_check_seconds, true}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0 && !(of_request && known[i].of_policy_only))
            return known[i].read(r, name, value);
    return rdv_fail(r->err, RDV_E_INPUT,
                    "'%.60s' is not known; known are method, mode, unknown, not_admitted, "
                    "reasoning, repair, threshold%s",
                    name,
                    of_request ? ""
                               : ", plain, methods, checker, tokens_per_check, "
                                 "seconds_per_check");
}

/* The mode and what becomes of a reply that is not admitted: what is not said follows from what is.
 */
static int fit_together(rule_reading *r)
{
    judge_rule *rule = &r->rule;
    if (rule->mode == JUDGE_STRICT && !rule->refuses && r->says_not_admitted)
        return rdv_fail(
            r->err, RDV_E_INPUT,
            "'not_admitted' \"mark\" cannot be used with 'mode' \"strict\", which sends "
            "no step that is not admitted");
    rule->refuses |= rule->mode == JUDGE_STRICT;
    if (!rule->refuses || rule->mode != JUDGE_AFTER)
        return RDV_OK;
    if (r->says_mode && r->says_not_admitted)
        return rdv_fail(r->err, RDV_E_INPUT,
                        "'not_admitted' \"refuse\" needs 'mode' \"whole\" or \"strict\": what was "
                        "sent cannot be taken back");
    if (r->says_mode)
        return rdv_fail(r->err, RDV_E_INPUT,
                        "'mode' \"after\" is looser than the rule, by which a reply that is not "
                        "admitted is refused: what was sent cannot be taken back");
    rule->mode = JUDGE_WHOLE;
    return RDV_OK;
}

static int read_members(rule_reading *r, const json_t *object, bool of_request)
{
    const char *name;
    json_t *value;
    int rc = RDV_OK;
    if (!json_is_object(object))
        return rdv_fail(r->err, RDV_E_INPUT, "it must be an object");
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        rc = rc == RDV_OK ? read_member(r, name, value, of_request) : rc;
    }
    return rc == RDV_OK ? fit_together(r) : rc;
}

int judge_rule_read(const json_t *object, const judge_rule *base, judge_rule *out, rdv_error *err)
{
    rule_reading r = {.rule = *base, .err = err};
    int rc = read_members(&r, object, false);
    if (rc == RDV_OK)
        *out = r.rule;
    return rc;
}

/* ---- a request's wishes ---------------------------------------------------------------------- */

/* By how much of a reply that is not admitted can reach the client: all of it, all of it with the
 * verdict, the steps before the first that is rejected, nothing. */
static int mode_rank(const judge_rule *rule)
{
    if (rule->mode == JUDGE_AFTER)
        return 0;
    if (rule->mode == JUDGE_STRICT)
        return 2;
    return rule->refuses ? 3 : 1;
}

static int loosens(rdv_error *err, const char *what, const char *least)
{
    return rdv_fail(err, RDV_E_INPUT, "it would loosen the rule of this server, by which %s %s",
                    what, least);
}

/* Of two methods none is the stricter one: the operator says which will do. */
static bool is_offered(const judge_rule *rule, const rdv_method *method)
{
    bool is = method == rule->method;
    for (size_t i = 0; i < rule->n_others; i++)
        is |= method == rule->others[i];
    return is;
}

int judge_rule_tighten(const judge_rule *rule, const json_t *asked, judge_rule *out, rdv_error *err)
{
    *out = *rule;
    if (!asked)
        return RDV_OK;
    rule_reading r = {.rule = *rule, .err = err};
    int rc = read_members(&r, asked, true);
    if (rc != RDV_OK)
        return rc;
    if (mode_rank(&r.rule) < mode_rank(rule) && r.rule.mode != rule->mode)
        return loosens(err, "the mode is at least", modes[rule->mode]);
    if (r.rule.admits_unknown && !rule->admits_unknown)
        return loosens(err, "what is unknown", "is not admitted");
    if (!r.rule.refuses && rule->refuses)
        return loosens(err, "what is not admitted", "is refused");
    if (!is_offered(rule, r.rule.method))
        return loosens(err, "the method is", rule->method->name);
    if (r.rule.reasoning < rule->reasoning)
        return loosens(err, "'reasoning' is at least", reasonings[rule->reasoning]);
    if (r.rule.repairs > rule->repairs)
        return loosens(err, "there are", rule->repairs ? "fewer rounds of repairs" : "no repairs");
    if (r.rule.threshold < rule->threshold)
        return loosens(err, "the threshold", "is higher");
    *out = r.rule;
    return RDV_OK;
}

void judge_rule_write(rdv_buf *b, const judge_rule *rule)
{
    rdv_json_open(b, "rule", '{');
    rdv_json_put_text(b, "method", rdv_str_of(rule->method->name));
    if (judge_rule_asks(rule))
        rdv_json_put_text(b, "checker", rdv_str_of(rule->asking.checker));
    rdv_json_put_text(b, "mode", rdv_str_of(modes[rule->mode]));
    rdv_json_put_text(b, "unknown", rule->admits_unknown ? RDV_STR("admit") : RDV_STR("reject"));
    rdv_json_put_text(b, "not_admitted", rule->refuses ? RDV_STR("refuse") : RDV_STR("mark"));
    if (rule->mode == JUDGE_STRICT || rule->reasoning == JUDGE_REASONING_DROP)
        rdv_json_put_text(b, "reasoning", rdv_str_of(reasonings[rule->reasoning]));
    if (rule->mode == JUDGE_STRICT && rule->repairs)
        rdv_json_put_count(b, "repair", rule->repairs);
    rdv_json_put_number(b, "threshold", rule->threshold);
    rdv_buf_add_char(b, '}');
}
