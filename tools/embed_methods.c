/* SPDX-License-Identifier: Apache-2.0 */
/* Turns method files into one C file, which also lists every method of the library.
 *
 *     embed_methods OUT.c NAME=FILE|NAME...
 *
 * NAME=FILE: the table in FILE becomes the method NAME (a C name); NAME alone: a C file defines
 * method_NAME. The order is that of rdv_method_at(). An error is reported as "FILE:LINE: message",
 * and no C file is written. */
#include "base/buf.h"
#include "base/str.h"
#include "method/table.h"
#include "read_file.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct writer {
    rdv_arena *arena;
    rdv_buf tables, list;
} writer;

static void add_string(rdv_buf *b, rdv_str s)
{
    rdv_buf_lit(b, "\"");
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == '"' || c == '\\')
            rdv_buf_printf(b, "\\%c", c);
        else if (c >= 32 && c < 127 && c != '?')
            rdv_buf_add_char(b, (char)c);
        else
            rdv_buf_printf(b, "\\%03o", c);
    }
    rdv_buf_lit(b, "\"");
}

static void add_str(rdv_buf *b, const char *member, rdv_str s)
{
    if (!s.p)
        return;
    rdv_buf_printf(b, ".%s = {", member);
    add_string(b, s);
    rdv_buf_printf(b, ", %zu}, ", s.len);
}

static void add_choices(rdv_buf *b, const stage *s)
{
    rdv_buf_printf(b, ".n_choices = %zu, .choices = {", s->n_choices);
    for (size_t i = 0; i < s->n_choices; i++) {
        rdv_buf_lit(b, "{{");
        add_string(b, s->choices[i].word);
        rdv_buf_printf(b, ", %zu}, %d}, ", s->choices[i].word.len, (int)s->choices[i].verdict);
    }
    rdv_buf_lit(b, "}, ");
}

static void add_after(rdv_buf *b, const stage *s)
{
    rdv_buf_printf(b, ".n_after = %zu, .after = {", s->n_after);
    for (size_t i = 0; i < s->n_after; i++)
        rdv_buf_printf(b, "%zu, ", s->after[i]);
    rdv_buf_lit(b, "}, .needs = {");
    for (size_t i = 0; i < s->n_after; i++)
        rdv_buf_printf(b, "%d, ", s->needs[i]);
    rdv_buf_lit(b, "}");
}

static void add_stage(rdv_buf *b, const stage *s)
{
    rdv_buf_lit(b, "        {");
    add_str(b, "name", s->name);
    add_str(b, "label", s->label);
    add_str(b, "prompt", s->prompt);
    add_str(b, "as", s->as);
    add_str(b, "example", s->example);
    rdv_buf_printf(b, ".request = %d, .per = %d, .samples = %zu, .read = %d, ", (int)s->request,
                   (int)s->per, s->samples, (int)s->read);
    if (s->of_question)
        rdv_buf_lit(b, ".of_question = true, ");
    if (s->read == READER_NUMBER)
        rdv_buf_printf(b, ".low = %g, .high = %g, ", s->low, s->high);
    if (s->n_choices)
        add_choices(b, s);
    if (s->n_after)
        add_after(b, s);
    rdv_buf_lit(b, "},\n");
}

static void add_method(writer *w, rdv_str name, const method_table *t)
{
    rdv_buf *b = &w->tables;
    rdv_buf_printf(b, "static const method_table table_%.*s = {\n    ", RDV_FMT(name));
    add_str(b, "name", t->name);
    add_str(b, "summary", t->summary);
    rdv_buf_printf(b, ".conclude = %d, .n_stages = %zu,\n    .stages = {\n", (int)t->conclude,
                   t->n_stages);
    for (size_t i = 0; i < t->n_stages; i++)
        add_stage(b, &t->stages[i]);
    rdv_buf_printf(b,
                   "    },\n};\nstatic const method_entry method_%.*s = {.table = &table_%.*s, "
                   ".method = {METHOD_WEIGHTS, .name = ",
                   RDV_FMT(name), RDV_FMT(name));
    add_string(b, t->name);
    rdv_buf_lit(b, ", .summary = ");
    add_string(b, t->summary);
    rdv_buf_lit(b, "}};\n\n");
}

static int add(writer *w, const char *argument)
{
    rdv_str text, all = rdv_str_of(argument);
    size_t equals = rdv_find_char(all, '=', 0);
    rdv_str name = rdv_slice(all, 0, equals);
    rdv_buf_printf(&w->list, "    &method_%.*s,\n", RDV_FMT(name));
    if (equals == RDV_NOT_FOUND) {
        rdv_buf_printf(&w->tables, "extern const method_entry method_%.*s;\n\n", RDV_FMT(name));
        return RDV_OK;
    }
    const char *path = argument + equals + 1;
    method_table table;
    rdv_error err = {0};
    if (read_file(path, w->arena, &text) != RDV_OK) {
        perror(path);
        return RDV_E_IO;
    }
    int r = method_table_read(&table, text, w->arena, &err);
    if (r == RDV_OK)
        add_method(w, name, &table);
    else
        fprintf(stderr, "%s:%s\n", path, err.msg);
    return r;
}

static int write_all(const writer *w, const char *path)
{
    rdv_str tables = rdv_buf_str(&w->tables), list = rdv_buf_str(&w->list);
    FILE *file = tables.p && list.p ? fopen(path, "w") : NULL;
    if (!file)
        return EXIT_FAILURE;
    fprintf(file,
            "/* Made by tools/embed_methods.c from the list in src/method/meson.build. */\n"
            "#include \"method/method.h\"\n\n"
            "#define METHOD_WEIGHTS .l1 = 1, .l0 = 0.3, .asks_model = true\n\n%.*s"
            "const method_entry *const method_list[] = {\n%.*s};\n"
            "const size_t method_list_n = sizeof method_list / sizeof *method_list;\n",
            RDV_FMT(tables), RDV_FMT(list));
    return fclose(file) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    writer w = {.arena = rdv_arena_new(0)};
    int status = argc > 1 && w.arena ? EXIT_SUCCESS : EXIT_FAILURE;
    rdv_buf_init(&w.tables, w.arena, 0);
    rdv_buf_init(&w.list, w.arena, 0);
    for (int i = 2; i < argc; i++)
        if (add(&w, argv[i]) != RDV_OK)
            status = EXIT_FAILURE;
    if (status == EXIT_SUCCESS)
        status = write_all(&w, argv[1]);
    rdv_arena_free(&w.arena);
    return status;
}
