/* SPDX-License-Identifier: Apache-2.0 */
/* dyck_languages: which brackets close what is open. The size is the number of brackets given. */
#include "base/arena.h"
#include "base/str.h"
#include "task/make.h"

static const char opening[] = "([{<", closing[] = ")]}>";
#define KINDS 4
#define ASKS "Close the brackets that are still open, in the right order: "

typedef struct dyck {
    char *symbols;
    size_t n;
} dyck;

static size_t kind_of(const char *brackets, char c)
{
    size_t i = 0;
    while (i < KINDS && brackets[i] != c)
        i++;
    return i;
}

static char closer_of(char open)
{
    return closing[kind_of(opening, open)];
}

/* "empty" or the symbols with blanks between. */
static void print_stack(trace *t, const char *stack, size_t n)
{
    if (!n)
        trace_printf(t, "empty");
    for (size_t i = 0; i < n; i++)
        trace_printf(t, "%s%c", i ? " " : "", stack[i]);
}

static void put_spaced(rdv_buf *b, const char *symbols, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i)
            rdv_buf_add_char(b, ' ');
        rdv_buf_add_char(b, symbols[i]);
    }
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* Open or close at random so that `rest` brackets stay open at the end: 1 to 3, as far as the
 * length allows. */
static int draw_dyck(size_t size, rdv_rng *rng, rdv_arena *arena, drawn *out)
{
    dyck *d = RDV_NEW(arena, dyck);
    char *stack = rdv_alloc(arena, size);
    if (!d || !stack || !(d->symbols = rdv_alloc(arena, size)))
        return RDV_E_NOMEM;
    size_t rest = 1 + rdv_rng_below(rng, 3), depth = 0;
    rest = rest > size ? size : rest;
    rest -= (size - rest) % 2 && rest > 1; /* as many are closed as are opened besides */
    rest += (size - rest) % 2 && rest < size;
    for (d->n = 0; d->n < size; d->n++) {
        size_t left = size - d->n;
        bool must_close = depth + left > rest && depth >= rest + left;
        bool may_close = depth > 0 && depth - 1 + left - 1 >= rest;
        if (must_close || (may_close && rdv_rng_below(rng, 2))) {
            d->symbols[d->n] = closer_of(stack[--depth]);
        } else {
            stack[depth] = opening[rdv_rng_below(rng, KINDS)];
            d->symbols[d->n] = stack[depth++];
        }
    }
    rdv_buf text, gold;
    rdv_buf_init(&text, arena, 0);
    rdv_buf_lit(&text, ASKS);
    put_spaced(&text, d->symbols, d->n);
    for (size_t i = 0; i < depth / 2; i++) {
        char c = stack[i];
        stack[i] = stack[depth - 1 - i];
        stack[depth - 1 - i] = c;
    }
    for (size_t i = 0; i < depth; i++)
        stack[i] = closer_of(stack[i]);
    rdv_buf_init(&gold, arena, 0);
    put_spaced(&gold, stack, depth);
    *out = (drawn){.text = rdv_buf_str(&text), .gold = rdv_buf_str(&gold), .puzzle = d};
    return rdv_buf_ok(&text) && rdv_buf_ok(&gold) ? RDV_OK : RDV_E_NOMEM;
}

/* ---- the trace ------------------------------------------------------------------------------- */

/* A stack that is not the right one: a symbol too few, another one on top, or one left there. */
static void spoil(trace *t, char *stack, size_t *n)
{
    size_t how = rdv_rng_below(&t->rng, 3);
    if (*n == 0 || how == 0) {
        stack[(*n)++] = opening[rdv_rng_below(&t->rng, KINDS)];
    } else if (how == 1) {
        --*n;
    } else {
        size_t k = kind_of(opening, stack[*n - 1]);
        stack[*n - 1] = opening[(k + 1 + rdv_rng_below(&t->rng, KINDS - 1)) % KINDS];
    }
}

/* One symbol is processed. A closing one takes what is on top, whatever that is by now. */
static void write_symbol(trace *t, char c, char *stack, size_t *n)
{
    if (kind_of(opening, c) < KINDS)
        stack[(*n)++] = c;
    else
        *n -= *n > 0;
    if (trace_goes_wrong(t))
        spoil(t, stack, n);
    trace_printf(t, "%c ; stack: ", c);
    print_stack(t, stack, *n);
    trace_end_step(t);
}

static void write_quoted(trace *t, const char *stack, size_t n, bool close)
{
    for (size_t i = n; i > 0; i--)
        trace_printf(t, "\"%c\"%s", close ? closer_of(stack[i - 1]) : stack[i - 1],
                     i > 1 ? ", " : "");
}

static void write_end(trace *t, char *stack, size_t n, rdv_str *answer)
{
    if (trace_goes_wrong(t))
        spoil(t, stack, &n);
    trace_printf(t, "Now, we have reached the end. The final stack is ");
    if (n) {
        trace_printf(t, "\"");
        print_stack(t, stack, n);
        trace_printf(t, "\".");
    } else {
        trace_printf(t, "empty.");
    }
    trace_end_step(t);
    if (trace_goes_wrong(t))
        spoil(t, stack, &n);
    if (n) {
        trace_printf(t, "We will need to pop out ");
        write_quoted(t, stack, n, false);
        trace_printf(t, " one by one in that order.");
    } else {
        trace_printf(t, "There is nothing to pop out.");
    }
    trace_end_step(t);
    if (trace_goes_wrong(t))
        spoil(t, stack, &n);
    rdv_buf b;
    rdv_buf_init(&b, t->arena, 0);
    for (size_t i = n; i > 0; i--) {
        rdv_buf_add_char(&b, closer_of(stack[i - 1]));
        if (i > 1)
            rdv_buf_add_char(&b, ' ');
    }
    *answer = n ? rdv_buf_str(&b) : RDV_STR("");
    trace_printf(t, "So, we need ");
    write_quoted(t, stack, n, true);
    trace_printf(t, "%s. So the answer is ", n ? "" : "nothing");
    rdv_buf_add(&t->line, *answer);
    trace_end_step(t);
}

static void write_dyck(const void *puzzle, trace *t, rdv_str *answer)
{
    const dyck *d = puzzle;
    char *stack = rdv_alloc(t->arena, 2 * d->n + 8); /* errors may leave a symbol a step */
    size_t n = 0;
    if (!stack) {
        t->failed = true;
        return;
    }
    trace_printf(t, "We should process each input one by one and keep track of the stack.");
    trace_end_step(t);
    trace_printf(t, "stack: empty");
    trace_end_step(t);
    for (size_t i = 0; i < d->n; i++)
        write_symbol(t, d->symbols[i], stack, &n);
    write_end(t, stack, n, answer);
}

const task_maker task_dyck = {
    .task = {"dyck_languages", "close the brackets that are open", "brackets", RDV_KIND_TEXT, 3, 60,
             400, .asks = ASKS},
    .draw = draw_dyck,
    .write = write_dyck,
};
