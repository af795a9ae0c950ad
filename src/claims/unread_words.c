/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/unread_words.h"

#include "base/str.h"
#include "base/utf8.h"
#include "language/word_class.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_WORDS 64 /* tokens; a letter is one */

/* Parts of words by which a calculation beside them may be another one, or not be asserted. A
 * blank at the beginning of one stands for the beginning of the words too. */
static const char *const binding[] = {
    /* parts, multiples, powers, functions */
    "半", "倍", "分之", "的平方", "的立方", "方根", "の根", "乗", "割", "均", "弦", "正切", "对数",
    "対数", "绝对值", "絶対値", "相反数", "倒数", "逆数", "负", "負", "олови", "трет", "четверт",
    "орень", "орня", "вадрат", " куб ", " кубе", "дво", "трое", "важды", "рижды", "раза", "раз ",
    "средн", "Средн", "огарифм", "ангенс", "одул", "обратн", "трицат", "процент", "절반", "배",
    "제곱", "루트", "로그", "절댓값", "역수", "평균", "퍼센트",
    /* operations, and what is left of a division */
    "差", "余り", "余数", "あまり", "足す", "足し", "引く", "引い", "掛け", "たす", "ひく", "かけ",
    "わる", "люс", "инус", "множ", "делит", "Делит", "делен", "азност", "остат", "больше", "меньше",
    "더하", "빼", "곱", "나누", "나머지", "보다",
    /* thousands and the like, and other bases */
    "十", "百", "千", "万", "萬", "亿", "億", "兆", "打", "模", "进制", "進", "тыс", " сот", "млн",
    "млрд", "миллион", "миллиард", "дюжин", "систем", "백", "천", "만", "억",
    /* rounded */
    "约", "約", "左右", "近似", "估", "およそ", "ほど", "くらい", "около", "Около", "примерн",
    "Примерн", "риблиз", "약", "정도",
    /* denied, supposed, reported, asked */
    "非", "否", "错", "錯", "误", "誤", "違", "假", "若", "如", "可能", "以为", "认为", "成了",
    "写", "算成", "看成", "当成", "仮", "もし", "ない", "ません", "なら", "思", "書", "だろう",
    "でしょう", "かも", "吗", "嗎", "呢", "何", "几", "すか", " не ", " Не ", " нет", "невер",
    "Невер", "ошиб", "Ошиб", "если", "Если", "пусть", "Пусть", "якщо", "Якщо", "ехай", "опустим",
    "редполо", "думал", "счита", "написа", " бы ", " ли ", "колько", "아니", "않", "틀", "만약",
    "라면", "생각", "썼", "까"};

static bool is_letter(uint32_t c)
{
    return (c >= 0x400 && c <= 0x52f) || (c >= 0x3040 && c <= 0x30ff) ||
           (c >= 0x3400 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7a3);
}

static bool is_cyrillic(const tokens *t, size_t i)
{
    return (unsigned char)t->text.p[t->at[i].begin] < 0xe0; /* the others have three bytes */
}

bool unread_words_letter(const tokens *t, size_t i)
{
    size_t len;
    return t->at[i].kind == TOK_OPAQUE && is_letter(rdv_utf8_at(t->text, t->at[i].begin, &len));
}

bool unread_words_in(rdv_str text)
{
    size_t len;
    bool is = false;
    for (size_t i = 0; i < text.len && !is; i += len)
        is = is_letter(rdv_utf8_at(text, i, &len));
    return is;
}

/* May token `i` be a part of the words? */
static bool is_part(const tokens *t, size_t i)
{
    static const char *const denying[] = {"no", "not", "if"}; /* that Chinese ones were read as */
    return unread_words_letter(t, i) ||
           (t->at[i].kind == TOK_WORD && t->at[i].end - t->at[i].begin > 1 &&
            !(tok_class(t, i) & (WORD_BINDS_AFTER | WORD_BINDS_BEFORE | WORD_ABOUT)) &&
            !rdv_is_one_of(tok_text(t, i), denying, COUNT(denying)));
}

static bool holds_binding(rdv_str words)
{
    for (size_t k = 0; k < COUNT(binding); k++) {
        rdv_str part = rdv_str_of(binding[k]);
        if (rdv_find(words, part, 0) != RDV_NOT_FOUND ||
            (part.p[0] == ' ' && rdv_starts(words, rdv_slice(part, 1, part.len))))
            return true;
    }
    return false;
}

bool unread_words_before(const tokens *t, size_t i)
{
    size_t first = i;
    while (first > 0 && i - first < MAX_WORDS && is_part(t, first - 1))
        first--;
    if (first == i || !unread_words_letter(t, i - 1))
        return false;
    /* One such letter may be a variable, or stand for "x". */
    if (is_cyrillic(t, i - 1) && (!t->at[i].space_before || i - first < 2 ||
                                  t->at[i - 1].space_before || !unread_words_letter(t, i - 2)))
        return false;
    tok_kind border = first > 0 ? t->at[first - 1].kind : TOK_NEWLINE;
    return (border == TOK_NEWLINE || border == TOK_PUNCT || border == TOK_COMMA) &&
           !holds_binding(rdv_slice(t->text, t->at[first].begin, t->at[i].begin));
}

bool unread_words_behind(const tokens *t, size_t i)
{
    size_t end = i;
    while (end - i < MAX_WORDS && is_part(t, end))
        end++;
    if (end == i || !unread_words_letter(t, i) ||
        (is_cyrillic(t, i) && (end - i < 2 || t->at[i + 1].space_before)))
        return false;
    const token *border = &t->at[end];
    bool ends = border->kind == TOK_NEWLINE || border->kind == TOK_END ||
                border->kind == TOK_COMMA || border->kind == TOK_CLOSE ||
                (border->kind == TOK_PUNCT && t->text.p[border->begin] != '?');
    return ends && !holds_binding(rdv_slice(t->text, t->at[i].begin, border->begin));
}
