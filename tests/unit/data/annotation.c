/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"
#include "data/annotation/annotations.h"

#include "data/csv.h"

#include <stdio.h>

/* ---- reading --------------------------------------------------------------------------------- */

static ptrdiff_t read_bytes(void *cookie, void *bytes, size_t size)
{
    rdv_str *rest = cookie;
    size_t n = rest->len < size ? rest->len : size;
    n = n > 7 ? 7 : n; /* a few at a time, as a pipe may */
    if (n)
        memcpy(bytes, rest->p, n);
    *rest = rdv_slice(*rest, n, rest->len);
    return (ptrdiff_t)n;
}

/* What was told, one after the other. */
struct told {
    char text[2048];
    size_t n;
};

static void tell(void *payload, const char *message)
{
    struct told *t = payload;
    snprintf(t->text + strlen(t->text), sizeof t->text - strlen(t->text), "%s\n", message);
    t->n++;
}

static int read_text(rdv_annotations *a, const char *text, struct told *told, rdv_error *err)
{
    rdv_str rest = rdv_str_of(text);
    return rdv_annotations_read_source(a, (rdv_source){&rest, read_bytes}, "in", tell, told, NULL,
                                       err);
}

/* The labels of a chain of three steps with the id "q", as "by/of:yn?; ..." */
static void assert_labels(const char *text, size_t count_from, const char *labels, size_t bad)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_annotation_options options = {.by = "x", .count_from = count_from};
    rdv_annotations *a = rdv_annotations_new(arena, &options);
    struct told told = {0};
    char found[1024] = "";
    rdv_chain chain = {.id = RDV_STR("q"), .n_steps = 3};
    assert_int_equal(read_text(a, text, &told, NULL), RDV_OK);
    int code = rdv_annotations_apply(a, &chain, arena, tell, &told, NULL, NULL);
    assert_true(code == RDV_OK || code == RDV_NONE);
    for (size_t i = 0; i < chain.n_step_labels; i++) {
        const rdv_step_labels *l = &chain.step_labels[i];
        size_t at = strlen(found);
        at += (size_t)snprintf(found + at, sizeof found - at, "%s%.*s/%.*s:", i ? "; " : "",
                               RDV_FMT(l->by), RDV_FMT(l->of));
        for (size_t k = 0; k < l->n; k++)
            found[at++] = l->is[k] < 0 ? '?' : l->is[k] ? 'y' : 'n';
        found[at] = '\0';
    }
    assert_string_equal(found, labels);
    if (told.n != bad)
        fail_msg("%zu faults, not %zu: %s", told.n, bad, told.text);
    rdv_arena_free(&arena);
}

static void test_read__json(void **state)
{
    (void)state;
    assert_labels(
        "{\"id\":\"q\",\"annotator\":\"a\",\"first_error\":1}\n"
        "{\"id\":\"q\",\"annotator\":\"b\",\"first_error\":null}\n"
        "{\"id\":\"q\",\"annotator\":\"c\",\"criterion\":\"math\",\"labels\":[true,false,null]}\n"
        "{\"id\":\"other\",\"first_error\":0}\n",
        0, "a/correct:yn?; b/correct:yyy; c/math:yn?", 0);
    assert_labels("[{\"id\":\"q\",\"labels\":[\"y\",\"n\",\"a\"]}]", 0, "x/correct:yn?", 0);
    assert_labels("{\"id\":\"q\",\"first_error\":3}", 1, "x/correct:yyn", 0);
    assert_labels("", 0, "", 0);
}

static void test_read__table(void **state)
{
    (void)state;
    assert_labels("id,annotator,first_error\nq,a,0\nq,b,none\nq,c,\n", 0,
                  "a/correct:n??; b/correct:yyy", 0);
    assert_labels("\xef\xbb\xbfID, step ,text,label,annotator,criterion\r\n"
                  "q,,\"What, then?\",,a,correct\r\n"
                  "q,1,\"a \"\"b\"\",\r\nc\",Y,a,correct\r\n"
                  "q,2,'=d,no,a,correct\r\n\r\n"
                  "q,3,e,,a,correct\r\n"
                  "q,2,e,a,,math",
                  1, "a/correct:yn?; x/math:???", 0);
}

/* What cannot be used is told with its place. */
static void test_read__told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"{\"id\":\"q\"}", "in:1: either \"first_error\" or \"labels\" is wanted"},
        {"{\"id\":\"q\",\"first_error\":0,\"labels\":[]}", "in:1: either"},
        {"{\"first_error\":0}", "in:1: no id"},
        {"{\"id\":\"q\",\"first_error\":-1}", "in:1: first_error \"-1\": a step, counted from 0"},
        {"{\"id\":\"q\",\"first_error\":1.5}", "in:1: first_error \"1.5\""},
        {"{\"id\":\"q\",\"first_error\":[]}", "in:1:"},
        {"{\"id\":\"q\",\"labels\":[true,2]}", "in:1: labels[1]: true, false or null is wanted"},
        {"{\"rederive_schema\":2,\"id\":\"q\",\"first_error\":1}",
         "in:1: \"rederive_schema\" is 2, and this program reads version 1"},
        {"{\"id\":\"q\",\"first_error\":9}",
         "in:1: the first wrong step is 9, and the chain has 3"},
        {"{\"id\":\"q\",\"labels\":[true]}", "in:1: judgements: 1, and the chain has 3 steps"},
        {"{\"id\":\"q\",\"first_error\":0}\n{\"id\":\"q\",\"first_error\":1}",
         "in:2: a second annotation of q by x on \"correct\"; the first is in line 1 of in"},
        {"{\"id\":1\n{\"id\":\"q\",\"first_error\":0}", "in:1:"},
        {"id,first_error\n\"q\"x,1\n", "in:2: text behind a closing quote"},
        {"id,first_error\nq,\"1", "in:2: a quote that is not closed"},
        {"id,first_error\n,1", "in:2: no id"},
        {"id,annotator,first_error\nq,Jos\xe9,1",
         "in:2: byte 0xe9 is not UTF-8; convert the file first"},
        {"id,annotator,first_error\nq\xff,b,1", "in:2: byte 0xff is not UTF-8"},
        {"id,criterion,first_error\nq,\xe9t\xe9,1", "in:2: byte 0xe9 is not UTF-8"},
        {"id,step,label\nq,x,y", "in:2: step \"x\": a number from 0 is wanted"},
        {"id,step,label\nq,0,maybe", "in:2: label \"maybe\": y, n or a (cannot say) is wanted"},
        {"id,step,label\nq,0,y\nq,0,n", "in:3: correct, by x: a second judgement of the same step"},
        {"id,step,label\nq,3,y", "in:2: a judgement of step 3, and the chain has 3 steps"},
        {"id,step,label\nq,99999999,y", "in:2: step 99999999, of at most"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_annotation_options options = {.by = "x"};
        rdv_annotations *a = rdv_annotations_new(arena, &options);
        struct told told = {0};
        rdv_chain chain = {.id = RDV_STR("q"), .n_steps = 3};
        assert_int_equal(read_text(a, cases[i].text, &told, NULL), RDV_OK);
        rdv_annotations_apply(a, &chain, arena, tell, &told, NULL, NULL);
        if (!strstr(told.text, cases[i].says))
            fail_msg("%s: told \"%s\", not \"%s\"", cases[i].text, told.text, cases[i].says);
        rdv_arena_free(&arena);
    }
}

static void test_read__no_annotator(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_annotations *a = rdv_annotations_new(arena, &(rdv_annotation_options){0});
    struct told told = {0};
    assert_int_equal(read_text(a, "{\"id\":\"q\",\"first_error\":0}", &told, NULL), RDV_OK);
    assert_non_null(strstr(told.text, "in:1: no annotator"));
    rdv_arena_free(&arena);
}

static void test_read__table_without_columns(void **state)
{
    (void)state;
    static const char *const texts[] = {"id,annotator\nq,a", "step,label\n0,y", "id,step\nq,0", "x",
                                        "id,first_error,step,label\nq,1,0,y"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_annotations *a = rdv_annotations_new(arena, &(rdv_annotation_options){0});
        struct told told = {0};
        rdv_error err = {0};
        assert_int_equal(read_text(a, texts[i], &told, &err), RDV_E_INPUT);
        assert_non_null(strstr(err.msg, "the first row has to name the columns"));
        rdv_arena_free(&arena);
    }
}

/* ---- putting into chains --------------------------------------------------------------------- */

static void test_apply__replaces(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_annotations *a = rdv_annotations_new(arena, &(rdv_annotation_options){.by = "ann"});
    struct told told = {0};
    int8_t old[] = {1, 1};
    rdv_step_labels had[] = {{RDV_STR("ann"), RDV_STR("correct"), old, 2},
                             {RDV_STR("ann"), RDV_STR("math"), old, 2},
                             {RDV_STR("ben"), RDV_STR("correct"), old, 2}};
    rdv_chain chain = {.id = RDV_STR("q"), .n_steps = 2, .step_labels = had, .n_step_labels = 3};
    assert_int_equal(read_text(a,
                               "{\"id\":\"q\",\"first_error\":0}\n{\"id\":\"z\",\"first_error\":0}",
                               &told, NULL),
                     RDV_OK);
    assert_int_equal(rdv_annotations_apply(a, &chain, arena, NULL, NULL, NULL, NULL), RDV_OK);
    assert_int_equal(chain.n_step_labels, 3);
    assert_text(chain.step_labels[0].of, "math");
    assert_text(chain.step_labels[1].by, "ben");
    assert_text(chain.step_labels[2].by, "ann");
    assert_int_equal(chain.step_labels[2].is[0], 0);
    assert_text(rdv_annotations_unused(a, 0, arena), "in:2: no chain has the id z");
    assert_null(rdv_annotations_unused(a, 1, arena).p);
    chain.id = (rdv_str){0};
    assert_int_equal(rdv_annotations_apply(a, &chain, arena, NULL, NULL, NULL, NULL), RDV_NONE);
    rdv_arena_free(&arena);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* A sheet that is filled in comes back, whatever the ids and steps are made of. */
static void test_sheet(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str steps[] = {RDV_STR("=1+1"), RDV_STR("a \"b\",\r\nc")}, head, rows;
    rdv_chain chain = {.id = RDV_STR("-q,\"1\""),
                       .question = {.text = RDV_STR("Why?"), .gold = RDV_STR("42")},
                       .steps = steps,
                       .n_steps = 2};
    rdv_sheet_options how = {.by = RDV_STR("a"), .of = RDV_STR("math"), .count_from = 1};
    assert_int_equal(rdv_annotation_sheet(NULL, &how, arena, &head, NULL), RDV_OK);
    assert_int_equal(rdv_annotation_sheet(&chain, &how, arena, &rows, NULL), RDV_OK);
    assert_text(head, "id,step,text,target,annotator,criterion,label\n");
    assert_text(rows, "\"'-q,\"\"1\"\"\",,Why?,42,a,math,\n"
                      "\"'-q,\"\"1\"\"\",1,\"'=1+1\",,a,math,\n"
                      "\"'-q,\"\"1\"\"\",2,\"a \"\"b\"\",\r\nc\",,a,math,\n");
    rdv_str filled = rdv_str_printf(arena, "%.*s\"'-q,\"\"1\"\"\",2,,,a,math,n\n", RDV_FMT(head));
    rdv_annotations *a = rdv_annotations_new(arena, &(rdv_annotation_options){.count_from = 1});
    struct told told = {0};
    assert_int_equal(read_text(a, filled.p, &told, NULL), RDV_OK);
    assert_int_equal(rdv_annotations_apply(a, &chain, arena, NULL, NULL, NULL, NULL), RDV_OK);
    assert_int_equal(chain.step_labels[0].is[0], -1);
    assert_int_equal(chain.step_labels[0].is[1], 0);
    rdv_str lines;
    assert_int_equal(rdv_annotations_write(&chain, arena, &lines, NULL), RDV_OK);
    assert_text(lines, "{\"rederive_schema\":1,\"id\":\"-q,\\\"1\\\"\",\"annotator\":\"a\","
                       "\"criterion\":\"math\",\"labels\":[null,false]}\n");
    rdv_arena_free(&arena);
}

static void test_csv__limits(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str text = RDV_STR("a,b,c,d\nlonger than that,x\n\n\"e\"\"f\",,\"\"\n"), *cells;
    rdv_csv csv;
    size_t n, line;
    rdv_csv_init(&csv, (rdv_source){&text, read_bytes}, 10, 3);
    assert_int_equal(rdv_csv_next(&csv, arena, &cells, &n, &line, NULL), RDV_E_LIMIT);
    assert_int_equal(rdv_csv_next(&csv, arena, &cells, &n, &line, NULL), RDV_E_LIMIT);
    assert_int_equal(line, 2);
    assert_int_equal(rdv_csv_next(&csv, arena, &cells, &n, &line, NULL), RDV_OK);
    assert_int_equal(line, 4);
    assert_int_equal(n, 3);
    assert_text(cells[0], "e\"f");
    assert_text(cells[1], "");
    assert_int_equal(rdv_csv_next(&csv, arena, &cells, &n, &line, NULL), RDV_NONE);
    rdv_arena_free(&arena);
}

/* RFC 4180: lines end with CR LF. The last may have CR alone; within a cell it is text. */
static void test_csv__line_ends(void **state)
{
    static const char *const texts[] = {"a,b",         "a,b\n",     "a,b\r\n",   "a,b\r",
                                        "a,b\r\n\r\n", "\r\na,b\r", "a,\"b\"\r", "\"a\",b\r\n"};
    (void)state;
    for (size_t i = 0; i <= sizeof texts / sizeof *texts; i++) {
        bool last = i == sizeof texts / sizeof *texts;
        rdv_arena *arena = rdv_arena_new(0);
        rdv_str text = rdv_str_of(last ? "a,b\rc\r" : texts[i]), *cells;
        rdv_csv csv;
        size_t n, line;
        rdv_csv_init(&csv, (rdv_source){&text, read_bytes}, 10, 3);
        assert_int_equal(rdv_csv_next(&csv, arena, &cells, &n, &line, NULL), RDV_OK);
        assert_int_equal(n, 2);
        assert_text(cells[0], "a");
        if (last)
            assert_text(cells[1], "b\rc");
        else
            assert_text(cells[1], "b");
        assert_int_equal(rdv_csv_next(&csv, arena, &cells, &n, &line, NULL), RDV_NONE);
        rdv_arena_free(&arena);
    }
}

/* A cell that a table program would run is marked as a text, and read as it was. */
static void test_csv__formulas(void **state)
{
    (void)state;
    for (int c = 1; c < 0x80; c++) {
        rdv_arena *arena = rdv_arena_new(0);
        const char text[] = {(char)c, '1', '\0'};
        bool formula = strchr("=+-@\t\r", c) != NULL;
        rdv_buf b;
        rdv_buf_init(&b, arena, 0);
        rdv_csv_cell(&b, rdv_str_of(text));
        rdv_str cell = rdv_buf_str(&b);
        assert_int_equal(rdv_starts(cell, RDV_STR("\"'")), formula);
        if (formula)
            assert_true(
                rdv_str_eq(rdv_csv_text(rdv_slice(cell, 1, cell.len - 1)), rdv_str_of(text)));
        rdv_arena_free(&arena);
    }
}

static void test_read__no_memory(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"id\":\"q\",\"annotator\":\"a\",\"labels\":[true,false]}",
        "id,annotator,step,label\nq,a,0,y\nq,a,1,n\n"};
    for (size_t i = 0; i < 2; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_annotations *a;
        struct told told = {0};
        rdv_chain chain = {.id = RDV_STR("q"), .n_steps = 2};
        assert_survives_no_memory(
            (a = rdv_annotations_new(arena, &(rdv_annotation_options){0})) &&
                read_text(a, texts[i], &told, NULL) == RDV_OK &&
                rdv_annotations_apply(a, &chain, arena, tell, &told, NULL, NULL) == RDV_OK,
            rdv_arena_reset(arena));
        assert_int_equal(told.n, 0);
        assert_int_equal(chain.n_step_labels, 1);
        rdv_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read__json),
        cmocka_unit_test(test_read__table),
        cmocka_unit_test(test_read__told),
        cmocka_unit_test(test_read__no_annotator),
        cmocka_unit_test(test_read__table_without_columns),
        cmocka_unit_test(test_apply__replaces),
        cmocka_unit_test(test_sheet),
        cmocka_unit_test(test_csv__limits),
        cmocka_unit_test(test_csv__line_ends),
        cmocka_unit_test(test_csv__formulas),
        cmocka_unit_test(test_read__no_memory),
    };
    return cmocka_run_group_tests_name("annotation", tests, NULL, NULL);
}
