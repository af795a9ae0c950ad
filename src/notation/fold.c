/* SPDX-License-Identifier: Apache-2.0 */
#include "notation/fold.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "notation/fold_chinese.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define FULL_WIDTH_FIRST 0xff01 /* "!" */
#define FULL_WIDTH_LAST 0xff5e  /* "~" */
#define FULL_WIDTH_COMMA 0xff0c
#define FULL_WIDTH_SHIFT 0xfee0 /* from ASCII */
#define LEAST_LEAD 0xe3         /* of what is folded, in UTF-8 */

/* The longer of two that begin alike comes first. No replacement is longer than the word. */
static const struct {
    const char *word, *replacement;
} words[] = {
    {"不等于", " != "},
    {"等于", " = "},
    {"加上", " + "},
    {"减去", " - "},
    {"乘以", " * "},
    {"除以", " / "},
    {"加", " + "},
    {"减", " - "},
    {"乘", " * "},
    {"不是", " not "},
    {"并非", " not "},
    {"不", " no"},
    {"假设", " if "},
    {"如果", " if "},
    {"若", "if "},
    {"大约", "about"},
    {"所以", " so "},
    {"因此", " so "},
    {"那么", " so "},
    {"则", "so "},
    {"故", "so "},
    {"即", "so "},
    {"答案是", " so "},
    {"答案", " so "},
    {"答", "so "},
    {"步骤", " step "},
    {"总共", " so "},
    {"一共", " so "},
    {"得到", " so "},
    {"计算", " so "},
    {"我们有", " so "},
    {"没有", " not "},
    {"有", "so "},
    {"共", "so "},
    {"得", "so "},
    /* what is done with an amount: the calculation behind it is whole */
    {"花了", " so "},
    {"花费", " so "},
    {"付了", " so "},
    {"支付", " so "},
    {"用了", " so "},
    {"应找回", " so "},
    {"找回", " so "},
    {"找零", " so "},
    {"还剩", " so "},
    {"剩下", " so "},
    {"剩余", " so "},
    {"需要", " so "},
    {"。", ". "},
    {"、", ", "},
    {"：", ": "},
    {"元", "yen"},
};

/* The word at byte `i`, or COUNT(words). */
static size_t word_at(rdv_str text, size_t i)
{
    rdv_str rest = rdv_slice(text, i, text.len);
    size_t k = 0;
    while (k < COUNT(words) && !rdv_starts(rest, rdv_str_of(words[k].word)))
        k++;
    return k;
}

static uint64_t eight_bytes(const char *p)
{
    uint64_t eight;
    memcpy(&eight, p, sizeof eight);
    return eight;
}

/* The last eight bytes may overlap those before them. */
static bool is_ascii(rdv_str text)
{
    uint64_t bits = 0;
    size_t i = 0;
    for (; text.len - i >= 8; i += 8)
        bits |= eight_bytes(text.p + i);
    if (text.len >= 8)
        bits |= eight_bytes(text.p + text.len - 8);
    else
        for (; i < text.len; i++)
            bits |= (unsigned char)text.p[i];
    return !(bits & UINT64_C(0x8080808080808080));
}

bool fold_is_needed(rdv_str text)
{
    if (is_ascii(text)) /* most are */
        return false;
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.p[i] >= LEAST_LEAD && (unsigned char)text.p[i] <= 0xef)
            return true;
    return false;
}

/* Does the comma at byte `i` stand between digits, the last of `n` bytes and the next character? */
static bool divides_digits(rdv_str text, size_t i, const char *to, size_t n)
{
    size_t len;
    uint32_t next = i + 3 < text.len ? rdv_utf8_at(text, i + 3, &len) : 0;
    return n > 0 && rdv_is_digit(to[n - 1]) && next >= FULL_WIDTH_FIRST + '0' - '!' &&
           next <= FULL_WIDTH_FIRST + '9' - '!';
}

/* Append `what`, which stands for the original from byte `at`. */
static void add(char *to, size_t *origin, size_t *n, rdv_str what, size_t at)
{
    for (size_t i = 0; i < what.len; i++) {
        origin[*n] = at;
        to[(*n)++] = what.p[i];
    }
}

int fold_text(rdv_str text, rdv_arena *arena, folded *out)
{
    *out = (folded){.text = text};
    if (!fold_is_needed(text))
        return RDV_OK;
    const size_t room = CHINESE_GROWTH * text.len + 1;
    char *to = rdv_alloc(arena, room);
    size_t *origin = RDV_NEW_ARRAY(arena, size_t, room), n = 0, len;
    if (!to || !origin)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < text.len; i += len) {
        unsigned char lead = (unsigned char)text.p[i];
        uint32_t c = lead < LEAST_LEAD ? lead : rdv_utf8_at(text, i, &len);
        size_t word = lead < LEAST_LEAD ? COUNT(words) : word_at(text, i);
        chinese_claim claim;
        const char *measure = NULL;
        size_t measured =
            n > 0 && (rdv_is_digit(to[n - 1]) || to[n - 1] == '/') && lead >= LEAST_LEAD
                ? chinese_measure_at(text, i, &measure)
                : 0;
        if (rdv_is_digit(text.p[i]) && (i == 0 || !rdv_is_digit(text.p[i - 1])) &&
            chinese_claim_at(text, i, &claim)) {
            for (size_t k = i; k < claim.number_end; k++)
                add(to, origin, &n, rdv_slice(text, k, k + 1), k);
            add(to, origin, &n, rdv_str_of(claim.operation), claim.number_end);
            add(to, origin, &n, RDV_STR(" = "), claim.verb);
            len = claim.end - i;
        } else if (measured) {
            len = measured;
            add(to, origin, &n, rdv_str_of(measure), i);
        } else if (word < COUNT(words)) {
            len = strlen(words[word].word);
            add(to, origin, &n, rdv_str_of(words[word].replacement), i);
        } else if (c == FULL_WIDTH_COMMA && !divides_digits(text, i, to, n)) {
            add(to, origin, &n, RDV_STR(", "), i);
        } else if (c >= FULL_WIDTH_FIRST && c <= FULL_WIDTH_LAST) {
            char ascii = (char)(c - FULL_WIDTH_SHIFT);
            add(to, origin, &n, (rdv_str){&ascii, 1}, i);
        } else {
            len = lead < LEAST_LEAD ? 1 : len;
            for (size_t k = i; k < i + len; k++)
                add(to, origin, &n, rdv_slice(text, k, k + 1), k);
        }
    }
    origin[n] = text.len;
    *out = (folded){{to, n}, origin};
    return RDV_OK;
}

size_t fold_origin(const folded *f, size_t at)
{
    return f->origin ? f->origin[at] : at;
}
