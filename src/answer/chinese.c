/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/chinese.h"

#include "base/str.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* What announces a result: 答案 结果 所以 因此 故 总共 一共 共 */
static const char *const announcers[] = {"\u7b54\u6848", "\u7ed3\u679c", "\u6240\u4ee5",
                                         "\u56e0\u6b64", "\u6545",       "\u603b\u5171",
                                         "\u4e00\u5171", "\u5171"};
/* What stands before it: 是 为 等于 即 ： : */
static const char *const copulas[] = {"\u662f", "\u4e3a", "\u7b49\u4e8e", "\u5373", "\uff1a", ":"};
/* Between them: 最终 最后 正确 应该 的 有 得 ， , */
static const char *const fillers[] = {"\u6700\u7ec8", "\u6700\u540e", "\u6b63\u786e",
                                      "\u5e94\u8be5", "\u7684",       "\u6709",
                                      "\u5f97",       "\uff0c",       ","};
/* Counted things and stops after a number: 个 只 元 人 本 天 岁 张 辆 次 颗 件 块 名 条 朵 页 支 套
 * 瓶 杯 位 头 棵 枝 根 份 双 台 家 座 匹 间 盒 箱 袋 片 把 层 道 题 种 。 . ！ */
static const char *const counters[] = {
    "\u4e2a", "\u53ea", "\u5143", "\u4eba", "\u672c", "\u5929", "\u5c81", "\u5f20", "\u8f86",
    "\u6b21", "\u9897", "\u4ef6", "\u5757", "\u540d", "\u6761", "\u6735", "\u9875", "\u652f",
    "\u5957", "\u74f6", "\u676f", "\u4f4d", "\u5934", "\u68f5", "\u679d", "\u6839", "\u4efd",
    "\u53cc", "\u53f0", "\u5bb6", "\u5ea7", "\u5339", "\u95f4", "\u76d2", "\u7bb1", "\u888b",
    "\u7247", "\u628a", "\u5c42", "\u9053", "\u9898", "\u79cd", "\u3002", ".",      "\uff01"};
/* What changes the number after it: 约 大约 大概 可能 也许 或许 不是 不 非 至少 至多 最多 最少 超过
 * 不到 近 或 小于 大于 少于 多于 负 */
static const char *const changes_before[] = {
    "\u7ea6",       "\u5927\u7ea6", "\u5927\u6982", "\u53ef\u80fd", "\u4e5f\u8bb8", "\u6216\u8bb8",
    "\u4e0d\u662f", "\u4e0d",       "\u975e",       "\u81f3\u5c11", "\u81f3\u591a", "\u6700\u591a",
    "\u6700\u5c11", "\u8d85\u8fc7", "\u4e0d\u5230", "\u8fd1",       "\u6216",       "\u5c0f\u4e8e",
    "\u5927\u4e8e", "\u5c11\u4e8e", "\u591a\u4e8e", "\u8d1f"};
/* What changes the number before it: 万 亿 千 百 十 多 左右 以上 以下 以内 倍 分之 折 半 吗 ？ 或
 * 到 至 */
static const char *const changes_after[] = {
    "\u4e07", "\u4ebf",       "\u5343",       "\u767e",       "\u5341",
    "\u591a", "\u5de6\u53f3", "\u4ee5\u4e0a", "\u4ee5\u4e0b", "\u4ee5\u5185",
    "\u500d", "\u5206\u4e4b", "\u6298",       "\u534a",       "\u5417",
    "\uff1f", "\u6216",       "\u5230",       "\u81f3"};

static bool has_bytes(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.p[i] >= 0xe3)
            return true;
    return false;
}

/* How many bytes the longest of the words is at the beginning (or the end) of `s`, or 0. */
static size_t word_len(rdv_str s, const char *const *words, size_t n, bool at_end)
{
    size_t longest = 0;
    for (size_t k = 0; k < n; k++) {
        rdv_str word = rdv_str_of(words[k]);
        if (word.len > longest && (at_end ? rdv_ends(s, word) : rdv_starts(s, word)))
            longest = word.len;
    }
    return longest;
}

/* Of ASCII, or U+FF10 to U+FF19. */
static bool is_digit_at(rdv_str s, size_t i)
{
    bool wide = i + 2 < s.len && s.p[i] == '\xef' && s.p[i + 1] == '\xbc';
    unsigned char last = wide ? (unsigned char)s.p[i + 2] : 0;
    return rdv_is_digit(s.p[i]) || (last >= 0x90 && last <= 0x99);
}

static size_t blanks_end(rdv_str s, size_t i)
{
    while (i < s.len && s.p[i] && strchr(" \t*", s.p[i]))
        i++;
    return i;
}

/* The byte after the words at the beginning that announce what follows, or 0: a noun, and then a
 * copula, or a digit that follows. */
static size_t announcement_end(rdv_str s)
{
    bool noun = false;
    size_t end = 0, len;
    for (size_t i = blanks_end(s, 0); i < s.len; i = blanks_end(s, i + len)) {
        rdv_str rest = rdv_slice(s, i, s.len);
        if ((len = word_len(rest, announcers, COUNT(announcers), false))) {
            noun = true;
        } else if ((len = word_len(rest, copulas, COUNT(copulas), false))) {
            end = noun ? i + len : end;
        } else if (!(len = word_len(rest, fillers, COUNT(fillers), false))) {
            bool value = is_digit_at(s, i) || strchr("-$\\", s.p[i]);
            return noun && s.p[i] && value ? i : end;
        }
    }
    return end;
}

rdv_str chinese_bare(rdv_str answer)
{
    if (!has_bytes(answer))
        return answer;
    rdv_str s = rdv_trim(answer);
    s = rdv_trim(rdv_slice(s, announcement_end(s), s.len));
    bool digit = false;
    for (size_t i = 0; i < s.len && !digit; i++)
        digit = is_digit_at(s, i);
    for (size_t len; digit && (len = word_len(s, counters, COUNT(counters), true));)
        s = rdv_trim(rdv_slice(s, 0, s.len - len));
    return s.len ? s : answer;
}

rdv_str chinese_with_changes(rdv_str text, rdv_str answer)
{
    size_t begin = (size_t)(answer.p - text.p), end = begin + answer.len, before = begin;
    while (before > 0 && text.p[before - 1] == ' ')
        before--;
    size_t after = blanks_end(text, end);
    bool beside = (before > 0 && (unsigned char)text.p[before - 1] >= 0x80) ||
                  (after < text.len && (unsigned char)text.p[after] >= 0xe3);
    if (!beside)
        return answer;
    size_t len = word_len(rdv_slice(text, 0, before), changes_before, COUNT(changes_before), true);
    begin = len ? before - len : begin;
    rdv_str rest = rdv_slice(text, after, text.len);
    size_t counted = word_len(rest, counters, COUNT(counters), false);
    len = word_len(rdv_slice(rest, counted, rest.len), changes_after, COUNT(changes_after), false);
    end = len ? after + counted + len : end;
    return rdv_slice(text, begin, end);
}
