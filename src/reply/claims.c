/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of the list of calculations that a model gives as JSON or something similar; the paper's
 * own example is not JSON. Objects are searched one after the other; between them only brackets,
 * commas, numbering and the like are allowed. */
#include "reply/reply.h"

#include "base/arena.h"
#include "base/str.h"
#include "reply/words.h"
#include "text/think.h"

#define MAX_TEXT 1000 /* bytes of each side */
#define MAX_DEPTH 16  /* of brackets */

typedef struct reader {
    rdv_str s;
    size_t at;
    rdv_arena *arena;
    reply_claim *claims;
    size_t n, cap;
    bool list; /* a bracket was read: an empty list counts as a list */
    size_t depth;
} reader;

static char peek(const reader *r)
{
    return r->at < r->s.len ? r->s.p[r->at] : '\0';
}

static void skip_blanks(reader *r)
{
    while (r->at < r->s.len && rdv_is_space(r->s.p[r->at]))
        r->at++;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Gives the character after a backslash in *to; 0: the backslash belongs to LaTeX and is kept. */
static char escaped(rdv_str s, size_t at)
{
    char c = at < s.len ? s.p[at] : '\0';
    bool word = at + 1 < s.len && rdv_is_alpha(s.p[at + 1]); /* \times does not begin with a tab */
    if (words_is_any(c, "\"'\\/"))
        return c;
    return words_is_any(c, "ntr") && !word ? ' ' : '\0';
}

/* Reads a text in quotes of either kind and unescapes it. RDV_NONE: it has no end, or is too
 * long. */
static int read_quoted(reader *r, rdv_str *out)
{
    char quote = r->s.p[r->at++];
    size_t rest = r->s.len - r->at, len = 0;
    char *to = rdv_alloc(r->arena, rest < MAX_TEXT ? rest + 1 : MAX_TEXT);
    if (!to)
        return RDV_E_NOMEM;
    while (r->at < r->s.len && r->s.p[r->at] != quote) {
        char c = r->s.p[r->at++];
        char said = c == '\\' ? escaped(r->s, r->at) : '\0';
        if (c == '\n' || len == MAX_TEXT)
            return RDV_NONE;
        r->at += said != '\0';
        to[len++] = said ? said : c;
    }
    if (r->at == r->s.len)
        return RDV_NONE;
    r->at++;
    *out = (rdv_str){to, len};
    return RDV_OK;
}

/* Reads a value without quotes: a number, or a text that a model left unquoted. */
static int read_bare(reader *r, rdv_str *out)
{
    size_t begin = r->at;
    while (r->at < r->s.len && !words_is_any(r->s.p[r->at], ",}]\n"))
        r->at++;
    *out = rdv_trim(rdv_slice(r->s, begin, r->at));
    return out->len && out->len <= MAX_TEXT ? RDV_OK : RDV_NONE;
}

static int read_text(reader *r, rdv_str *out)
{
    skip_blanks(r);
    return peek(r) == '"' || peek(r) == '\'' ? read_quoted(r, out) : read_bare(r, out);
}

/* ---- objects --------------------------------------------------------------------------------- */

static int keep(reader *r, const reply_claim *claim)
{
    bool whole = claim->lhs.p && claim->op.p && claim->rhs.p;
    if (!whole)
        return RDV_NONE;
    if (r->n == REPLY_CLAIMS_MAX)
        return RDV_OK;
    if (!RDV_PUSH_ROOM(r->arena, r->claims, r->n, r->cap))
        return RDV_E_NOMEM;
    r->claims[r->n++] = *claim;
    return RDV_OK;
}

static void put(reply_claim *claim, rdv_str name, rdv_str value)
{
    rdv_str *member = rdv_str_ieq(name, RDV_STR("lhs"))        ? &claim->lhs
                      : rdv_str_ieq(name, RDV_STR("op"))       ? &claim->op
                      : rdv_str_ieq(name, RDV_STR("operator")) ? &claim->op
                      : rdv_str_ieq(name, RDV_STR("rhs"))      ? &claim->rhs
                                                               : NULL;
    if (member)
        *member = value;
}

/* Reads the members after an opening brace. A member that is a list or an object is only a wrapper:
 * RDV_OK, with the reader placed before it. */
static int read_members(reader *r)
{
    reply_claim claim = {0};
    size_t n = 0;
    for (;;) {
        rdv_str name, value;
        skip_blanks(r);
        while (peek(r) == ',') {
            r->at++;
            skip_blanks(r);
        }
        if (peek(r) == '}') {
            r->at++;
            r->depth--;
            return n ? keep(r, &claim) : RDV_OK;
        }
        if (peek(r) != '"' && peek(r) != '\'')
            return RDV_NONE;
        int rc = read_quoted(r, &name);
        skip_blanks(r);
        if (rc != RDV_OK || peek(r) != ':')
            return rc < 0 ? rc : RDV_NONE;
        r->at++;
        skip_blanks(r);
        if (peek(r) == '[' || peek(r) == '{')
            return n ? RDV_NONE : RDV_OK;
        rc = read_text(r, &value);
        if (rc != RDV_OK)
            return rc;
        put(&claim, name, value);
        n++;
    }
}

/* Skips "1." and "2)" before an object, and bullets. */
static bool skip_numbering(reader *r)
{
    size_t at = rdv_skip_digits(r->s, r->at);
    if (at == r->at)
        return false;
    if (at < r->s.len && words_is_any(r->s.p[at], ".):"))
        at++;
    r->at = at;
    return true;
}

static bool wraps(const reader *r)
{
    size_t at = r->at + 1;
    while (at < r->s.len && rdv_is_space(r->s.p[at]))
        at++;
    return at < r->s.len && words_is_any(r->s.p[at], "[{");
}

/* Reads one part of the list. RDV_NONE: the text is not part of a list. */
static int read_item(reader *r)
{
    char c = peek(r);
    if (c == '[' || c == '{') {
        r->list = true;
        bool wrapper = c == '[' || wraps(r);
        if (++r->depth > MAX_DEPTH)
            return RDV_NONE;
        r->at++;
        return wrapper ? RDV_OK : read_members(r);
    }
    if (c == ']' || c == '}') {
        r->at++;
        if (r->depth)
            r->depth--;
        return RDV_OK;
    }
    if (words_is_any(c, ",;*-")) {
        r->at++;
        return RDV_OK;
    }
    return skip_numbering(r) ? RDV_OK : RDV_NONE;
}

/* Reads a list. Any text may follow it; inside it no other text is allowed. */
static int read_list(reader *r)
{
    for (skip_blanks(r); r->at < r->s.len; skip_blanks(r)) {
        int rc = read_item(r);
        if (rc == RDV_NONE && r->list && r->depth == 0)
            return RDV_OK;
        if (rc != RDV_OK)
            return rc;
    }
    return r->list ? RDV_OK : RDV_NONE;
}

/* ---- finding the list ------------------------------------------------------------------------ */

/* The content of the first code block, or the text before the first fence if the prompt opened the
 * block; *fenced tells whether there is one. */
static rdv_str block_of(rdv_str reply, bool *fenced)
{
    static const rdv_str fence = {"```", 3};
    size_t open = rdv_find(reply, fence, 0);
    *fenced = open != RDV_NOT_FOUND;
    if (!*fenced)
        return reply;
    rdv_str before = rdv_slice(reply, 0, open);
    if (!rdv_trim(before).len || rdv_find_char(before, '{', 0) == RDV_NOT_FOUND) {
        bool opens = open > 0 && rdv_find_char(before, '[', 0) == RDV_NOT_FOUND;
        rdv_str rest = rdv_slice(reply, open + 3, reply.len);
        size_t close = rdv_find(rest, fence, 0);
        rdv_str inside = rdv_slice(rest, 0, close);
        bool json = rdv_istarts(inside, RDV_STR("json"));
        *fenced = !json || close != RDV_NOT_FOUND; /* an unclosed block lists nothing yet */
        if (json || close != RDV_NOT_FOUND || opens)
            return rdv_slice(inside, json ? 4 : 0, inside.len);
    }
    return before;
}

/* True for "There are no calculations." and "None". */
static bool says_none(rdv_str reply)
{
    static const char *const none[] = {"none", "nothing", "null"};
    static const char *const about[] = {"calculation", "calculations", "mathematical"};
    rdv_str word;
    size_t at = 0;
    bool denied = false, first = true;
    for (; words_next(reply, &at, &word, NULL); first = false) {
        if (first && WORDS_IS_ONE_OF(word, none))
            return true;
        denied |= words_is_not(word);
        if (denied && WORDS_IS_ONE_OF(word, about))
            return true;
    }
    return false;
}

/* The offset of the first bracket; a reply may have text before its list. */
static size_t first_bracket(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (words_is_any(s.p[i], "[{"))
            return i;
    return s.len;
}

int reply_claims(rdv_str reply, rdv_arena *arena, reply_claim **claims, size_t *n)
{
    bool fenced;
    reply = rdv_slice(think_spoken(reply), 0, WORDS_LIST_BYTES);
    rdv_str block = block_of(reply, &fenced);
    reader r = {.s = block, .at = first_bracket(block), .arena = arena};
    bool empty = r.at == block.len && ((fenced && !rdv_trim(block).len) || says_none(reply));
    int rc = empty ? RDV_OK : read_list(&r);
    if (rc != RDV_OK)
        return rc;
    *claims = r.claims;
    *n = r.n;
    return RDV_OK;
}
