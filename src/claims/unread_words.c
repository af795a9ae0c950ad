/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/unread_words.h"

#include "base/str.h"
#include "base/utf8.h"
#include "language/word_class.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_WORDS 64 /* tokens; a letter is one */

/* Parts of words by which a calculation beside them may be another one, or not be asserted. A
 * blank at either end is that of a word. */
static const char *const binding[] = {
    /* parts, multiples, powers, functions, numbers */
    "半", "倍", "分之", "的平方", "的立方", "方根", "の根", "乗", "阶乘", "割", "均", "弦", "正切",
    "对数", "対数", "绝对值", "絶対値", "相反数", "倒数", "逆数", "负", "負", "олови", "пополам",
    "Пополам", "двое", "Разделим", "ычтем", "рибав", "оротн", "трет", "реть ", "рети ", "ретин",
    "четверт", "орень", "орня", "орін", "вадрат", " куб", "дво", "трои", "троен", "троє", "важды",
    "рижды", "раза", "раз ", "средн", "Средн", "середн", "Середн", "огарифм", "ангенс", "одул",
    "акториал", "обратн", "трицат", "процент", "відсот", " две ", " два ", " дві ", " три ",
    "четыре", "чотири", "пять", "шесть", "семь", "восемь", "девять", "десять", "절반", "거꾸로",
    "배", "제곱", "루트", "로그", "절댓값", "역수", "평균", "퍼센트", " 두 ", " 세 ", " 네 ",
    "다섯", "여섯", "일곱", "여덟", "아홉", " 열 ", "반으로", "반의", "평방",
    /* operations, and what is left of a division */
    "差", "余り", "余数", "あまり", "足す", "足し", "引く", "引い", "掛け", "たす", "ひく", "かけ",
    "わる", "люс", "инус", "мінус", "множ", "делит", "Делит", "делен", "діли", "азност", "ізниц",
    "остат", "остач", "больше", "меньше", "більше", "менше", "더하", "빼", "곱", "나누", "나머지",
    "보다", "以上", "以下", "未满", "未満", "以内", "超", "이상", "이하", "미만", "넘", "свыше",
    "более", "менее", "を", "から", "より", "まで", "不到", "不足",
    /* thousands and the like, and other bases */
    "十", "百", "千", "万", "萬", "亿", "億", "兆", "打", "模", "进制", "進", "тыс", "тисяч",
    " сот", "млн", "млрд", "милли", "мільй", "мільяр", "дюжин", "систем", "ичной", "백", "천", "만",
    "억", "진법",
    /* rounded */
    "约", "約", "左右", "近似", "估", "およそ", "ほど", "くらい", "около", "Около", "примерн",
    "Примерн", "риблиз", "близько", "округл", "四捨五入", "四舍五入", "반올림", "약", "정도",
    /* denied, supposed, reported, asked */
    "非", "否", "错", "錯", "误", "誤", "違", "假", "若", "如", "可能", "以为", "认为", "成了",
    "写", "说", "說", "告诉", "算成", "看成", "当成", "难道", "だと", "分けると", "繰り返", "逆",
    "反过来", "倒过来", "问", "問", "と答", "とい", "仮", "もし", "とす", "ない", "ません", "なら",
    "思", "言", "書", "だろう", "でしょう", "かも", "吗", "嗎", "呢", "何", "几", "すか", " не ",
    " Не ", " нет ", "немає", "невер", "Невер", "неправ", "Неправ", "невір", "Невір", "ельзя",
    "ошиб", "Ошиб", "помил", "Помил", "ложь", "ложн", "если", "Если", "пусть", "Пусть", "якщо",
    "Якщо", "якби", "Якби", "ехай", "опустим", "редполо", "думал", "счита", "написа", "сказа",
    "перепута", "ответил", "ідпов", "равда", "спрос", "спита", "овор", "тверж", "каже", "тверд",
    "разве", "Разве", "хіба", "Хіба", " бы ", " ли ", " чи ", "колько", "скільки", "아니", "않",
    "틀", "만약", "라면", "으면", "하면", "라고", "다고", "정하", "맞", "나요", "생각", "썼", "말",
    "까"};

/* What the words before a calculation end in where it is all that is said of them: verbs of being,
 * and the particles of a topic. Behind other words it may be one part of more: "с учётом скидки 12
 * + 3 = 13", "合わせると 12+3=18". */
static const char *const copulas[] = {
    "是",        "为",        "為",       "共",         "有",         "共计",     "合计",
    "得",        "得到",      "即",       "は",         "은",         "는",       "равен",
    "равна",     "равно",     "равны",    "составляет", "составляют", "составит", "составил",
    "составила", "составило", "олучим",   "олучаем",    "олучается",  "олучится", " это",
    " Это",      "будет",     "дорівнює", "становить",  "становлять", "складає",  " це",
    " Це",       "буде",      "тримаємо", "тримуємо"};

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
    return unread_words_letter(t, i) ||
           (t->at[i].kind == TOK_WORD && t->at[i].end - t->at[i].begin > 1 &&
            !(t->at[i].word & /* denials and "if" may be what Chinese words were read as */
              (WORD_BINDS_AFTER | WORD_BINDS_BEFORE | WORD_ABOUT | WORD_DENIES)) &&
            !tok_is_word(t, i, "if"));
}

/* Is the part of a word in the words, at the ends of one where it has blanks? */
static bool holds_part(rdv_str words, rdv_str part)
{
    bool first = rdv_starts(part, RDV_STR(" ")), last = rdv_ends(part, RDV_STR(" "));
    rdv_str bare = rdv_trim(part);
    bool is = false;
    for (size_t at = rdv_find(words, bare, 0); at != RDV_NOT_FOUND && !is;
         at = rdv_find(words, bare, at + 1)) {
        size_t end = at + bare.len;
        is = (!first || at == 0 || words.p[at - 1] == ' ') &&
             (!last || end == words.len || words.p[end] == ' ');
    }
    return is;
}

static bool holds_any(rdv_str words, const char *const *parts, size_t n)
{
    bool is = false;
    for (size_t k = 0; k < n && !is; k++)
        is = holds_part(words, rdv_str_of(parts[k]));
    return is;
}

static bool ends_in_copula(rdv_str words)
{
    bool is = false;
    for (size_t k = 0; k < COUNT(copulas) && !is; k++) {
        rdv_str part = rdv_str_of(copulas[k]), bare = rdv_trim(part);
        is = rdv_ends(words, part) || rdv_str_eq(words, bare);
    }
    return is;
}

/* The first token of the words that end before token `end`; the calculation is at token `i`. */
static size_t first_part(const tokens *t, size_t end, size_t i)
{
    while (end > 0 && i - end < MAX_WORDS && is_part(t, end - 1))
        end--;
    return end;
}

/* "Неверно, что 12 * 13 = 146": does the clause at token `first` go on with the one before it? */
static bool is_that(const tokens *t, size_t first, size_t i)
{
    static const char *const words[] = {"что ", "що ", "будто "};
    rdv_str clause = rdv_slice(t->text, t->at[first].begin, t->at[i].begin);
    bool is = false;
    for (size_t k = 0; k < COUNT(words); k++)
        is = is || rdv_starts(clause, rdv_str_of(words[k]));
    return is;
}

bool unread_words_before(const tokens *t, size_t i)
{
    size_t first = first_part(t, i, i);
    if (first > 1 && t->at[first - 1].kind == TOK_COMMA && is_that(t, first, i))
        first = first_part(t, first - 1, i);
    if (first == i || !unread_words_letter(t, i - 1))
        return false;
    /* One such letter may be a variable, or stand for "x". */
    if (is_cyrillic(t, i - 1) && (!t->at[i].space_before || i - first < 2 ||
                                  t->at[i - 1].space_before || !unread_words_letter(t, i - 2)))
        return false;
    tok_kind border = first > 0 ? t->at[first - 1].kind : TOK_NEWLINE;
    rdv_str words = rdv_slice(t->text, t->at[first].begin, t->at[i - 1].end);
    return (border == TOK_NEWLINE || border == TOK_PUNCT || border == TOK_COMMA) &&
           ends_in_copula(words) && !holds_any(words, binding, COUNT(binding));
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
    rdv_str words = rdv_slice(t->text, t->at[i].begin, t->at[end - 1].end);
    return ends && !holds_any(words, binding, COUNT(binding));
}
