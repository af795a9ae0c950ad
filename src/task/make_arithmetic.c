/* SPDX-License-Identifier: Apache-2.0 */
/* multistep_arithmetic: a calculation in brackets. The size is the number of innermost brackets. */
#include "base/arena.h"
#include "base/str.h"
#include "task/make.h"

#define MOST_GROUPS 4 /* whose product fits in 64 bits: each is below 9^4 */
#define MOST_NUMBERS 4

/* "(-9 + 1 * -4)": numbers from -9 to 9. */
typedef struct calculation {
    long number[MOST_NUMBERS];
    char op[MOST_NUMBERS - 1];
    size_t n;
} calculation;

/* A tree over the groups: leaves are groups, others join two. */
typedef struct branch {
    int left, right; /* other branches; -1: a group */
    char op;
    size_t group;
} branch;

typedef struct arithmetic {
    calculation groups[MOST_GROUPS];
    size_t n_groups;
    branch branches[2 * MOST_GROUPS - 1];
    int n_branches, top;
} arithmetic;

static long apply(char op, long a, long b)
{
    return op == '*' ? a * b : op == '+' ? a + b : a - b;
}

/* ---- calculations ---------------------------------------------------------------------------- */

static void print_calculation(rdv_buf *b, const calculation *c)
{
    if (c->n > 1)
        rdv_buf_lit(b, "(");
    for (size_t i = 0; i < c->n; i++) {
        if (i)
            rdv_buf_printf(b, " %c ", c->op[i - 1]);
        rdv_buf_printf(b, "%ld", c->number[i]);
    }
    if (c->n > 1)
        rdv_buf_lit(b, ")");
}

/* Do the operation whose turn it is, its result wrong by `off`. */
static void reduce(calculation *c, long off)
{
    size_t at = 0;
    while (at + 1 < c->n && c->op[at] != '*')
        at++;
    at = at + 1 < c->n ? at : 0;
    c->number[at] = apply(c->op[at], c->number[at], c->number[at + 1]) + off;
    for (size_t i = at + 1; i + 1 < c->n; i++) {
        c->number[i] = c->number[i + 1];
        c->op[i - 1] = c->op[i];
    }
    c->n--;
}

static long value_of(calculation c)
{
    while (c.n > 1)
        reduce(&c, 0);
    return c.number[0];
}

/* ---- the tree -------------------------------------------------------------------------------- */

static char draw_op(rdv_rng *rng)
{
    return "+-*"[rdv_rng_below(rng, 3)];
}

/* A tree over the groups first .. first + n - 1, as even as can be; at most 2 deep. */
static int draw_tree(arithmetic *a, size_t first, size_t n, rdv_rng *rng)
{
    branch b = {.left = -1, .right = -1, .group = first};
    if (n > 1) {
        b.left = draw_tree(a, first, n - n / 2, rng);
        b.right = draw_tree(a, first + n - n / 2, n / 2, rng);
        b.op = draw_op(rng);
    }
    a->branches[a->n_branches] = b;
    return a->n_branches++;
}

/* What is known of each branch while the final equation is worked out. */
typedef struct worked {
    bool known[2 * MOST_GROUPS - 1];
    long value[2 * MOST_GROUPS - 1];
    enum { SHOW_GROUPS, SHOW_LETTERS, SHOW_VALUES } show;
} worked;

static void print_branch(rdv_buf *b, const arithmetic *a, const worked *w, int at)
{
    const branch *it = &a->branches[at];
    bool leaf = it->left < 0;
    if (leaf && w->show == SHOW_GROUPS) {
        print_calculation(b, &a->groups[it->group]);
    } else if (leaf && w->show == SHOW_LETTERS) {
        rdv_buf_add_char(b, (char)('A' + it->group));
    } else if (w->show == SHOW_VALUES && w->known[at]) {
        rdv_buf_printf(b, "%ld", w->value[at]);
    } else {
        bool inner = at != a->top || w->show == SHOW_GROUPS;
        rdv_buf_add(b, inner ? RDV_STR("(") : RDV_STR(""));
        print_branch(b, a, w, it->left);
        rdv_buf_printf(b, " %c ", it->op);
        print_branch(b, a, w, it->right);
        rdv_buf_add(b, inner ? RDV_STR(")") : RDV_STR(""));
    }
}

/* Work out the first branch whose two sides are known. False: all are known. */
static bool work_out(const arithmetic *a, worked *w, long off)
{
    for (int i = 0; i < a->n_branches; i++) {
        const branch *it = &a->branches[i];
        if (w->known[i] || !w->known[it->left] || !w->known[it->right])
            continue;
        w->value[i] = apply(it->op, w->value[it->left], w->value[it->right]) + off;
        w->known[i] = true;
        return true;
    }
    return false;
}

static void know_groups(const arithmetic *a, worked *w, const long *values)
{
    for (int i = 0; i < a->n_branches; i++)
        if (a->branches[i].left < 0) {
            w->known[i] = true;
            w->value[i] = values[a->branches[i].group];
        }
}

/* ---- drawing --------------------------------------------------------------------------------- */

static int draw_arithmetic(size_t size, rdv_rng *rng, rdv_arena *arena, drawn *out)
{
    arithmetic *a = RDV_NEW(arena, arithmetic);
    if (!a)
        return RDV_E_NOMEM;
    long values[MOST_GROUPS];
    size_t numbers = 3 + rdv_rng_below(rng, 2);
    a->n_groups = size;
    for (size_t i = 0; i < size; i++) {
        calculation *c = &a->groups[i];
        c->n = numbers;
        for (size_t k = 0; k < numbers; k++) {
            c->number[k] = (long)rdv_rng_below(rng, 19) - 9;
            if (k)
                c->op[k - 1] = draw_op(rng);
        }
        values[i] = value_of(*c);
    }
    a->top = draw_tree(a, 0, size, rng);
    worked w = {.show = SHOW_GROUPS};
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    print_branch(&b, a, &w, a->top);
    rdv_buf_lit(&b, " =");
    know_groups(a, &w, values);
    while (work_out(a, &w, 0))
        continue;
    *out = (drawn){.text = rdv_buf_str(&b),
                   .gold = rdv_str_printf(arena, "%ld", w.value[a->top]),
                   .puzzle = a};
    return rdv_buf_ok(&b) && out->gold.p ? RDV_OK : RDV_E_NOMEM;
}

/* ---- the trace ------------------------------------------------------------------------------- */

static long draw_off(trace *t)
{
    long off = 1 + (long)rdv_rng_below(&t->rng, 9);
    return rdv_rng_below(&t->rng, 2) ? off : -off;
}

static void write_letters_step(arithmetic *a, trace *t)
{
    const worked letters = {.show = SHOW_LETTERS};
    if (trace_goes_wrong(t)) { /* a number copied wrongly */
        calculation *c = &a->groups[rdv_rng_below(&t->rng, a->n_groups)];
        long *number = &c->number[rdv_rng_below(&t->rng, c->n)];
        long other = (long)rdv_rng_below(&t->rng, 18) - 9;
        *number = other + (other >= *number);
    }
    trace_printf(t, "This equation can be written as \"");
    print_branch(&t->line, a, &letters, a->top);
    trace_printf(t, "\", where ");
    for (size_t i = 0; i < a->n_groups; i++) {
        trace_printf(t, "%s%c = ", i ? " and " : "", (char)('A' + i));
        print_calculation(&t->line, &a->groups[i]);
    }
    trace_printf(t, ".");
    trace_end_step(t);
}

static long write_group(const arithmetic *a, size_t i, trace *t)
{
    calculation c = a->groups[i];
    size_t wrong = trace_goes_wrong(t) ? 1 + rdv_rng_below(&t->rng, c.n - 1) : 0;
    trace_printf(t, "Let's calculate %c = ", (char)('A' + i));
    print_calculation(&t->line, &c);
    for (size_t k = 1; c.n > 1; k++) {
        reduce(&c, k == wrong ? draw_off(t) : 0);
        trace_printf(t, " = ");
        print_calculation(&t->line, &c);
    }
    trace_printf(t, ".");
    trace_end_step(t);
    return c.number[0];
}

static void write_final(const arithmetic *a, const long *values, trace *t, rdv_str *answer)
{
    worked w = {.show = SHOW_LETTERS};
    size_t wrong = trace_goes_wrong(t) ? 1 + rdv_rng_below(&t->rng, a->n_groups - 1) : 0;
    trace_printf(t, "Then, the final equation is ");
    print_branch(&t->line, a, &w, a->top);
    know_groups(a, &w, values);
    w.show = SHOW_VALUES;
    size_t k = 1;
    do {
        trace_printf(t, " = ");
        print_branch(&t->line, a, &w, a->top);
    } while (work_out(a, &w, k++ == wrong ? draw_off(t) : 0));
    *answer = rdv_str_printf(t->arena, "%ld", w.value[a->top]);
    trace_printf(t, ". So the answer is %.*s", RDV_FMT(*answer));
    trace_end_step(t);
}

static void write_arithmetic(const void *puzzle, trace *t, rdv_str *answer)
{
    arithmetic a = *(const arithmetic *)puzzle;
    long values[MOST_GROUPS];
    write_letters_step(&a, t);
    for (size_t i = 0; i < a.n_groups; i++)
        values[i] = write_group(&a, i, t);
    write_final(&a, values, t, answer);
}

const task_maker task_arithmetic = {
    .task = {"multistep_arithmetic", "work out a calculation in brackets", "brackets",
             RDV_KIND_NUMBER, 2, 4, MOST_GROUPS},
    .draw = draw_arithmetic,
    .write = write_arithmetic,
};
