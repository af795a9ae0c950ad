/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/announcement.h"

#include "answer/span.h"
#include "base/arena.h"
#include "base/built_in.h"
#include "base/str.h"
#include "language/embedded_rules.h"
#include "language/phrase.h"
#include "text/block.h"

/* How far before an answer a title's mark is sought. */
#define TITLE_MOST 80
/* How long the first option of a list, "A: ...", may be. */
#define LIST_LINE_MAX 400
/* How far before and behind the word that it is found by a cue may reach. */
#define BEFORE_MOST 60
#define CUE_BYTES_MOST 160
/* Announcements are looked for in so many bytes at the end of a text: each word of a cue costs
 * microseconds. */
#define TEXT_MOST ((size_t)64 << 10)

/* ---- the rows -------------------------------------------------------------------------------- */

/* The effects of rows that announce an answer, or say that there is none. */
#define ANNOUNCEMENTS (1u << EFFECT_ANNOUNCED | 1u << EFFECT_NO_ANSWER)

/* The cues of a class, and how the words begin that they begin and end with. */
typedef struct class_cues {
    rule_span at;
    uint64_t firsts, lasts;
} class_cues;

/* The rows, and for each first byte and five bits of the second one the effects of the words that
 * begin so: most places of a text are passed over by one look. */
typedef struct rows {
    rule_set *set;
    class_cues pairs_of[N_ANSWER_PAIRS];
    uint32_t effects[256][32];
    /* By the first byte: a bit for each second one that a word of ANNOUNCEMENTS, or "A:" or "A*" of
     * a title, goes on with. */
    uint32_t announces[256];
} rows;

static void add_pair(rows *r, rdv_str word, uint32_t effect)
{
    unsigned char first = (unsigned char)rdv_lower(word.p[0]);
    bool whole = word.len > 1 && word.p[1] != '*';
    size_t least = whole ? word.p[1] & 31 : 0, most = whole ? least : 31;
    for (int upper = 0; upper <= rdv_is_alpha(word.p[0]); upper++, first -= 32)
        for (size_t second = least; second <= most; second++) {
            r->effects[first][second] |= effect;
            r->announces[first] |= effect & ANNOUNCEMENTS ? UINT32_C(1) << second : 0;
        }
}

#define CLASS_ROW(name, ...) __VA_ARGS__,
static phrase_list classes[] = {ANSWER_CLASSES(CLASS_ROW)};
static const char *const pair_ids[] = {"opposite", "part-of-a-result", "turned-value", "supposing"};

static void add_pair_of(rows *r, const rule *row, size_t place)
{
    for (size_t k = 0; k < N_ANSWER_PAIRS; k++)
        if (rdv_str_eq(row->id, rdv_str_of(pair_ids[k]))) {
            class_cues *c = &r->pairs_of[k];
            c->at.first = c->at.n++ ? c->at.first : place;
            const cue *pair = &r->set->cues[place].pattern;
            c->firsts |= pair->elements[0].of->begins;
            c->lasts |= pair->elements[pair->n - 1].of->begins;
        }
}

/* A fault of a file that is compiled in is found by unit/answer/announcement. */
static const void *make(rdv_arena *arena)
{
    rows *r = arena ? RDV_NEW(arena, rows) : NULL;
    rdv_str text = rules_embedded_text("answers.rules");
    if (!r || !(r->set = rule_set_new(arena)) ||
        rule_set_add(r->set, RDV_STR("answers.rules"), text, NULL) != RDV_OK)
        return NULL;
    for (size_t i = 0; i < r->set->n_anchors; i++) {
        const rule_cue *c = &r->set->cues[r->set->anchors[i].cue];
        rule_effect effect = r->set->rules[c->rule].effect;
        add_pair(r, r->set->anchors[i].word, 1u << effect);
    }
    r->announces['A'] |= UINT32_C(1) << (':' & 31) | UINT32_C(1) << ('*' & 31);
    for (size_t i = 0; i < r->set->n_cues; i++)
        add_pair_of(r, &r->set->rules[r->set->cues[i].rule], i);
    return r;
}

static const rows *built_in_rows(void)
{
    static built_in answers;
    return built_in_get(&answers, make);
}

const rule_set *announcement_rows(void)
{
    const rows *r = built_in_rows();
    return r ? r->set : NULL;
}

/* ---- cues in a text -------------------------------------------------------------------------- */

/* Where a cue stands. */
typedef struct match {
    const rule *row;
    size_t begin, end; /* bytes; a number at its end is the answer's own */
} match;

static inline bool is_inside_word(rdv_str s, size_t i)
{
    return i > 0 && rdv_is_alpha(s.p[i]) && rdv_is_alpha(s.p[i - 1]);
}

/* May a word of a cue with one of these effects begin at byte `i`? */
static inline bool may_begin(const rows *r, rdv_str s, size_t i, unsigned effects)
{
    unsigned second = (unsigned char)rdv_char_at(s, i + 1) & 31;
    return (r->effects[(unsigned char)s.p[i]][second] & effects) && !is_inside_word(s, i);
}

/* The line of the word at byte `i`, as far as a cue that is found by it reaches. */
static rdv_str line_around(rdv_str s, size_t i)
{
    size_t begin = i;
    while (begin > 0 && i - begin < BEFORE_MOST && s.p[begin - 1] != '\n')
        begin--;
    rdv_str line = rdv_slice(s, begin, i + CUE_BYTES_MOST);
    return rdv_slice(line, 0, rdv_find_char(line, '\n', i - begin));
}

/* Where the cue stands of which `word` of the text `s` is the anchor. Most are that word alone; for
 * the others, and for what may be the end of another token, "\\the", its line is cut into tokens,
 * once: `text` has none before. */
static bool stands_around(const cue *c, rdv_str s, const cue_token *word, cue_text *text,
                          cue_token *head, cue_token *tail)
{
    size_t at = 0, first, last, i = (size_t)(word->written.p - s.p);
    bool begins = text->n || i == 0 || s.p[i - 1] == ' ' || s.p[i - 1] == '\n';
    *head = *tail = *word;
    if (c->n == 1 && begins && !c->elements[0].of->excepts)
        return true;
    if (!text->n)
        cue_text_of(line_around(s, i), text);
    while (at < text->n && text->at[at].written.p != word->written.p)
        at++;
    if (at == text->n || !cue_matches_word(c, text, at, &first, &last))
        return false;
    *head = text->at[first];
    *tail = text->at[last - 1];
    return true;
}

/* How the tokens before and behind a word begin, by cue_begin(), or CUE_BESIDE_NONE. */
typedef struct beginnings {
    uint64_t before, behind;
} beginnings;

/* How the token before the one at byte `i` begins in its line: that of a word between blanks, as
 * most are; any, where it is no such word. */
static uint64_t begin_before(rdv_str s, size_t i)
{
    size_t end = i;
    while (end > 0 && s.p[end - 1] == ' ')
        end--;
    size_t begin = end, least = i > BEFORE_MOST ? i - BEFORE_MOST : 0;
    while (begin > least && rdv_is_alpha(s.p[begin - 1]))
        begin--;
    bool apart = begin == 0 || s.p[begin - 1] == ' ' || s.p[begin - 1] == '\n';
    if (!apart || begin < least || (end == i && end > 0 && s.p[end - 1] != '\n'))
        return CUE_BESIDE_ANY;
    return begin < end ? cue_begin(rdv_slice(s, begin, end)) : CUE_BESIDE_NONE;
}

/* The first row of these effects, in the order of the file, of which a cue is found by a word of
 * the text `s`. A cue does not end within a word: "is" of "isn't". */
static bool cue_at(const rule_set *set, rdv_str s, const cue_token *token, beginnings beside,
                   cue_text *text, unsigned effects, match *out)
{
    size_t best = SIZE_MAX;
    rdv_str word = token->text;
    cue_token head, tail;
    for (size_t a = set->first[rule_bucket(word)]; a;) {
        const rule_anchor *anchor = &set->anchors[a - 1];
        a = anchor->effects & effects ? anchor->next : 0;
        const rule_cue *c = &set->cues[anchor->cue];
        const cue *pattern = &c->pattern;
        if (c->rule >= best || !(anchor->effect & effects) ||
            !rule_stands_between(anchor, beside.before, beside.behind) ||
            !cue_is_word(word, anchor->word) ||
            !stands_around(pattern, s, token, text, &head, &tail))
            continue;
        bool number = pattern->elements[pattern->n - 1].kind == CUE_NUMBER;
        size_t end = (size_t)(tail.written.p - s.p) + (number ? 0 : tail.written.len);
        if (!number && rdv_is_alpha(s.p[end - 1]) && rdv_is_alpha(rdv_char_at(s, end)))
            continue;
        best = c->rule;
        *out = (match){&set->rules[best], (size_t)(head.written.p - s.p), end};
    }
    return best != SIZE_MAX;
}

/* The same for the word at byte `i`, in its line. */
static bool match_at(const rows *r, rdv_str s, size_t i, unsigned effects, match *out)
{
    size_t end = i, letters = rdv_skip_letters(s, i);
    cue_token word;
    unsigned char next = (unsigned char)rdv_char_at(s, letters);
    if (letters > i && next < 0x80 && next != '\'' &&
        !rule_has_anchor(r->set, rdv_slice(s, i, letters), effects))
        return false;
    rdv_str to = rdv_slice(s, 0, i + CUE_BYTES_MOST);
    to = rdv_slice(to, 0, rdv_find_char(to, '\n', i));
    if (!cue_next_token(to, &end, &word) || word.written.p != s.p + i)
        return false;
    beginnings beside = {begin_before(s, i), cue_begin_behind(to, end)};
    cue_text text;
    text.n = 0;
    return cue_at(r->set, s, &word, beside, &text, effects, out);
}

const rule *announcement_row_at(rdv_str s, size_t i, unsigned effects, size_t *end)
{
    const rows *r = built_in_rows();
    match found;
    if (!r || i >= s.len || !may_begin(r, s, i, effects) || !match_at(r, s, i, effects, &found))
        return NULL;
    *end = found.end;
    return found.row;
}

bool answer_class_has(answer_class is, rdv_str word)
{
    return phrase_is(word, &classes[is]);
}

bool answer_holds_class(rdv_str s, answer_class is)
{
    return phrase_in(s, &classes[is]);
}

bool answer_pair_follows(answer_pair is, rdv_str a, rdv_str b)
{
    const rows *r = built_in_rows();
    const cue_token one = {.text = a}, other = {.text = b};
    bool are = false;
    const class_cues *of = r && a.len && b.len ? &r->pairs_of[is] : NULL;
    bool may = of && (of->firsts & cue_begin(a)) && (of->lasts & cue_begin(b));
    for (size_t k = 0; may && k < of->at.n && !are; k++) {
        const cue *c = &r->set->cues[of->at.first + k].pattern;
        const cue_words *first = c->elements[0].of, *second = c->elements[c->n - 1].of;
        are = cue_is_one_of(&one, first) && cue_is_one_of(&other, second);
    }
    return are;
}

/* Does a word of the text, and one behind it, make a pair of the row? */
static bool pair_says(const rule *row, rdv_str s)
{
    bool says = false;
    size_t is = 0;
    while (is < N_ANSWER_PAIRS && !rdv_str_eq(row->id, rdv_str_of(pair_ids[is])))
        is++;
    for (size_t i = 0, end; i < s.len && is < N_ANSWER_PAIRS; i = end + 1) {
        end = rdv_skip_letters(s, i);
        for (size_t k = end + 1, stop; k < s.len && !says; k = stop + 1) {
            stop = rdv_skip_letters(s, k);
            says =
                answer_pair_follows((answer_pair)is, rdv_slice(s, i, end), rdv_slice(s, k, stop));
        }
    }
    return says;
}

bool announcement_counts(const rule *row)
{
    return row->effect == EFFECT_SCALE && !rdv_ends(row->says, RDV_STR("00"));
}

/* Does a row of this effect stand at the beginning of the text? */
static bool opens_with(const rows *r, rdv_str s, rule_effect effect)
{
    const beginnings any = {CUE_BESIDE_ANY, CUE_BESIDE_ANY};
    cue_text text;
    match found;
    cue_text_of(rdv_slice(s, 0, CUE_BYTES_MOST), &text);
    for (size_t i = 0; i < text.n && i < CUE_GAP_MOST; i++)
        if (cue_at(r->set, s, &text.at[i], any, &text, 1u << effect, &found))
            return true;
    return false;
}

/* ---- announcements --------------------------------------------------------------------------- */

/* A title "### Final answer" or "**Answer**" at byte `i`: nothing after it in its line, a mark
 * before it. Where it ends; 0: it is none. */
static size_t title_end(rdv_str s, size_t i)
{
    rdv_str word = RDV_STR("answer");
    if (!rdv_istarts(rdv_slice(s, i, s.len), word))
        return 0;
    size_t begin = i, end = i + word.len;
    end = rdv_skip_any(s, end + (rdv_lower(rdv_char_at(s, end)) == 's'), " \t*_\"'");
    if (end < s.len && s.p[end] != '\n' && s.p[end] != '\r')
        return 0;
    while (begin > 0 && i - begin < TITLE_MOST && s.p[begin - 1] != '\n')
        begin--;
    return s.p[begin] == '#' || s.p[begin] == '*' ? end : 0;
}

/* Does the line name another letter behind byte `at`: "A: red, B: blue"? */
static bool lists_letters(rdv_str line, size_t at)
{
    while ((at = rdv_find_char(line, ':', at + 1)) != RDV_NOT_FOUND)
        if (at > 1 && line.p[at - 1] >= 'B' && line.p[at - 1] <= 'Z' && line.p[at - 2] == ' ')
            return true;
    return false;
}

/* "A: 5" at the beginning of a line, unless it, or the next line, lists other letters too. */
static size_t letter_end(rdv_str s, size_t i)
{
    if (s.p[i] != 'A')
        return 0;
    size_t at = rdv_skip_any(s, i + 1, "*");
    size_t bold = i;
    while (bold > 0 && i - bold < 2 && s.p[bold - 1] == '*')
        bold--;
    bool begins = bold == 0 || s.p[bold - 1] == '\n';
    if (!begins || at >= s.len || s.p[at] != ':')
        return 0;
    size_t newline = rdv_find_char(rdv_slice(s, 0, at + LIST_LINE_MAX), '\n', at);
    if (lists_letters(rdv_slice(s, 0, newline == RDV_NOT_FOUND ? at + LIST_LINE_MAX : newline), at))
        return 0;
    size_t next = newline == RDV_NOT_FOUND ? s.len : rdv_skip_any(s, newline, " \t\r\n*");
    return next + 1 < s.len && s.p[next] == 'B' && s.p[next + 1] == ':' ? 0 : at + 1;
}

/* Does what begins at byte `i` open the text, as "Answer:" does: with nothing but marks before it?
 */
static bool opens_text(rdv_str s, size_t i)
{
    /* Backwards: the marks before one announcement are not those before another, so reading all
     * of them is linear. */
    while (i > 0 && RDV_IS_IN(s.p[i - 1], " \t\r\n*_#\"'"))
        i--;
    return i == 0;
}

rdv_str answer_without_wish(rdv_str line)
{
    rdv_str wish = RDV_STR("I hope it is correct");
    size_t at = rdv_find_last(line, wish);
    return at == RDV_NOT_FOUND || at + wish.len + 1 < line.len ? line
                                                               : rdv_trim(rdv_slice(line, 0, at));
}

bool answer_is_marks_alone(rdv_str line)
{
    for (size_t i = 0; i < line.len; i++) {
        char next = rdv_char_at(line, i + 1);
        if (line.p[i] == '\\' && (next == '[' || next == ']'))
            i++;
        else if (!line.p[i] || !strchr(" \t\r.,:;$*_", line.p[i]))
            return false;
    }
    return true;
}

/* The rest of the line at `begin`; where nothing but marks is left of it, or it ends in a colon,
 * the next, without the mark of an item or a quotation. */
static rdv_str rest_of_line(rdv_str text, size_t begin, size_t end)
{
    rdv_blocks blocks = {.text = rdv_slice(text, 0, end)};
    rdv_line line = {.text = rdv_slice(text, begin, begin)};
    size_t first = begin;
    while (text_next_block_line(&blocks, &begin, &line))
        if (!answer_is_marks_alone(line.text) && !rdv_ends(rdv_trim_end(line.text), RDV_STR(":")))
            break;
    rdv_str rest = rdv_trim(line.text);
    bool item = rdv_starts(rest, RDV_STR("- ")) || rdv_starts(rest, RDV_STR("> "));
    if (line.begin > first && item)
        rest = rdv_trim(rdv_slice(rest, 2, rest.len));
    return answer_without_wish(rest);
}

/* The value at byte `begin` of a member of JSON whose name ends with the "answer" at byte `word`: a
 * string without its quotes, or a number; p == NULL: it is none. */
static rdv_str json_value(rdv_str text, size_t word, size_t begin, size_t end)
{
    size_t name = word + 6;
    if (name >= text.len || text.p[name] != '"' || begin >= end ||
        !rdv_istarts(rdv_slice(text, word, end), RDV_STR("answer")))
        return (rdv_str){0};
    bool string = text.p[begin] == '"';
    if (!string && !rdv_is_digit(text.p[begin]) && text.p[begin] != '-')
        return (rdv_str){0};
    for (size_t i = begin + string; i < end; i++) {
        if (text.p[i] == '\\')
            i++;
        else if (string ? text.p[i] == '"' : RDV_IS_IN(text.p[i], ",}\n"))
            return rdv_trim(rdv_slice(text, begin + string, i));
    }
    return (rdv_str){0};
}

/* What is announced from byte `from` on, by the word at byte `word`. */
static void announce(const rows *r, rdv_str text, size_t word, size_t from, size_t end,
                     announcement *out)
{
    from = rdv_skip_any(rdv_slice(text, 0, end), from, " \t*_:=");
    from += from < end && text.p[from] == '>' && text.p[from - 1] == '='; /* "=>" */
    out->span = json_value(text, word, from, end);
    if (!out->span.p)
        out->span = rest_of_line(text, from, end);
    out->none = opens_with(r, out->span, EFFECT_NO_VALUE);
    if (out->none)
        out->span = answer_trim_marks(answer_first_sentence(out->span));
}

/* The sentence or line with byte `i`. */
static rdv_str sentence_at(rdv_str text, size_t i)
{
    rdv_str line = rdv_slice(text, cue_sentence_begin(text, i), rdv_find_char(text, '\n', i));
    return answer_trim_marks(answer_first_sentence(line));
}

/* The announcement, or sentence that says that there is none, whose word is at byte `i`. */
static bool stands_at(const rows *r, rdv_str text, size_t i, size_t end, announcement *out)
{
    rdv_str s = rdv_slice(text, 0, end);
    match found = {.begin = i};
    size_t from = letter_end(s, i);
    from = from ? from : title_end(s, i);
    if (!from && (is_inside_word(s, i) || !match_at(r, s, i, ANNOUNCEMENTS, &found)))
        return false;
    bool label = from || text.p[found.end - 1] == ':';
    *out = (announcement){.opens = label && opens_text(text, found.begin)};
    out->free = out->none = found.row && found.row->effect == EFFECT_NO_ANSWER;
    if (out->free)
        out->span = sentence_at(text, found.begin);
    else
        announce(r, text, i, from ? from : found.end, end, out);
    return out->free || !opens_with(r, out->span, EFFECT_NOTHING);
}

/* The last byte before byte `i`, from `least` on, at which one may stand; RDV_NOT_FOUND: there is
 * none. The "A" of a title may stand inside a word. */
static size_t place_before(const rows *r, rdv_str s, size_t i, size_t least)
{
    for (unsigned second = (unsigned char)rdv_char_at(s, i), first; i-- > least; second = first) {
        first = (unsigned char)s.p[i];
        if ((r->announces[first] >> (second & 31) & 1) && (first == 'A' || !is_inside_word(s, i)))
            return i;
    }
    return RDV_NOT_FOUND;
}

bool announcement_before(rdv_str text, size_t *before, announcement *out)
{
    const rows *r = built_in_rows();
    announcement none = {0}; /* "cannot be determined", which may be what is announced */
    size_t i = *before, end = i, least = text.len > TEXT_MOST ? text.len - TEXT_MOST : 0;
    rdv_str s = rdv_slice(text, 0, end);
    while (r && (i = place_before(r, s, i, least)) != RDV_NOT_FOUND) {
        if (!stands_at(r, text, i, end, out) || (out->free && none.free))
            continue;
        *before = i;
        if (!out->free)
            return true;
        none = *out;
        least = cue_sentence_begin(text, i);
    }
    *out = none;
    *before = none.free ? *before : 0;
    return none.free;
}

/* Does a row of that effect end in the number at bytes `begin` to `end`? */
static bool row_ends_in(rdv_str s, size_t begin, size_t end, rule_effect effect)
{
    const rows *r = built_in_rows();
    match found;
    size_t least = begin > CUE_BYTES_MOST / 4 ? begin - CUE_BYTES_MOST / 4 : 0;
    rdv_str head = rdv_slice(s, 0, end);
    for (size_t i = begin, words = 0; r && words < 4 && i-- > least && s.p[i] != '\n';) {
        if (!rdv_is_alpha(s.p[i]) || is_inside_word(s, i))
            continue;
        words++;
        if (may_begin(r, s, i, 1u << effect) && match_at(r, head, i, 1u << effect, &found) &&
            found.end >= begin)
            return true;
    }
    return false;
}

bool announcement_refers(rdv_str s, size_t begin, size_t end)
{
    return row_ends_in(s, begin, end, EFFECT_REFERENCE);
}

bool announcement_parts(rdv_str s, size_t begin, size_t end)
{
    return row_ends_in(s, begin, end, EFFECT_PARTED);
}

bool announcement_denies(rdv_str s, size_t begin, size_t end)
{
    return row_ends_in(s, begin, end, EFFECT_DENIED);
}

bool announcement_concludes(rdv_str s, size_t begin, size_t end)
{
    return row_ends_in(s, begin, end, EFFECT_CONCLUDED);
}

bool announcement_of_none(rdv_str text)
{
    const rows *r = built_in_rows();
    match found;
    if (r && opens_with(r, text, EFFECT_NO_VALUE))
        return true;
    for (size_t i = 0; r && i < text.len; i++)
        if (may_begin(r, text, i, 1u << EFFECT_NO_ANSWER) &&
            match_at(r, text, i, 1u << EFFECT_NO_ANSWER, &found))
            return true;
    return false;
}

bool announcement_row_says(const rule *row, rdv_str reply)
{
    const rows *r = built_in_rows();
    match found;
    announcement out;
    size_t before = reply.len, word = 0;
    if (row->effect == EFFECT_CLASS)
        return pair_says(row, reply);
    while (row->effect == EFFECT_NOTHING && r && word < reply.len) /* of what would be announced */
        if (may_begin(r, reply, word++, 1u << EFFECT_ANNOUNCED) &&
            match_at(r, reply, word - 1, 1u << EFFECT_ANNOUNCED, &found))
            return opens_with(r, rdv_trim(rdv_slice(reply, found.end, reply.len)), EFFECT_NOTHING);
    while (row->effect == EFFECT_NO_VALUE && announcement_before(reply, &before, &out))
        if (out.none && !out.free)
            return true;
    for (size_t i = 0; r && i < reply.len; i++)
        if (may_begin(r, reply, i, 1u << row->effect) &&
            match_at(r, reply, i, 1u << row->effect, &found) && found.row == row)
            return true;
    return false;
}
