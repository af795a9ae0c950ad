/* SPDX-License-Identifier: Apache-2.0 */
#include "text/question.h"

#include "base/str.h"
#include "text/heading.h"
#include "text/marks.h"

/* The words that a question is marked by, and its solution; a colon, a full stop or the end of the
 * line stands behind them, or a number and one of these. */
static const char *const questions[] = {
    "Question",
    "Problem",
    "Exercise",
    "Task",
    "Q",
    "Problem statement", /* English */
    "Aufgabe",
    "Frage",
    "Aufgabenstellung", /* German */
    "Pregunta",
    "Problema",
    "Ejercicio",
    "Enunciado", /* Spanish */
    "Pergunta",
    "Quest\xc3\xa3o",
    "Exerc\303\255cio", /* Portuguese */
    "Domanda",
    "Esercizio", /* Italian */
    "Probl\xc3\xa8me",
    "\xc3\x89nonc\xc3\xa9",
    "Exercice", /* French */
    "Vraag",
    "Opgave", /* Dutch, Danish */
    "Zadanie",
    "Pytanie",
    "\xc3\x9aloha", /* Polish, Czech */
    "Fr\xc3\xa5ga",
    "Uppgift",
    "Oppgave",
    "Tehtava",
    "Teht\xc3\xa4v\xc3\xa4",
    "Kysymys",
    "Soru",
    "Feladat",
    "Pitanje",
    "Zadatak",
    "\xd0\x92\xd0\xbe\xd0\xbf\xd1\x80\xd0\xbe\xd1\x81",
    "\xd0\x97\xd0\xb0\xd0\xb4\xd0\xb0\xd1\x87\xd0\xb0",         /* Russian */
    "\xd0\x9f\xd0\xb8\xd1\x82\xd0\xb0\xd0\xbd\xd0\xbd\xd1\x8f", /* Ukrainian */
    "\xce\x95\xcf\x81\xcf\x8e\xcf\x84\xce\xb7\xcf\x83\xce\xb7",
    "\xce\x86\xcf\x83\xce\xba\xce\xb7\xcf\x83\xce\xb7", /* Greek */
    "C\xc3\xa2u h\xe1\xbb\x8fi",
    "B\xc3\xa0i to\xc3\xa1n",
    "Soal",
    "Pertanyaan", /* Vietnamese, Indonesian */
    "\xe9\xa2\x98\xe7\x9b\xae",
    "\xe9\xa1\x8c\xe7\x9b\xae",
    "\xe9\x97\xae\xe9\xa2\x98",
    "\xe5\x95\x8f\xe9\xa1\x8c",
    "\xe9\xa2\x98", /* Chinese, Japanese */
    "\xe8\xb3\xaa\xe5\x95\x8f",
    "\xeb\xac\xb8\xec\xa0\x9c",
    "\xec\xa7\x88\xeb\xac\xb8", /* Japanese, Korean */
    "\xd8\xa7\xd9\x84\xd8\xb3\xd8\xa4\xd8\xa7\xd9\x84",
    "\xd8\xb3\xd8\xa4\xd8\xa7\xd9\x84",
    "\xd7\xa9\xd7\x90\xd7\x9c\xd7\x94", /* Arabic, Hebrew */
    "\xe0\xa4\xaa\xe0\xa5\x8d\xe0\xa4\xb0\xe0\xa4\xb6\xe0\xa5\x8d\xe0\xa4\xa8",
    "\xe0\xb8\x84\xe0\xb8\xb3\xe0\xb8\x96\xe0\xb8\xb2\xe0\xb8\xa1", /* Hindi, Thai */
};

static const char *const solutions[] = {
    "Solution",
    "Answer",
    "A",
    "Response",
    "Proof",
    "Reasoning",
    "Explanation",
    "L\xc3\xb6sung",
    "Loesung",
    "Antwort",
    "Rechnung",
    "Soluci\xc3\xb3n",
    "Respuesta",
    "Solu\xc3\xa7\xc3\xa3o",
    "Resolu\xc3\xa7\xc3\xa3o",
    "Resposta",
    "Soluzione",
    "Risposta",
    "R\xc3\xa9ponse",
    "Oplossing",
    "Antwoord",
    "Rozwi\xc4\x85zanie",
    "Odpowied\xc5\xba",
    "\xc5\x98"
    "e\xc5\xa1"
    "en\xc3\xad",
    "L\xc3\xb6sning",
    "Svar",
    "Ratkaisu",
    "Vastaus",
    "\xc3\x87\xc3\xb6z\xc3\xbcm",
    "Cevap",
    "Megold\xc3\xa1s",
    "Rje\xc5\xa1"
    "enje",
    "Re\xc5\xa1"
    "enje",
    "\xd0\xa0\xd0\xb5\xd1\x88\xd0\xb5\xd0\xbd\xd0\xb8\xd0\xb5",
    "\xd0\x9e\xd1\x82\xd0\xb2\xd0\xb5\xd1\x82",
    "\xd0\xa0\xd0\xbe\xd0\xb7\xd0\xb2'\xd1\x8f\xd0\xb7\xd0\xb0\xd0\xbd\xd0\xbd\xd1\x8f",
    "\xce\x9b\xcf\x8d\xcf\x83\xce\xb7",
    "L\xe1\xbb\x9di gi\xe1\xba\xa3i",
    "Gi\xe1\xba\xa3i",
    "Penyelesaian",
    "Jawaban",
    "\xe8\xa7\xa3\xe7\xad\x94",
    "\xe8\xa7\xa3\xe6\x9e\x90",
    "\xe8\xa7\xa3\xe6\xb3\x95",
    "\xe8\xa7\xa3",
    "\xe7\xad\x94\xe6\xa1\x88",
    "\xe7\xad\x94",
    "\xe5\x9b\x9e\xe7\xad\x94",
    "\xed\x92\x80\xec\x9d\xb4",
    "\xeb\x8b\xb5",
    "\xd8\xa7\xd9\x84\xd8\xad\xd9\x84",
    "\xd9\xbe\xd8\xa7\xd8\xb3\xd8\xae",
    "\xd7\xa4\xd7\xaa\xd7\xa8\xd7\x95\xd7\x9f",
    "\xe0\xa4\x89\xe0\xa4\xa4\xe0\xa5\x8d\xe0\xa4\xa4\xe0\xa4\xb0",
    "\xe0\xa4\xb9\xe0\xa4\xb2",
    "\xe0\xb8\xa7\xe0\xb8\xb4\xe0\xb8\x98\xe0\xb8\xb5\xe0\xb8\x97\xe0\xb8\xb3",
};

#define N_QUESTIONS (sizeof questions / sizeof *questions)
#define N_SOLUTIONS (sizeof solutions / sizeof *solutions)

const char *text_question_word(size_t i)
{
    return i < N_QUESTIONS                 ? questions[i]
           : i < N_QUESTIONS + N_SOLUTIONS ? solutions[i - N_QUESTIONS]
                                           : NULL;
}

/* The length of a mark of one of the words at the beginning of the line, with its separator, "**",
 * "#" and number; 0: there is none. */
static size_t mark_of(rdv_str line, const char *const *words, size_t n)
{
    size_t begin = rdv_skip_any(line, 0, " \t#*_>"), len, number;
    for (size_t i = 0; i < n; i++) {
        size_t at = begin;
        if (!marks_take(line, &at, words[i]))
            continue;
        at = marks_blanks(line, at);
        if (marks_number(rdv_slice(line, at, line.len), &number, &len))
            at += len;
        size_t before = at;
        at = rdv_skip_any(line, at, " \t*_");
        rdv_str rest = rdv_slice(line, at, line.len);
        bool colon = rdv_starts(rest, RDV_STR(":")) || rdv_starts(rest, RDV_STR("."));
        bool wide = rdv_starts(rest, RDV_STR("\xef\xbc\x9a"));
        if (!colon && !wide && rest.len)
            continue;
        if (!colon && !wide && before == at &&
            begin == 0) /* a bare word is no mark without "#" or "**" */
            continue;
        at += colon ? 1 : wide ? 3 : 0;
        at = rdv_skip_any(line, at, " \t*_");
        return at ? at : 1;
    }
    return 0;
}

rdv_str text_question_alone(rdv_str text)
{
    rdv_str rest = text, line = {0};
    rdv_next_line(&rest, &line);
    return rdv_trim(rdv_slice(text, mark_of(line, questions, N_QUESTIONS), text.len));
}

/* Does the line end with a question mark of any script, perhaps behind emphasis? */
static bool ends_asking(rdv_str line)
{
    static const char *const signs[] = {"?", "\xef\xbc\x9f", "\xd8\x9f", "\xcd\xbe"};
    line = rdv_trim_end(line);
    while (line.len && strchr("*_ ", line.p[line.len - 1]))
        line.len--;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (rdv_ends(line, rdv_str_of(signs[i])))
            return true;
    return false;
}

bool text_question(rdv_str text, rdv_str *question, rdv_str *solution)
{
    rdv_str rest = text, line = {0};
    size_t begin =
        mark_of(rdv_next_line(&rest, &line) ? line : (rdv_str){0}, questions, N_QUESTIONS);
    if (!begin)
        return false;
    size_t end = text.len, after = text.len;
    bool any = begin < line.len && rdv_trim(rdv_slice(line, begin, line.len)).len > 0;
    while (rdv_next_line(&rest, &line)) {
        size_t at = (size_t)(line.p - text.p), mark = mark_of(line, solutions, N_SOLUTIONS);
        rdv_heading heading;
        rdv_str premises;
        bool blank = rdv_trim(line).len == 0;
        bool headed = !blank && text_heading_parse(line, &heading, &premises) &&
                      heading.kind != RDV_HEADING_MARKDOWN;
        if (mark || (any && (blank || headed))) {
            end = at;
            after = mark ? at + mark : at;
            break;
        }
        any |= !blank;
    }
    /* A solution's mark may stand behind the empty line. */
    rdv_str left = rdv_trim(rdv_slice(text, after, text.len));
    rdv_str first = left, more = left;
    if (rdv_next_line(&more, &first)) {
        size_t mark = mark_of(first, solutions, N_SOLUTIONS);
        left = mark ? rdv_trim(rdv_slice(left, mark, left.len)) : left;
    }
    rdv_str asked = rdv_trim(rdv_slice(text, begin, end));
    if (!asked.len || !left.len)
        return false;
    *question = asked;
    *solution = left;
    return true;
}

bool text_question_first(rdv_str text, rdv_str *question, rdv_str *solution)
{
    rdv_str rest = text, line, premises, last = {0};
    rdv_heading heading;
    while (rdv_next_line(&rest, &line) && rdv_trim(line).len) {
        if (text_heading_parse(line, &heading, &premises))
            return false;
        last = line;
    }
    size_t end = last.p ? (size_t)(last.p - text.p) + last.len : 0;
    rdv_str left = rdv_trim(rdv_slice(text, end, text.len));
    if (!ends_asking(last) || !left.len)
        return false;
    *question = rdv_trim(rdv_slice(text, 0, end));
    *solution = left;
    return true;
}
