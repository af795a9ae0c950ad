/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a table: its rows, notes and settings, without a script. */
#include "report/table_page.h"

#include "base/str.h"
#include "report/html_parts.h"
#include "report/html_text.h"
#include "study/cell.h"

#include <inttypes.h>
#include <string.h>

/* What the page is named after: "selfcheck:table2", "evaluation". */
static rdv_str name_of(const rdv_table_page *page)
{
    return rdv_str_of(page->info->name);
}

static void head(const rdv_table_page *page, rdv_buf *b)
{
    rdv_buf_lit(b, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "style-src '");
    rdv_buf_add(b, rdv_str_of(html_css_hash));
    rdv_buf_lit(b, "'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                   "<meta name=\"referrer\" content=\"no-referrer\">\n"
                   "<meta name=\"color-scheme\" content=\"light dark\">\n"
                   "<link rel=\"icon\" href=\"data:,\">\n<title>");
    html_text(b, name_of(page));
    rdv_buf_lit(b, " · rederive eval</title>\n<style>");
    rdv_buf_add(b, rdv_str_of(html_css));
    rdv_buf_lit(b, "</style>\n</head>\n<body>\n<header class=\"top\"><div class=\"bar\"><h1>"
                   "<span class=\"product\">rederive eval</span> <span class=\"title\">");
    html_text(b, name_of(page));
    rdv_buf_lit(b, "</span></h1></div></header>\n<main>\n<section class=\"part\">"
                   "<h2 class=\"part-title\">");
    html_text(b, rdv_str_of(*page->info->section ? page->info->section : page->info->name));
    rdv_buf_lit(b, "</h2><p>");
    html_text(b, rdv_str_of(page->info->summary));
    rdv_buf_lit(b, "</p></section>\n");
}

static void figures(const rdv_table_page *page, rdv_buf *b)
{
    if (!page->n_figures)
        return;
    rdv_buf_lit(b, "<section class=\"part pictures\">");
    for (size_t i = 0; i < page->n_figures; i++)
        html_figure_grid(b, &page->figures[i], b->arena);
    rdv_buf_lit(b, "</section>\n");
}

/* ---- settings -------------------------------------------------------------------------------- */

static void begin_fact(rdv_buf *b, rdv_str name)
{
    rdv_buf_lit(b, "<tr><th>");
    html_text(b, name);
    rdv_buf_lit(b, "</th><td>");
}

static void fact(rdv_buf *b, const char *name, rdv_str text)
{
    if (!text.p)
        return;
    begin_fact(b, rdv_str_of(name));
    html_prose(b, text);
    rdv_buf_lit(b, "</td></tr>");
}

/* One row of values that only programs get in a terminal, such as the settings. */
static void facts_of(rdv_buf *b, const rdv_study_table *t)
{
    bool one =
        t->n_rows == 1 && !t->series && (t->form == RDV_FORM_OBJECT || t->form == RDV_FORM_MEMBERS);
    for (size_t c = 0; one && c < t->n_columns; c++) {
        const rdv_cell *cell = &t->cells[c];
        char shown[RDV_CELL_BYTES];
        if (!t->columns[c].name || cell->kind == RDV_CELL_ABSENT)
            continue;
        begin_fact(b, rdv_str_of(t->columns[c].name));
        rdv_cell_show(t, cell, "±", shown);
        html_prose(b, cell->kind == RDV_CELL_TEXT ? cell->text : rdv_str_of(shown));
        rdv_buf_lit(b, "</td></tr>");
    }
}

static void settings(const rdv_table_page *page, const rdv_study_tables *tables, rdv_buf *b)
{
    rdv_buf_lit(b, "<section class=\"part\"><h2 class=\"part-title\">Settings</h2>"
                   "<div class=\"wide\"><table><tbody>");
    fact(b, "recipe", name_of(page));
    fact(b, "input", page->title);
    fact(b, "command", page->command);
    for (size_t i = 0; i < tables->n; i++)
        facts_of(b, &tables->tables[i]);
    if (page->n_failed) {
        begin_fact(b, RDV_STR("records that failed"));
        rdv_buf_printf(b, "%" PRIu64 "</td></tr>", page->n_failed);
    }
    rdv_buf_lit(b, "</tbody></table></div></section>\n");
}

/* ---- the page -------------------------------------------------------------------------------- */

void rdv_table_html(const rdv_table_page *page, const rdv_study_tables *tables, rdv_buf *b)
{
    head(page, b);
    figures(page, b);
    rdv_buf_lit(b, "<section class=\"part\">");
    html_tables(b, tables);
    rdv_buf_lit(b, "</section>\n");
    settings(page, tables, b);
    rdv_buf_lit(b, "</main>\n<footer>Written by <b>rederive</b>. This file is complete in itself: "
                   "it loads nothing and sends nothing.</footer>\n</body>\n</html>\n");
}
