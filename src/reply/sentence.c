/* SPDX-License-Identifier: Apache-2.0 */
#include "reply/sentence.h"

#include "base/str.h"
#include "language/assertion.h"
#include "language/number_words.h"
#include "language/rule.h"
#include "reply/words.h"

#define CUES_MOST 64
#define STEPS_MOST 16 /* numbers of a sentence that may be meant */

typedef struct tokens {
    cue_text text;
    token_set faults, turns, reports, supposes, mild; /* by the phrases and cues that stand there */
} tokens;

/* A sentence that is held against the grammar. */
typedef struct match {
    const reply_grammar *g;
    const tokens *t;
    unsigned reader;
    size_t step; /* the token that "<step>" is; n: any number; n + 1: none */
    bool is_listed[GRAMMAR_LISTS_MOST], is_tried[GRAMMAR_PHRASES_MOST];
    token_set listed[GRAMMAR_LISTS_MOST];                           /* the words of a list */
    token_set from[GRAMMAR_PHRASES_MOST], to[GRAMMAR_PHRASES_MOST]; /* what was tried last */
} match;

static token_set bit(size_t i)
{
    return (token_set)1 << i;
}

/* Tokens `begin` to `end`. */
static token_set range(size_t begin, size_t end)
{
    return bit(end) - bit(begin);
}

/* ---- elements -------------------------------------------------------------------------------- */

/* The place behind each run of the tokens that begins at one of the places. */
static token_set runs(token_set from, token_set held, size_t n)
{
    token_set to = 0;
    for (size_t i = 0; i < n; i++)
        if (((from | to) & bit(i)) && (held & bit(i)))
            to |= bit(i + 1);
    return to;
}

static token_set words_of(match *m, size_t list)
{
    const cue_text *text = &m->t->text;
    if (m->is_listed[list])
        return m->listed[list];
    token_set is = 0;
    for (size_t i = 0; i < text->n; i++)
        is |= cue_is_one_of(&text->at[i], &m->g->lists[list]) ? bit(i) : 0;
    m->is_listed[list] = true;
    return m->listed[list] = is;
}

static size_t number_of(rdv_str word)
{
    unsigned named = 0;
    size_t value = 0;
    if ((number_word(word, &named) && named) || ordinal_word(word, &named))
        return named;
    for (size_t i = 0; i < word.len; i++)
        if (!rdv_is_digit(word.p[i]) || word.len > 6)
            return RDV_NOT_FOUND;
        else
            value = value * 10 + (size_t)(word.p[i] - '0');
    return word.len ? value : RDV_NOT_FOUND;
}

/* "Two", "twelve"; "one" is a pronoun too. */
static bool counts(rdv_str word)
{
    unsigned value;
    return number_word(word, &value) && value > 1;
}

static token_set numbers(const match *m, bool steps)
{
    const cue_text *text = &m->t->text;
    token_set is = 0;
    for (size_t i = 0; i < text->n; i++) {
        bool number = steps ? number_of(text->at[i].text) != RDV_NOT_FOUND
                            : text->at[i].number || counts(text->at[i].text);
        is |= number ? bit(i) : 0;
    }
    return !steps || m->step == text->n ? is : m->step < text->n ? is & bit(m->step) : 0;
}

/* The numbers that do not stand before in the sentence. */
static token_set new_numbers(const match *m)
{
    const cue_text *text = &m->t->text;
    token_set is = numbers(m, false);
    for (size_t i = 0; i < text->n; i++)
        for (size_t j = 0; j < i && (is & bit(i)); j++)
            is &= rdv_str_eq(text->at[j].text, text->at[i].text) ? ~bit(i) : is;
    return is;
}

/* The sign that box.c puts in the place of a box. */
static token_set boxes(const match *m)
{
    const cue_text *text = &m->t->text;
    token_set is = 0;
    for (size_t i = 0; i < text->n; i++)
        is |= rdv_str_eq(text->at[i].text, RDV_STR(SENTENCE_BOX)) ? bit(i) : 0;
    return is;
}

/* The tokens that turn nothing. */
static token_set neutral(const match *m)
{
    return range(0, m->t->text.n) & ~(m->t->supposes | m->t->reports | m->t->turns | m->t->faults);
}

static token_set phrase_on(match *m, size_t phrase, token_set from);

/* The places behind the element where it stands at one of the places. */
static token_set element_on(match *m, const grammar_element *e, token_set from)
{
    size_t n = m->t->text.n;
    token_set all = range(0, n);
    switch (e->kind) {
    case ELEMENT_WORDS:
        return (from & words_of(m, e->of)) << 1;
    case ELEMENT_OTHER:
        return (from & (neutral(m) | m->t->mild) & ~words_of(m, e->of)) << 1;
    case ELEMENT_PLAIN:
        return (from & neutral(m) & words_of(m, e->of)) << 1;
    case ELEMENT_PHRASE:
        return phrase_on(m, e->of, from);
    case ELEMENT_NUMBER:
        return (from & numbers(m, false)) << 1;
    case ELEMENT_NEW:
        return (from & new_numbers(m)) << 1;
    case ELEMENT_STEP:
        return (from & numbers(m, true)) << 1;
    case ELEMENT_BOX:
        return (from & boxes(m)) << 1;
    case ELEMENT_TEXT:
        return runs(from, neutral(m), n);
    case ELEMENT_WHY:
        return runs(from, all & ~(m->t->supposes | m->t->turns | m->t->reports), n);
    case ELEMENT_TOLD:
        return runs(from, neutral(m) | m->t->mild, n);
    case ELEMENT_ANY:
        return runs(from, all & ~(m->t->supposes | m->t->reports), n);
    case ELEMENT_REST:
        return runs(from, all & ~m->t->supposes, n);
    case ELEMENT_ALL:
        return runs(from, all, n);
    }
    return 0;
}

static token_set way_on(match *m, const grammar_way *way, token_set from)
{
    for (size_t i = 0; i < way->n && from; i++) {
        token_set to = element_on(m, &way->elements[i], from);
        from = way->elements[i].optional ? from | to : to;
    }
    return from;
}

/* Most sentences of the grammar begin with the same phrases: what was tried last is kept. */
static token_set phrase_on(match *m, size_t phrase, token_set from)
{
    const grammar_phrase *p = &m->g->phrases[phrase];
    token_set to = 0;
    if (m->is_tried[phrase] && m->from[phrase] == from)
        return m->to[phrase];
    for (size_t i = 0; i < p->n; i++)
        to |= way_on(m, &p->ways[i], from);
    m->is_tried[phrase] = true;
    m->from[phrase] = from;
    return m->to[phrase] = to;
}

/* ---- tokens that turn ------------------------------------------------------------------------ */

/* A phrase may be one of some readers alone. */
static bool is_meant(const match *m, const grammar_row *row, grammar_says says)
{
    return row->says == says && (!row->read_by || row->read_by & m->reader);
}

/* The longest of the phrases that say this are marked, wherever they stand. */
static token_set mark(match *m, grammar_says says)
{
    size_t n = m->t->text.n;
    token_set marked = 0;
    for (size_t r = 0; r < m->g->n; r++)
        for (size_t i = 0; is_meant(m, &m->g->rows[r], says) && i < n; i++) {
            token_set to = phrase_on(m, m->g->rows[r].phrase, bit(i));
            size_t end = n;
            while (end > i && !(to & bit(end)))
                end--;
            marked |= range(i, end);
        }
    return marked;
}

/* Does the cue stand at the beginning, where it takes back the sentence before? "This is wrong
 * because" tells more of what was said there. */
static bool takes_back(const cue_text *text, const assertion_cue *c)
{
    static const char *const reasons[] = {"because", "since", "as"};
    bool begins = c->rule->effect == EFFECT_RETRACTED;
    for (size_t i = 0; i < c->begin && begins && c->rule->gap; i++)
        begins = cue_is_one_of(&text->at[i], c->rule->gap);
    return begins && !(c->end < text->n && rdv_is_one_of(text->at[c->end].text, reasons, 3));
}

/* A letter of Cyrillic, Hebrew, Arabic, an Indian or an East Asian script: nobody reads it here. */
static bool is_foreign(rdv_str token)
{
    unsigned char first = (unsigned char)rdv_char_at(token, 0);
    unsigned char second = (unsigned char)rdv_char_at(token, 1);
    return (first >= 0xd0 && first <= 0xe1) || (first == 0xe3 && second > 0x80) ||
           (first >= 0xe4 && first <= 0xed);
}

/* The cues of context.rules, and the phrases of the grammar. */
static void find_turns(match *m, tokens *t, sentence *out)
{
    assertion_cue cues[CUES_MOST];
    size_t n =
        assertion_cues(&t->text, rule_effects(EFFECT_DENIED, EFFECT_REFUTED), cues, CUES_MOST);
    token_set harmless = mark(m, SAYS_HARMLESS), supposes = mark(m, SAYS_CONDITION);
    token_set faults = mark(m, SAYS_FAULT);
    for (size_t i = 0; i < n; i++) {
        token_set at = range(cues[i].begin, cues[i].end) & ~harmless;
        rule_effect effect = cues[i].rule->effect;
        faults |= at;
        supposes |= effect == EFFECT_SUPPOSED || effect == EFFECT_ASKED ? at : 0;
        out->retracts |= at && takes_back(&t->text, &cues[i]);
    }
    t->supposes = supposes & ~harmless;
    t->reports = mark(m, SAYS_REPORT) & ~harmless;
    token_set differs = mark(m, SAYS_DIFFERS) & ~harmless;
    out->differs = differs;
    t->turns = (mark(m, SAYS_TURN) & ~harmless) | differs;
    t->mild = mark(m, SAYS_MILD) & ~differs;
    for (size_t i = 0; i < t->text.n; i++)
        t->turns |= is_foreign(t->text.at[i].text) ? bit(i) : 0;
    t->faults = faults & ~harmless;
    out->agrees = mark(m, SAYS_AGREES) & ~t->turns;
}

/* ---- what it says ---------------------------------------------------------------------------- */

/* Which of two rows that describe the sentence counts: "Yes, it is right" says more than "Yes". */
static int rank(const grammar_row *row)
{
    static const int ranks[N_GRAMMAR_SAYS] = {
        [SAYS_UNCLEAR] = 9,     [SAYS_LOCATES] = 8, [SAYS_CONTRADICT] = 7, [SAYS_SUPPORT] = 6,
        [SAYS_UNRELATED] = 6,   [SAYS_YES] = 5,     [SAYS_NO] = 5,         [SAYS_NUMBER] = 5,
        [SAYS_NOT_AGAINST] = 5, [SAYS_CLEARS] = 4,  [SAYS_PRAISES] = 4,    [SAYS_REMARK] = 3,
        [SAYS_FACT] = 3,        [SAYS_LABEL] = 3,   [SAYS_SUPPOSES] = 3,   [SAYS_ASKS_RIGHT] = 3,
        [SAYS_ASKS_WRONG] = 3,  [SAYS_TELLS] = 2};
    return row ? ranks[row->says] : 0;
}

/* The row that describes the sentence as a whole; NULL: none, or one for the step and one against
 * it. */
static const grammar_row *describe(match *m, unsigned reader)
{
    const grammar_row *found = NULL, *support = NULL;
    for (size_t i = 0; i < m->g->n; i++) {
        const grammar_row *row = &m->g->rows[i];
        if (!(row->read_by & reader) || rank(row) <= rank(found) ||
            !(phrase_on(m, row->phrase, bit(0)) & bit(m->t->text.n)))
            continue;
        support = row->says == SAYS_SUPPORT ? row : support;
        found = row;
    }
    return support && found != support ? NULL : found;
}

static bool describes(match *m, const grammar_row *row)
{
    memset(m->is_tried, 0, sizeof m->is_tried);
    return phrase_on(m, row->phrase, bit(0)) & bit(m->t->text.n);
}

/* The number at "<step>", if the row describes the sentence with one number there and no other. */
static void find_step(match *m, sentence *out)
{
    const cue_text *text = &m->t->text;
    size_t tried = 0;
    bool several = false;
    m->step = text->n + 1;
    if (describes(m, out->row))
        return; /* it holds no step */
    for (size_t i = 0; i < text->n && tried < STEPS_MOST; i++) {
        size_t value = number_of(text->at[i].text);
        m->step = i;
        if (value == RDV_NOT_FOUND)
            continue;
        tried++;
        if (!describes(m, out->row))
            continue;
        several |= out->numbered && out->step != value;
        out->step = value;
        out->numbered = true;
    }
    out->numbered = out->numbered && !several;
    m->step = text->n;
}

/* The signs for "right". */
static bool is_tick(rdv_str token)
{
    static const char *const ticks[] = {"\xe2\x9c\x93", "\xe2\x9c\x94", "\xe2\x9c\x85"};
    return rdv_is_one_of(token, ticks, sizeof ticks / sizeof *ticks);
}

/* A picture that decorates, and says nothing against the step as "\xe2\x9d\x8c" does; also the sign
 * behind a picture that asks for it in colour. */
static bool is_cheer(rdv_str token)
{
    static const char *const objections[] = {
        "\xf0\x9f\x91\x8e", "\xf0\x9f\x9a\xab", "\xf0\x9f\x9b\x91", "\xf0\x9f\xa4\x94",
        "\xf0\x9f\xa4\xb7", "\xf0\x9f\xa4\xa8", "\xf0\x9f\x98\x95", "\xf0\x9f\x98\x9f",
        "\xf0\x9f\x98\xac", "\xf0\x9f\x98\x85", "\xf0\x9f\x98\x9e", "\xf0\x9f\x98\xa2",
        "\xf0\x9f\x98\x90", "\xf0\x9f\x99\x81", "\xf0\x9f\x99\x83", "\xf0\x9f\x99\x84",
        "\xf0\x9f\x98\x92", "\xf0\x9f\x94\xb4", "\xf0\x9f\x9f\xa1", "\xf0\x9f\x92\x94",
        "\xf0\x9f\x98\xb1", "\xf0\x9f\xa4\xa6", "\xf0\x9f\x98\x9c", "\xf0\x9f\x98\x89",
        "\xf0\x9f\xa4\xa1", "\xf0\x9f\x98\x82", "\xf0\x9f\xa4\xa3", "\xf0\x9f\x98\x8f"};
    static const char *const stars[] = {"\xe2\xad\x90", "\xe2\x9c\xa8", "\xef\xb8\x8f"};
    bool picture = token.len == 4 && rdv_starts(token, RDV_STR("\xf0\x9f"));
    return is_tick(token) || rdv_is_one_of(token, stars, sizeof stars / sizeof *stars) ||
           (picture && !rdv_is_one_of(token, objections, sizeof objections / sizeof *objections));
}

static bool is_mark(rdv_str token)
{
    static const char *const marks[] = {".", "!", ";", "|"};
    return rdv_is_one_of(token, marks, sizeof marks / sizeof *marks) || is_cheer(token);
}

static bool is_bullet(rdv_str token)
{
    static const char *const marks[] = {"-",
                                        "#",
                                        "\xe2\x80\xa2",
                                        "\xe2\x80\x93",
                                        "|",
                                        "\xe2\x9c\x85",
                                        "+",
                                        "=",
                                        ">",
                                        ".",
                                        "\xe2\x80\xa6",
                                        "\xe2\x87\x92",
                                        "\xe2\x86\x92",
                                        "\xe2\x9e\xa1"};
    return is_cheer(token) || rdv_is_one_of(token, marks, sizeof marks / sizeof *marks);
}

/* "\\boxed{\\text{Yes}}": how a word is set. */
static bool is_layout(rdv_str token)
{
    static const char *const commands[] = {"\\boxed",  "\\fbox",   "\\text",   "\\textbf",
                                           "\\textit", "\\mathbf", "\\mathrm", "\\textrm",
                                           "\\quad",   "\\bf"};
    return rdv_is_one_of(token, commands, sizeof commands / sizeof *commands);
}

/* Does a phrase stand at the end that no whole sentence ends in? */
static bool breaks_off(match *m)
{
    size_t n = m->t->text.n;
    token_set from = range(0, n);
    for (size_t r = 0; r < m->g->n; r++)
        if (m->g->rows[r].says == SAYS_CUT_OFF &&
            (phrase_on(m, m->g->rows[r].phrase, from) & bit(n)))
            return true;
    return false;
}

/* A bracket before a number, which cue_next_token() passes over. */
static bool opens_aside(rdv_str s, rdv_str token)
{
    return token.p > s.p && rdv_is_digit(token.p[0]) && token.p[-1] == '(';
}

/* Is it named, and not said: 'My answer is "correct"', "my answer is Correct"? */
static bool is_named(rdv_str s, rdv_str token)
{
    return (token.p[0] >= 'A' && token.p[0] <= 'Z') ||
           (token.p > s.p && words_is_any(token.p[-1], "\"'*_`{\x9c"));
}

/* "My answer is correct" is about that answer, and "My answer is: correct" gives it: a colon
 * before the word that is named. */
static void introduce(rdv_str s, cue_text *text)
{
    bool mine = false;
    for (size_t i = 0; i + 1 < text->n && text->n < SENTENCE_TOKENS_MOST; i++) {
        mine |= words_in(text->at[i].text, "my our");
        if (!mine || !words_in(text->at[i].text, "is") || !is_named(s, text->at[i + 1].text))
            continue;
        memmove(text->at + i + 2, text->at + i + 1, (text->n - i - 1) * sizeof *text->at);
        text->at[i + 1] = (cue_token){.text = RDV_STR(":"), .ends_clause = true};
        text->n++;
        return;
    }
}

/* "Verdict: \xe2\x9c\x85 Correct" */
static void drop_pictures(cue_text *text)
{
    size_t kept = 0;
    for (size_t i = 0; i < text->n; i++)
        if (!is_cheer(text->at[i].text))
            text->at[kept++] = text->at[i];
    text->n = kept;
}

/* Small models spell as people do: what a word means, it means in this spelling too. */
static void mend_spelling(cue_text *text)
{
    static const char *const spelt[][2] = {{"becuase", "because"},
                                           {"becasue", "because"},
                                           {"beacuse", "because"},
                                           {"becouse", "because"},
                                           {"becaus", "because"},
                                           {"cuz", "because"},
                                           {"relevent", "relevant"},
                                           {"relavant", "relevant"},
                                           {"irrelevent", "irrelevant"},
                                           {"irrelavant", "irrelevant"},
                                           {"corect", "correct"},
                                           {"incorect", "incorrect"},
                                           {"rong", "wrong"},
                                           {"consistant", "consistent"},
                                           {"inconsistant", "inconsistent"},
                                           {"incosistent", "inconsistent"},
                                           {"contridict", "contradict"},
                                           {"contridicts", "contradicts"},
                                           {"contridicting", "contradicting"},
                                           {"wich", "which"},
                                           {"definately", "definitely"}};
    for (size_t i = 0; i < text->n; i++)
        for (size_t k = 0; k < sizeof spelt / sizeof *spelt; k++)
            if (rdv_str_ieq(text->at[i].text, rdv_str_of(spelt[k][0])))
                text->at[i].text = rdv_str_of(spelt[k][1]);
}

/* Cut it into tokens, without bullets before it and marks behind it. False: they are too many. */
static bool cut(rdv_str s, cue_text *text, sentence *out)
{
    text->n = 0;
    for (size_t at = 0;
         text->n < SENTENCE_TOKENS_MOST && cue_next_token(s, &at, &text->at[text->n]);) {
        rdv_str token = text->at[text->n].text;
        bool bullet = text->n == 0 && is_bullet(token) && !rdv_is_digit(rdv_char_at(s, at));
        if (text->n && text->n + 1 < SENTENCE_TOKENS_MOST && opens_aside(s, token)) {
            text->at[text->n + 1] = text->at[text->n];
            text->at[text->n++] = (cue_token){
                .text = rdv_slice(s, (size_t)(token.p - s.p) - 1, (size_t)(token.p - s.p))};
        }
        text->n += !is_layout(token) && !bullet;
    }
    bool fits = text->n < SENTENCE_TOKENS_MOST;
    introduce(s, text);
    bool closed = false; /* a semicolon behind it */
    for (; text->n && is_mark(text->at[text->n - 1].text); text->n--) {
        closed |= rdv_str_eq(text->at[text->n - 1].text, RDV_STR(";"));
        out->ticked |= is_tick(text->at[text->n - 1].text);
        out->ended = true;
    }
    drop_pictures(text);
    rdv_str last = text->n ? text->at[text->n - 1].text : RDV_STR("");
    out->asked = rdv_str_eq(last, RDV_STR("?")) || rdv_str_eq(last, RDV_STR("\xef\xbc\x9f"));
    out->introduces = rdv_str_eq(last, RDV_STR(":")) && !closed && !out->ticked;
    mend_spelling(text);
    text->claim = text->end = text->next = text->n;
    return fits;
}

void sentence_read(rdv_str s, grammar_reader reader, sentence *out)
{
    tokens t;
    match m;
    *out = (sentence){.text = s};
    m.g = grammar_built_in();
    bool fits = cut(s, &t.text, out);
    if (fits && !t.text.n)
        out->says = SAYS_REMARK; /* a tick or a line alone */
    if (!fits || !t.text.n || !m.g)
        return;
    m.t = &t;
    m.reader = reader;
    m.step = t.text.n;
    memset(m.is_listed, 0, sizeof m.is_listed);
    memset(m.is_tried, 0, sizeof m.is_tried);
    t.faults = t.turns = t.reports = t.supposes = t.mild = 0;
    find_turns(&m, &t, out);
    out->cut_off = out->introduces || (!out->ended && breaks_off(&m));
    out->neutral = !(t.faults | t.turns | t.reports | t.supposes);
    memset(m.is_tried, 0, sizeof m.is_tried); /* what "..." holds is known now */
    out->row = describe(&m, reader);
    if (!out->row)
        return;
    out->says = out->row->says == SAYS_FACT ? SAYS_REMARK : out->row->says;
    if (out->ticked && out->says == SAYS_CONTRADICT)
        out->says = SAYS_CLEARS; /* "Thought 1", with a tick */
    find_step(&m, out);
}

bool sentences_differ(const rdv_str *sentences, size_t n, grammar_reader reader)
{
    bool differ = false, before = false;
    for (size_t i = 0; i < n; i++) {
        const char *from = sentences[i ? i - 1 : 0].p;
        rdv_str both = {from, (size_t)(sentences[i].p - from) + sentences[i].len};
        sentence s, pair;
        sentence_read(sentences[i], reader, &s);
        sentence_read(both, reader, &pair);
        bool now = s.differs || (pair.differs && !before);
        differ = (differ || now) && !s.agrees;
        before = s.differs;
    }
    return differ;
}
