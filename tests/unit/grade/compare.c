/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing an answer with gold: the cases of tests/golden/answers, and what holds for every pair.
 */
#include <rederive/answer.h>

#include "answer/statement.h"

#include "../test.h"
#include "../text/golden.h"
#include "grade/value.h"
#include "base/buf.h"
#include "base/rng.h"
#include "base/str.h"
#include "../answer/form.h"

static const char *const files[] = {"numbers",   "sets",     "tuples",   "intervals",
                                    "relations", "matrices", "formulas", "kinds",
                                    "units",     "written",  "rare"};

/* One line: KIND, GOLD, ANSWER, HOW and RESULT. */
typedef struct one_case {
    rdv_answer_form form;
    rdv_str line, gold, answer, why; /* why: p == NULL: not said */
    rdv_compare_options how;
    rdv_same is;
    bool exact; /* no option is used */
} one_case;

static rdv_str next_field(rdv_str *rest)
{
    size_t tab = rdv_find_char(*rest, '\t', 0);
    rdv_str field = rdv_slice(*rest, 0, tab);
    *rest = tab == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(*rest, tab + 1, rest->len);
    return field;
}

/* "t1e-6 = tolerance", "s !=", "?". */
static void read_result(rdv_str s, one_case *c)
{
    c->how = (rdv_compare_options){.size = sizeof c->how};
    while (s.len && (s.p[0] == 't' || s.p[0] == 's' || s.p[0] == 'r')) {
        size_t end = rdv_find_char(s, ' ', 0);
        rdv_str option = rdv_slice(s, 0, end);
        if (option.p[0] == 't')
            c->how.tolerance = rdv_slice(option, 1, option.len);
        c->how.decimals_as_shown = c->how.decimals_as_shown || option.p[0] == 's';
        c->how.relations_as_sets = c->how.relations_as_sets || option.p[0] == 'r';
        s = rdv_slice(s, end + 1, s.len);
        c->exact = false;
    }
    size_t end = rdv_find_char(s, ' ', 0);
    rdv_str sign = rdv_slice(s, 0, end);
    c->is = rdv_str_eq(sign, RDV_STR("="))    ? RDV_SAME
            : rdv_str_eq(sign, RDV_STR("!=")) ? RDV_DIFFERENT
                                              : RDV_CANNOT_TELL;
    if (c->is == RDV_CANNOT_TELL && !rdv_str_eq(sign, RDV_STR("?")))
        fail_msg("no result: %.*s", RDV_FMT(c->line));
    c->why = end == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(s, end + 1, s.len);
}

static one_case read_case(rdv_str line, rdv_arena *arena)
{
    one_case c = {.line = line, .exact = true};
    rdv_str rest = line;
    rdv_str kind = next_field(&rest);
    c.gold = next_field(&rest);
    rdv_question question = {.gold = c.gold};
    c.form = rdv_str_eq(kind, RDV_STR("auto")) ? rdv_answer_form_of(&question)
                                               : form_of(kind, (rdv_str){0}, arena);
    c.answer = next_field(&rest);
    read_result(rest, &c);
    return c;
}

static rdv_comparison compared(const one_case *c, rdv_str answer, rdv_str gold, rdv_arena *arena)
{
    rdv_comparison out = {0};
    rdv_error err = {0};
    if (rdv_answer_compare(answer, gold, &c->form, &c->how, arena, &out, &err) != RDV_OK)
        fail_msg("%.*s: %s", RDV_FMT(c->line), err.msg);
    return out;
}

/* What holds whatever the answers are. */
static void check_properties(const one_case *c, const rdv_comparison *got, rdv_arena *arena)
{
    rdv_str key = {0}, gold_key = {0};
    bool right, keys = rdv_answer_key(c->answer, &c->form, arena, &key, NULL) == RDV_OK &&
                       rdv_answer_key(c->gold, &c->form, arena, &gold_key, NULL) == RDV_OK;
    if (!keys && (strcmp(got->why, "unread") == 0 || strcmp(got->why, "assumption") == 0))
        return; /* what has no key of its kind is no gold; "maybe B" has none */
    if (!keys && statement_is_sentence(c->answer))
        return; /* it is read as a reply is */
    if (!keys)
        fail_msg("%.*s: no key", RDV_FMT(c->line));
    bool units = strcmp(got->why, "unit") == 0 || strcmp(got->why, "assumption") == 0;
    if (rdv_str_eq(key, gold_key) && got->is != RDV_SAME && !units) /* keys are without units */
        fail_msg("%.*s: one key, %.*s, and not the same", RDV_FMT(c->line), RDV_FMT(key));
    assert_int_equal(got->is == RDV_SAME, got->reason.p == NULL);
    assert_true(got->why && got->why[0]);
    if (rdv_find(c->gold, RDV_STR("####"), 0) != RDV_NOT_FOUND)
        return; /* a solution is no answer */
    if (compared(c, c->gold, c->gold, arena).is != RDV_SAME ||
        compared(c, c->answer, c->answer, arena).is != RDV_SAME)
        fail_msg("%.*s: not the same as itself", RDV_FMT(c->line));
    if (!c->exact)
        return;
    assert_int_equal(rdv_answer_right(c->answer, c->gold, &c->form, arena, &right, NULL), RDV_OK);
    assert_int_equal(right, got->is == RDV_SAME);
    /* Turned round: what gold asks for may forbid it, but a proof of the one is none of the other.
     */
    rdv_comparison turned = compared(c, c->gold, c->answer, arena);
    bool form = strcmp(got->why, "form") == 0 || strcmp(turned.why, "form") == 0;
    bool opposite = (got->is == RDV_SAME && turned.is == RDV_DIFFERENT) ||
                    (got->is == RDV_DIFFERENT && turned.is == RDV_SAME);
    bool assumed = strcmp(got->why, "assumption") == 0 || strcmp(turned.why, "assumption") == 0;
    if ((opposite && !form) || (got->is != turned.is && !form && !assumed))
        fail_msg("%.*s: turned round it is %s", RDV_FMT(c->line), rdv_same_name(turned.is));
}

/* Out of memory at a place that is drawn, then at later ones, until there is enough: nothing is
 * said of answers that were not compared. */
static void check_without_memory(const one_case *c, rdv_arena *arena)
{
    static rdv_rng rng = {{1, 2, 3, 4}};
    int rc = RDV_E_NOMEM;
    for (size_t n = 1; rc != RDV_OK; n += 1 + rdv_rng_below(&rng, n)) {
        rdv_comparison out = {0};
        rdv_mark mark = rdv_arena_mark(arena);
        rdv_alloc_fail_at(n);
        rc = rdv_answer_compare(c->answer, c->gold, &c->form, &c->how, arena, &out, NULL);
        rdv_alloc_fail_at(0);
        if (rc != RDV_OK && (rc != RDV_E_NOMEM || out.why || out.is == RDV_SAME))
            fail_msg("%.*s: allocation %zu fails: %d", RDV_FMT(c->line), n, rc);
        if (rc == RDV_OK && out.is != c->is)
            fail_msg("%.*s: allocation %zu fails: %s", RDV_FMT(c->line), n, rdv_same_name(out.is));
        rdv_arena_rewind(arena, mark);
    }
}

#define DAMAGED 16 /* ways in which each answer is damaged */

/* The text with one byte removed, doubled, replaced by NUL or exchanged with the next one, or cut.
 */
static rdv_str damaged(rdv_str s, rdv_rng *rng, rdv_arena *arena)
{
    size_t at = rdv_rng_below(rng, s.len), rest = s.len - at;
    char *p = rdv_alloc(arena, s.len + 1);
    assert_non_null(p);
    memcpy(p, s.p, s.len);
    switch (rdv_rng_below(rng, 5)) {
    case 0:
        memmove(p + at, p + at + 1, rest - 1);
        return (rdv_str){p, s.len - 1};
    case 1:
        memmove(p + at + 1, p + at, rest);
        return (rdv_str){p, s.len + 1};
    case 2:
        p[at] = '\0';
        break;
    case 3:
        p[at] = rest > 1 ? s.p[at + 1] : p[at];
        p[at + (rest > 1)] = s.p[at];
        break;
    default:
        return (rdv_str){p, at};
    }
    return (rdv_str){p, s.len};
}

/* Whatever is left of an answer, it is compared without a fault, it is the same as itself, and what
 * is proved of two answers is not refuted the other way round. */
static void check_damaged(const one_case *c, rdv_arena *arena)
{
    static rdv_rng rng = {{5, 6, 7, 8}};
    for (size_t i = 0; i < DAMAGED && c->answer.len; i++) {
        rdv_mark mark = rdv_arena_mark(arena);
        rdv_comparison itself = {0}, there = {0}, back = {0};
        rdv_str answer = damaged(c->answer, &rng, arena);
        int rc = rdv_answer_compare(answer, answer, &c->form, NULL, arena, &itself, NULL);
        assert_true(rc == RDV_OK || rc == RDV_NONE);
        if (rc == RDV_OK && itself.is != RDV_SAME && strcmp(itself.why, "unread") != 0 &&
            strcmp(itself.why, "assumption") != 0)
            fail_msg("\"%.*s\" is not the same as itself: %s", RDV_FMT(answer), itself.why);
        rc = rdv_answer_compare(answer, c->gold, &c->form, NULL, arena, &there, NULL);
        assert_int_equal(rc, RDV_OK);
        rc = rdv_answer_compare(c->gold, answer, &c->form, NULL, arena, &back, NULL);
        bool form =
            rc == RDV_OK && (strcmp(there.why, "form") == 0 || strcmp(back.why, "form") == 0);
        bool opposite = rc == RDV_OK && ((there.is == RDV_SAME && back.is == RDV_DIFFERENT) ||
                                         (there.is == RDV_DIFFERENT && back.is == RDV_SAME));
        if (opposite && !form)
            fail_msg("\"%.*s\" is %s as an answer to %.*s, and %s as its gold", RDV_FMT(answer),
                     rdv_same_name(there.is), RDV_FMT(c->gold), rdv_same_name(back.is));
        rdv_arena_rewind(arena, mark);
    }
}

static bool check_line(rdv_str line, rdv_arena *arena)
{
    one_case c = read_case(line, arena);
    rdv_comparison got = compared(&c, c.answer, c.gold, arena);
    if (got.is != c.is || (c.why.p && !rdv_str_eq(c.why, rdv_str_of(got.why)))) {
        print_error("%.*s: %s, %s: %.*s (%.*s | %.*s)\n", RDV_FMT(line), rdv_same_name(got.is),
                    got.why, RDV_FMT(got.reason), RDV_FMT(got.answer_as), RDV_FMT(got.gold_as));
        return false;
    }
    check_properties(&c, &got, arena);
    check_without_memory(&c, arena);
    check_damaged(&c, arena);
    return true;
}

static void test_answer_compare__cases(void **state)
{
    size_t n = 0, wrong = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_str name = rdv_str_printf(arena, "answers/%s.tsv", files[i]);
        rdv_str rest = golden_text(name.p, arena), line;
        while (rdv_next_line(&rest, &line))
            if (line.len && line.p[0] != '#') {
                wrong += !check_line(line, arena);
                n++;
            }
        rdv_arena_free(&arena);
    }
    print_message("%zu cases\n", n);
    assert_int_equal(wrong, 0);
    assert_true(n >= 300);
}

static void test_answer_compare__reason(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    one_case c = {.form = {.kind = RDV_KIND_LATEX}, .how = {.size = sizeof c.how}};
    rdv_comparison got = compared(&c, RDV_STR("(1,3)"), RDV_STR("(1,4)"), arena);
    assert_string_equal(got.reason.p, "element 2: 3 is not 4");
    got = compared(&c, RDV_STR("k=2,n=4"), RDV_STR("k=2,n=5"), arena);
    assert_string_equal(got.reason.p, "n: 4 is not 5");
    got = compared(&c, RDV_STR("1, 2"), RDV_STR("1, 3"), arena);
    assert_string_equal(got.reason.p, "the answer has no 3");
    got = compared(&c, RDV_STR("A \\cup   B"), RDV_STR("A\\cup C"), arena);
    assert_string_equal(got.reason.p, "A\\cup B is not compared with A\\cup C");
    got = compared(&c, RDV_STR(""), RDV_STR("1"), arena);
    assert_string_equal(got.why, "unread");
    assert_int_equal(got.is, RDV_DIFFERENT);
    rdv_arena_free(&arena);
}

/* Gold that is no answer of its kind is no comparison, whatever the answer is. */
static void test_answer_compare__unreadable_gold(void **state)
{
    static const struct {
        rdv_kind kind;
        const char *gold, *answer;
    } cases[] = {{RDV_KIND_OPTION, "neither", "A"},      {RDV_KIND_YESNO, "perhaps", "yes"},
                 {RDV_KIND_YESNO, "perhaps", "perhaps"}, {RDV_KIND_DATE, "unknown", "5 May 2020"},
                 {RDV_KIND_TIME, "noonish", "5:30"},     {RDV_KIND_MONEY, "much", "$5"}};
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_answer_form form = {.kind = cases[i].kind};
        rdv_comparison out = {.is = RDV_CANNOT_TELL};
        assert_int_equal(rdv_answer_compare(rdv_str_of(cases[i].answer), rdv_str_of(cases[i].gold),
                                            &form, NULL, arena, &out, NULL),
                         RDV_NONE);
        assert_int_equal(out.is, RDV_CANNOT_TELL); /* untouched */
    }
    rdv_arena_free(&arena);
}

/* Bad options are one clear line; absent gold is no comparison. */
static void test_answer_compare__faults(void **state)
{
    char long_zero[102] = {0};
    memset(long_zero, '0', 101);
    const char *const bad[] = {"", "-1", "x", "1e", "1/2", "1e-6 ", long_zero};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_answer_form form = {.kind = RDV_KIND_NUMBER};
    rdv_comparison out;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rdv_compare_options how = {.size = sizeof how, .tolerance = rdv_str_of(bad[i])};
        rdv_error err = {0};
        assert_int_equal(
            rdv_answer_compare(RDV_STR("1"), RDV_STR("1"), &form, &how, arena, &out, &err),
            RDV_E_ARGUMENT);
        assert_non_null(strstr(err.msg, "tolerance"));
    }
    assert_int_equal(rdv_answer_compare(RDV_STR("1"), (rdv_str){0}, &form, NULL, arena, &out, NULL),
                     RDV_NONE);
    assert_string_equal(rdv_same_name(RDV_CANNOT_TELL), "cannot-tell");
    rdv_arena_free(&arena);
}

/* What is not read is compared by its bytes: a control byte is no code of a cleaned answer. */
static void test_answer_compare__raw_bytes(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    one_case c = {.form = {.kind = RDV_KIND_LATEX}, .how = {.size = sizeof c.how}};
    rdv_buf a, g, n;
    rdv_buf_init(&a, arena, 0);
    rdv_buf_init(&g, arena, 0);
    rdv_buf_init(&n, arena, 0);
    for (int i = 0; i < 3000; i++) {
        rdv_buf_lit(&a, "a+");
        rdv_buf_lit(&g, "a+");
        rdv_buf_lit(&n, "a+");
    }
    rdv_buf_add(&a, (rdv_str){"\x01", 1});
    rdv_buf_lit(&g, "\\{");
    rdv_buf_add(&n, (rdv_str){"\0", 1});
    rdv_buf_lit(&n, "\\{");
    assert_int_equal(compared(&c, rdv_buf_str(&a), rdv_buf_str(&g), arena).is, RDV_CANNOT_TELL);
    assert_int_equal(compared(&c, rdv_buf_str(&n), rdv_buf_str(&g), arena).is, RDV_CANNOT_TELL);
    assert_int_equal(compared(&c, rdv_buf_str(&g), rdv_buf_str(&g), arena).is, RDV_SAME);
    rdv_arena_free(&arena);
}

/* Of several gold answers the best result counts: same, cannot tell, different. */
static void test_answer_compare__golds(void **state)
{
    static const rdv_str unread[] = {{"", 0}, {"4", 1}}, aliases[] = {{"4", 1}, {"at?!(", 5}},
                         turned[] = {{"at?!(", 5}, {"4", 1}};
    rdv_arena *arena = rdv_arena_new(0);
    one_case c = {.form = {.kind = RDV_KIND_LATEX, .golds = unread, .n_golds = 2},
                  .how = {.size = sizeof c.how}};
    assert_int_equal(compared(&c, RDV_STR("4"), unread[0], arena).is, RDV_SAME);
    c.form.golds = aliases;
    assert_int_equal(compared(&c, RDV_STR("5"), aliases[0], arena).is, RDV_CANNOT_TELL);
    c.form.golds = turned;
    assert_int_equal(compared(&c, RDV_STR("5"), turned[0], arena).is, RDV_CANNOT_TELL);
    assert_int_equal(compared(&c, RDV_STR("4"), turned[0], arena).is, RDV_SAME);
    c.form.golds = aliases;
    /* Another gold answer than the first is asked about alone. */
    assert_int_equal(compared(&c, RDV_STR("4"), RDV_STR("6"), arena).is, RDV_DIFFERENT);
    assert_int_equal(compared(&c, RDV_STR("4"), aliases[0], arena).is, RDV_SAME);
    rdv_arena_free(&arena);
}

/* A reason that is cut is cut between characters, and holds nothing of bytes that are none. */
static void test_answer_compare__reason_of_no_characters(void **state)
{
    char bytes[400];
    rdv_arena *arena = rdv_arena_new(0);
    one_case c = {.form = {.kind = RDV_KIND_LATEX}, .how = {.size = sizeof c.how}};
    memset(bytes, 0x80, sizeof bytes);
    rdv_comparison got = compared(&c, (rdv_str){bytes, sizeof bytes}, RDV_STR("5"), arena);
    assert_int_equal(got.is, RDV_CANNOT_TELL);
    assert_text(got.reason, " is not read as mathematics");
    rdv_arena_free(&arena);
}

/* The reason of a list is that of the item that cannot be told, not of the last one compared. */
static void test_answer_compare__why_of_items(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    one_case c = {.form = {.kind = RDV_KIND_LATEX}, .how = {.size = sizeof c.how}};
    rdv_comparison got = compared(&c, RDV_STR("\\{at?!, 7\\}"), RDV_STR("\\{5, 7\\}"), arena);
    assert_int_equal(got.is, RDV_CANNOT_TELL);
    assert_string_equal(got.why, "unread");
    rdv_arena_free(&arena);
}

/* The numbers from 1000 on, as a list of at most `len` bytes, up or down. */
static rdv_str counted_list(size_t len, bool down, rdv_arena *arena)
{
    rdv_buf b;
    int n = (int)((len + 1) / 5);
    rdv_buf_init(&b, arena, 0);
    for (int i = 0; i < n; i++)
        rdv_buf_printf(&b, "%s%d", i ? "," : "", 1000 + (down ? n - 1 - i : i));
    assert_true(rdv_buf_ok(&b));
    return rdv_buf_str(&b);
}

/* Beyond RDV_VALUE_MAX bytes an answer is text, whose order counts. */
static void test_answer_compare__long(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    one_case c = {.form = {.kind = RDV_KIND_LATEX}, .how = {.size = sizeof c.how}};
    static const size_t lens[] = {RDV_VALUE_MAX, RDV_VALUE_MAX + 5, 1000000};
    for (size_t i = 0; i < 3; i++) {
        rdv_str up = counted_list(lens[i], false, arena), down = counted_list(lens[i], true, arena);
        rdv_comparison got = compared(&c, down, up, arena);
        assert_int_equal(got.is, i == 0 ? RDV_SAME : RDV_CANNOT_TELL);
        assert_string_equal(got.why, i == 0 ? "exact" : "unread");
        assert_int_equal(compared(&c, up, up, arena).is, RDV_SAME);
    }
    rdv_arena_free(&arena);
}

/* What a comparison takes from the arena is bounded, however long the answers are: a list of a
 * million bytes would be 200,000 values. */
static void test_answer_compare__memory(void **state)
{
    rdv_arena *arena = rdv_arena_new(0), *used = rdv_arena_new(0);
    one_case c = {.form = {.kind = RDV_KIND_LATEX}, .how = {.size = sizeof c.how}};
    rdv_str up = counted_list(1000000, false, arena), down = counted_list(1000000, true, arena);
    compared(&c, down, up, used);
    assert_true(rdv_arena_used(used) < 8000000); /* 4.2 MB are: copies of both */
    rdv_arena_free(&used);
    rdv_arena_free(&arena);
}

/* A long list is compared within the limit of pairs, and what says so is the limit. */
static void test_answer_compare__limit(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    one_case c = {.form = {.kind = RDV_KIND_LATEX}, .how = {.size = sizeof c.how}};
    rdv_buf a, g;
    rdv_buf_init(&a, arena, 0);
    rdv_buf_init(&g, arena, 0);
    for (int i = 0; i < 300; i++) {
        rdv_buf_printf(&a, "a%dz,", i);
        rdv_buf_printf(&g, "b%dz,", i);
    }
    rdv_comparison got = compared(&c, rdv_buf_str(&a), rdv_buf_str(&g), arena);
    assert_int_equal(got.is, RDV_CANNOT_TELL);
    assert_string_equal(got.why, "limit");
    rdv_arena_free(&arena);
}

/* A product of matrices is computed only as far as its cells stay short together. */
static void test_answer_compare__matrix_product(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    one_case c = {.form = {.kind = RDV_KIND_LATEX}, .how = {.size = sizeof c.how}};
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "\\begin{pmatrix}");
    for (int i = 0; i < 16 * 16; i++)
        rdv_buf_printf(&b, "%s\\sin9", i == 0 ? "" : i % 16 ? "&" : "\\\\");
    rdv_buf_lit(&b, "\\end{pmatrix}");
    rdv_str one = rdv_buf_str(&b);
    rdv_str product = rdv_str_printf(arena, "%.*s%.*s", RDV_FMT(one), RDV_FMT(one));
    rdv_comparison got = compared(&c, product, one, arena);
    assert_int_equal(got.is, RDV_CANNOT_TELL);
    rdv_arena_free(&arena);
}

/* One bound of work for all cells: each of these alone is decided in milliseconds. */
static void test_answer_compare__work(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    one_case c = {.form = {.kind = RDV_KIND_LATEX}, .how = {.size = sizeof c.how}};
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "\\begin{pmatrix}");
    for (int i = 0; i < 49; i++)
        rdv_buf_printf(&b, "%s\\sqrt%d", i == 0 ? "" : i % 7 ? "&" : "\\\\", i % 7 + 1);
    rdv_str cells = rdv_buf_str(&b);
    rdv_str product = rdv_str_printf(arena, "%.*s\\end{pmatrix}%.*s\\end{pmatrix}", RDV_FMT(cells),
                                     RDV_FMT(cells));
    rdv_str other = rdv_str_printf(arena, "%.*s\\end{pmatrix}%.*s+1\\end{pmatrix}", RDV_FMT(cells),
                                   RDV_FMT(cells));
    assert_int_equal(compared(&c, other, product, arena).is, RDV_CANNOT_TELL);
    assert_int_equal(compared(&c, product, product, arena).is, RDV_SAME);
    rdv_arena_free(&arena);
}

/* A whole number with a sign or the commas of its thousands, by bits of `how`. */
static rdv_str written(uint64_t n, unsigned how, rdv_arena *arena)
{
    char digits[RDV_WHOLE_MOST];
    rdv_buf b;
    size_t len = rdv_write_whole(digits, n);
    rdv_buf_init(&b, arena, 0);
    if (how & 1)
        rdv_buf_add_char(&b, '-');
    for (size_t i = 0; i < len; i++) {
        if ((how & 2) && i > 0 && (len - i) % 3 == 0)
            rdv_buf_add_char(&b, ',');
        rdv_buf_add_char(&b, digits[i]);
    }
    return rdv_buf_str(&b);
}

/* Two whole numbers are compared at once, and a blank before one sends it through all that other
 * answers go through: both say the same, whatever is asked and allowed. */
static void test_answer_compare__whole_numbers(void **state)
{
    static const char *const questions[] = {NULL,
                                            "How many hours?",
                                            "How many dozen eggs did she lose?",
                                            "Which term is it?",
                                            "How much profit, to the nearest ten?",
                                            "What is 101 in base 2?",
                                            "In which year?"};
    static const rdv_kind kinds[] = {RDV_KIND_AUTO, RDV_KIND_NUMBER, RDV_KIND_LATEX};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_rng rng;
    rdv_rng_seed(&rng, 46);
    for (size_t i = 0; i < 6000; i++) {
        rdv_comparison at_once, by_all;
        rdv_str whole[2], blank, key, other;
        rdv_answer_form form = {.kind = kinds[i % 3]};
        rdv_compare_options how = {.size = sizeof how,
                                   .decimals_as_shown = i % 13 == 0,
                                   .relations_as_sets = i % 17 == 0,
                                   .question = rdv_str_of(questions[i % 7])};
        uint64_t drawn[2];
        for (size_t k = 0; k < 2; k++)
            drawn[k] = rdv_rng_next(&rng) % (i % 5 ? 20 * i + 1 : UINT64_MAX / 20);
        drawn[1] = i % 4 ? drawn[1] : i % 3 ? drawn[0] : drawn[0] * (i % 8 ? 12 : 100);
        for (size_t k = 0; k < 2; k++)
            whole[k] = written(drawn[k], (unsigned)rdv_rng_below(&rng, 4), arena);
        blank = rdv_str_printf(arena, " %.*s", RDV_FMT(whole[0]));
        assert_int_equal(rdv_answer_compare(whole[0], whole[1], &form, &how, arena, &at_once, NULL),
                         RDV_OK);
        assert_int_equal(rdv_answer_compare(blank, whole[1], &form, &how, arena, &by_all, NULL),
                         RDV_OK);
        assert_int_equal(at_once.is, by_all.is);
        assert_string_equal(at_once.why, by_all.why);
        assert_true(rdv_str_eq(at_once.reason, by_all.reason));
        assert_true(rdv_str_eq(at_once.answer_as, by_all.answer_as));
        assert_true(rdv_str_eq(at_once.gold_as, by_all.gold_as));
        assert_int_equal(rdv_answer_key(whole[0], &form, arena, &key, NULL), RDV_OK);
        assert_int_equal(rdv_answer_key(blank, &form, arena, &other, NULL), RDV_OK);
        assert_true(rdv_str_eq(key, other));
    }
    rdv_arena_free(&arena);
}

/* So are bare letters of options, unless an option is a text that is read as one. */
static void test_answer_compare__letters(void **state)
{
    static const char *const questions[] = {NULL, "Which is right?", "Which letter comes first?"};
    static const char *const texts[] = {"a red one", "12.5 m", "none of these", "B", "(C)",
                                        "A and B",   "",       "the letter A"};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_rng rng;
    (void)state;
    rdv_rng_seed(&rng, 47);
    for (size_t i = 0; i < 6000; i++) {
        rdv_comparison at_once = {0}, by_all = {0};
        rdv_str options[7], letter[2], blank;
        rdv_answer_form form = {.kind = RDV_KIND_OPTION, .options = options, .n_options = i % 7};
        rdv_compare_options how = {.size = sizeof how, .question = rdv_str_of(questions[i % 3])};
        for (size_t k = 0; k < form.n_options; k++)
            options[k] = rdv_str_of(texts[rdv_rng_below(&rng, i % 2 ? 3 : 8)]);
        for (size_t k = 0; k < 2; k++)
            letter[k] = rdv_str_printf(arena, "%c", (char)('A' + rdv_rng_below(&rng, i % 9 + 1)));
        blank = rdv_str_printf(arena, " %.*s", RDV_FMT(letter[0]));
        int rc = rdv_answer_compare(letter[0], letter[1], &form, &how, arena, &at_once, NULL);
        assert_int_equal(rdv_answer_compare(blank, letter[1], &form, &how, arena, &by_all, NULL),
                         rc);
        if (rc != RDV_OK)
            continue;
        assert_int_equal(at_once.is, by_all.is);
        assert_string_equal(at_once.why, by_all.why);
        assert_true(rdv_str_eq(at_once.reason, by_all.reason));
        assert_true(rdv_str_eq(at_once.answer_as, by_all.answer_as));
        assert_true(rdv_str_eq(at_once.gold_as, by_all.gold_as));
    }
    rdv_arena_free(&arena);
}

static void test_answer_compare__out_of_memory(void **state)
{
    static const char *const pairs[][2] = {
        {"(x, y) = (5, 8)", "x = 5, y = 7"},
        {"(-\\infty,0)\\cup(0,\\infty)", "\\mathbb{R} \\setminus \\{0\\}"},
        {"\\begin{pmatrix} 1 & 2 \\end{pmatrix} + \\begin{pmatrix} 1 & 2 \\end{pmatrix}", "(2, 5)"},
        {"-2 \\le x < 7", "[-2, 7)"},
        {"3 \\pmod 5, 4", "0.333"},
    };
    rdv_arena *arena = rdv_arena_new(0);
    rdv_answer_form form = {.kind = RDV_KIND_LATEX};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        rdv_comparison out = {0};
        assert_survives_no_memory(rdv_answer_compare(rdv_str_of(pairs[i][0]),
                                                     rdv_str_of(pairs[i][1]), &form, NULL, arena,
                                                     &out, NULL) == RDV_OK,
                                  assert_null(out.why));
    }
    rdv_arena_free(&arena);
}

/* The commas of an amount in lakhs and crores divide thousands: they are no decimal points. */
static void test_compare__money_in_lakhs(void **state)
{
    const rdv_compare_options how = {.size = sizeof how};
    const rdv_answer_form form = {.kind = RDV_KIND_NUMBER};
    static const struct {
        rdv_str answer;
        rdv_same is;
    } cases[] = {{RDV_STR("$12,34,567"), RDV_SAME}, {RDV_STR("$12,34,568"), RDV_DIFFERENT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_comparison c;
        rdv_arena *arena = rdv_arena_new(0);
        assert_int_equal(rdv_answer_compare(cases[i].answer, RDV_STR("123456700 cents"), &form,
                                            &how, arena, &c, NULL),
                         RDV_OK);
        assert_int_equal(c.is, cases[i].is);
        rdv_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare__money_in_lakhs),
        cmocka_unit_test(test_answer_compare__cases),
        cmocka_unit_test(test_answer_compare__reason),
        cmocka_unit_test(test_answer_compare__unreadable_gold),
        cmocka_unit_test(test_answer_compare__faults),
        cmocka_unit_test(test_answer_compare__long),
        cmocka_unit_test(test_answer_compare__memory),
        cmocka_unit_test(test_answer_compare__limit),
        cmocka_unit_test(test_answer_compare__matrix_product),
        cmocka_unit_test(test_answer_compare__whole_numbers),
        cmocka_unit_test(test_answer_compare__letters),
        cmocka_unit_test(test_answer_compare__raw_bytes),
        cmocka_unit_test(test_answer_compare__work),
        cmocka_unit_test(test_answer_compare__golds),
        cmocka_unit_test(test_answer_compare__reason_of_no_characters),
        cmocka_unit_test(test_answer_compare__why_of_items),
        cmocka_unit_test(test_answer_compare__out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
