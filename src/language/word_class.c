/* SPDX-License-Identifier: Apache-2.0 */
#include "language/word_class.h"

#include "base/str.h"
#include "language/number_names.h"

#include <stdatomic.h>
#include <threads.h>

typedef struct word {
    const char *text;
    unsigned is;
} word;

static const word words[] = {
    {"C", WORD_BINDS_BEFORE},
    {"E", WORD_BINDS_BEFORE},
    {"K", WORD_BINDS_BEFORE},
    {"M", WORD_BINDS_BEFORE},
    {"P", WORD_BINDS_BEFORE},
    {"R", WORD_BINDS_BEFORE | WORD_DIVISIBILITY},
    {"X", WORD_BINDS_BEFORE},
    {"a", WORD_CONNECTIVE | WORD_PER},
    {"about", WORD_RESULT | WORD_ABOUT},
    {"add", WORD_BINDS_AFTER | WORD_VERB | WORD_OPERATION},
    {"adding", WORD_BINDS_AFTER | WORD_VERB | WORD_OPERATION},
    {"after", WORD_CONNECTIVE},
    {"all", WORD_CONNECTIVE},
    {"almost", WORD_RESULT | WORD_ABOUT},
    {"alpha", WORD_SYMBOL},
    {"also", WORD_CONNECTIVE},
    {"an", WORD_CONNECTIVE | WORD_PER},
    {"and", WORD_CONNECTIVE | WORD_RELATES},
    {"approx", WORD_RESULT | WORD_ABOUT},
    {"approximately", WORD_RESULT | WORD_ABOUT},
    {"arccos", WORD_BINDS_AFTER | WORD_FUNCTION | WORD_SYMBOL},
    {"arcsin", WORD_BINDS_AFTER | WORD_FUNCTION | WORD_SYMBOL},
    {"arctan", WORD_BINDS_AFTER | WORD_FUNCTION | WORD_SYMBOL},
    {"are", WORD_CONNECTIVE},
    {"arg", WORD_FUNCTION},
    {"around", WORD_RESULT | WORD_ABOUT},
    {"as", WORD_CONNECTIVE | WORD_RESULT},
    {"at", WORD_CONNECTIVE},
    {"average", WORD_PART | WORD_OPERATION},
    {"barely", WORD_FAILS},
    {"base", WORD_BINDS_AFTER | WORD_BINDS_BEFORE},
    {"be", WORD_RESULT},
    {"because", WORD_CONNECTIVE},
    {"becomes", WORD_CONNECTIVE},
    {"before", WORD_CONNECTIVE},
    {"beta", WORD_SYMBOL},
    {"between", WORD_BINDS_AFTER},
    {"bn", WORD_BINDS_BEFORE},
    {"both", WORD_CONNECTIVE},
    {"but", WORD_CONNECTIVE},
    {"by", WORD_BINDS_AFTER | WORD_CONNECTIVE | WORD_RELATES},
    {"can", WORD_CONNECTIVE},
    {"can't", WORD_DENIES | WORD_NEGATES},
    {"cannot", WORD_DENIES | WORD_NEGATES},
    {"ceil", WORD_BINDS_AFTER | WORD_FUNCTION},
    {"ceiling", WORD_BINDS_AFTER | WORD_FUNCTION},
    {"choose", WORD_BINDS_AFTER | WORD_BINDS_BEFORE},
    {"cis", WORD_BINDS_AFTER | WORD_FUNCTION | WORD_SYMBOL},
    {"composite", WORD_DIVISIBILITY},
    {"contains", WORD_CONNECTIVE},
    {"corresponds", WORD_CONNECTIVE},
    {"cos", WORD_BINDS_AFTER | WORD_FUNCTION | WORD_SYMBOL},
    {"cot", WORD_BINDS_AFTER | WORD_FUNCTION | WORD_SYMBOL},
    {"could", WORD_CONNECTIVE},
    {"csc", WORD_BINDS_AFTER | WORD_FUNCTION | WORD_SYMBOL},
    {"cu", WORD_MEASURE},
    {"cube", WORD_BINDS_AFTER | WORD_PART | WORD_OPERATION},
    {"cubed", WORD_BINDS_AFTER | WORD_BINDS_BEFORE | WORD_OPERATION},
    {"cubic", WORD_MEASURE},
    {"cubing", WORD_BINDS_AFTER | WORD_VERB | WORD_OPERATION},
    {"deg", WORD_MEASURE},
    {"degree", WORD_MEASURE},
    {"degrees", WORD_MEASURE},
    {"delta", WORD_SYMBOL},
    {"denotes", WORD_CONNECTIVE},
    {"det", WORD_BINDS_AFTER | WORD_FUNCTION},
    {"difference", WORD_PART | WORD_OPERATION},
    {"dim", WORD_FUNCTION},
    {"divide", WORD_BINDS_AFTER | WORD_VERB | WORD_OPERATION | WORD_DIVISIBILITY},
    {"divided", WORD_BINDS_AFTER | WORD_BINDS_BEFORE | WORD_CONNECTIVE | WORD_OPERATION},
    {"divides", WORD_DIVISIBILITY},
    {"dividing", WORD_BINDS_AFTER | WORD_VERB | WORD_OPERATION},
    {"divisible", WORD_DIVISIBILITY},
    {"divisor", WORD_DIVISIBILITY},
    {"divisors", WORD_DIVISIBILITY},
    {"doesn't", WORD_DENIES | WORD_NEGATES},
    {"doesnt", WORD_DENIES},
    {"don't", WORD_DENIES | WORD_NEGATES},
    {"dont", WORD_DENIES},
    {"doubled", WORD_BINDS_AFTER},
    {"doubling", WORD_BINDS_AFTER | WORD_VERB | WORD_OPERATION},
    {"dozen", WORD_BINDS_AFTER | WORD_BINDS_BEFORE | WORD_RELATES},
    {"dozens", WORD_BINDS_BEFORE},
    {"e", WORD_BINDS_BEFORE},
    {"each", WORD_CONNECTIVE},
    {"epsilon", WORD_SYMBOL},
    {"equal", WORD_CONNECTIVE | WORD_EQUAL},
    {"equals", WORD_CONNECTIVE | WORD_RESULT | WORD_EQUAL},
    {"ergibt", WORD_CONNECTIVE | WORD_RESULT},
    {"every", WORD_CONNECTIVE},
    {"exactly", WORD_RESULT},
    {"exp", WORD_BINDS_AFTER | WORD_FUNCTION | WORD_SYMBOL},
    {"factor", WORD_DIVISIBILITY},
    {"factored", WORD_DIVISIBILITY},
    {"factorial", WORD_PART | WORD_BINDS_BEFORE},
    {"factoring", WORD_DIVISIBILITY},
    {"factorisation", WORD_DIVISIBILITY},
    {"factorise", WORD_DIVISIBILITY},
    {"factorization", WORD_DIVISIBILITY},
    {"factorize", WORD_DIVISIBILITY},
    {"factorized", WORD_DIVISIBILITY},
    {"factors", WORD_DIVISIBILITY},
    {"fail", WORD_FAILS},
    {"failed", WORD_FAILS},
    {"failing", WORD_FAILS},
    {"fails", WORD_FAILS},
    {"fewer", WORD_CONNECTIVE | WORD_OPERATION},
    {"find", WORD_CONNECTIVE | WORD_RESULT},
    {"fl", WORD_MEASURE},
    {"floor", WORD_BINDS_AFTER | WORD_FUNCTION},
    {"fluid", WORD_MEASURE},
    {"for", WORD_CONNECTIVE},
    {"fraction", WORD_PART},
    {"from", WORD_CONNECTIVE},
    {"gamma", WORD_SYMBOL},
    {"gcd", WORD_BINDS_AFTER | WORD_FUNCTION},
    {"get", WORD_CONNECTIVE | WORD_RESULT},
    {"geteilt", WORD_BINDS_AFTER | WORD_BINDS_BEFORE | WORD_CONNECTIVE | WORD_OPERATION},
    {"gets", WORD_CONNECTIVE},
    {"give", WORD_CONNECTIVE | WORD_RESULT},
    {"gives", WORD_CONNECTIVE | WORD_RESULT},
    {"giving", WORD_RESULT},
    {"gleich", WORD_CONNECTIVE | WORD_RESULT},
    {"had", WORD_CONNECTIVE},
    {"halving", WORD_BINDS_AFTER | WORD_VERB | WORD_OPERATION},
    {"hardly", WORD_CONNECTIVE | WORD_FAILS},
    {"has", WORD_CONNECTIVE},
    {"have", WORD_CONNECTIVE | WORD_RESULT},
    {"he", WORD_CONNECTIVE},
    {"hence", WORD_CONNECTIVE},
    {"her", WORD_CONNECTIVE},
    {"here", WORD_CONNECTIVE},
    {"his", WORD_CONNECTIVE},
    {"hundreds", WORD_BINDS_BEFORE},
    {"i", WORD_BINDS_BEFORE},
    {"if", WORD_CONNECTIVE},
    {"implies", WORD_CONNECTIVE},
    {"in", WORD_CONNECTIVE | WORD_RESULT},
    {"inf", WORD_FUNCTION},
    {"into", WORD_CONNECTIVE | WORD_RESULT},
    {"is", WORD_CONNECTIVE | WORD_RESULT},
    {"isnt", WORD_DENIES},
    {"ist", WORD_CONNECTIVE | WORD_RESULT},
    {"it", WORD_CONNECTIVE},
    {"its", WORD_CONNECTIVE},
    {"k", WORD_BINDS_BEFORE},
    {"kappa", WORD_SYMBOL},
    {"lack", WORD_FAILS},
    {"lacked", WORD_FAILS},
    {"lacking", WORD_FAILS},
    {"lacks", WORD_FAILS},
    {"lambda", WORD_SYMBOL},
    {"lcm", WORD_BINDS_AFTER | WORD_FUNCTION},
    {"leaves", WORD_RESULT},
    {"leaving", WORD_DIVISIBILITY},
    {"left", WORD_CONNECTIVE | WORD_DIVISIBILITY},
    {"leftover", WORD_DIVISIBILITY},
    {"less", WORD_CONNECTIVE | WORD_OPERATION},
    {"let", WORD_CONNECTIVE},
    {"lg", WORD_BINDS_AFTER | WORD_FUNCTION | WORD_SYMBOL},
    {"lim", WORD_BINDS_AFTER | WORD_FUNCTION},
    {"ln", WORD_BINDS_AFTER | WORD_FUNCTION | WORD_SYMBOL},
    {"log", WORD_BINDS_AFTER | WORD_PART | WORD_FUNCTION | WORD_SYMBOL},
    {"macht", WORD_CONNECTIVE | WORD_RESULT},
    {"make", WORD_RESULT},
    {"makes", WORD_RESULT},
    {"mal", WORD_BINDS_AFTER | WORD_BINDS_BEFORE | WORD_CONNECTIVE | WORD_OPERATION},
    {"max", WORD_BINDS_AFTER | WORD_FUNCTION},
    {"mean", WORD_PART | WORD_OPERATION},
    {"means", WORD_CONNECTIVE},
    {"millions", WORD_BINDS_BEFORE},
    {"min", WORD_BINDS_AFTER | WORD_FUNCTION},
    {"minus", WORD_BINDS_AFTER | WORD_BINDS_BEFORE | WORD_CONNECTIVE | WORD_OPERATION},
    {"mod", WORD_BINDS_AFTER | WORD_BINDS_BEFORE | WORD_FUNCTION},
    {"modulo", WORD_BINDS_AFTER | WORD_BINDS_BEFORE},
    {"modulus", WORD_BINDS_BEFORE},
    {"more", WORD_CONNECTIVE | WORD_OPERATION},
    {"multiple", WORD_PART | WORD_DIVISIBILITY},
    {"multiplied", WORD_BINDS_AFTER | WORD_BINDS_BEFORE | WORD_CONNECTIVE | WORD_OPERATION},
    {"multiply", WORD_BINDS_AFTER | WORD_VERB | WORD_OPERATION},
    {"multiplying", WORD_BINDS_AFTER | WORD_VERB | WORD_OPERATION},
    {"nearly", WORD_RESULT | WORD_ABOUT},
    {"negative", WORD_BINDS_AFTER | WORD_RESULT},
    {"neither", WORD_DENIES},
    {"never", WORD_CONNECTIVE | WORD_DENIES | WORD_NEGATES},
    {"next", WORD_CONNECTIVE},
    {"no", WORD_CONNECTIVE | WORD_DENIES | WORD_NEGATES | WORD_NONE},
    {"nobody", WORD_DENIES | WORD_NONE},
    {"none", WORD_DENIES | WORD_NEGATES | WORD_NONE},
    {"nor", WORD_DENIES},
    {"not", WORD_CONNECTIVE | WORD_DENIES | WORD_NEGATES},
    {"nothing", WORD_DENIES | WORD_NONE},
    {"now", WORD_CONNECTIVE},
    {"nowhere", WORD_DENIES | WORD_NONE},
    {"obtain", WORD_RESULT},
    {"of", WORD_CONNECTIVE | WORD_RELATES},
    {"omega", WORD_SYMBOL},
    {"on", WORD_CONNECTIVE},
    {"or", WORD_CONNECTIVE},
    {"over", WORD_BINDS_AFTER | WORD_BINDS_BEFORE | WORD_CONNECTIVE},
    {"per", WORD_PER},
    {"percent", WORD_PART},
    {"phi", WORD_SYMBOL},
    {"plus", WORD_BINDS_AFTER | WORD_BINDS_BEFORE | WORD_CONNECTIVE | WORD_OPERATION},
    {"power", WORD_PART},
    {"prime", WORD_DIVISIBILITY},
    {"product", WORD_PART | WORD_OPERATION},
    {"quotient", WORD_PART | WORD_OPERATION},
    {"r", WORD_BINDS_BEFORE | WORD_DIVISIBILITY},
    {"rarely", WORD_CONNECTIVE | WORD_FAILS},
    {"ratio", WORD_BINDS_AFTER | WORD_PART},
    {"refuse", WORD_FAILS},
    {"refuses", WORD_FAILS},
    {"rem", WORD_DIVISIBILITY},
    {"remain", WORD_DIVISIBILITY},
    {"remainder", WORD_BINDS_BEFORE | WORD_DIVISIBILITY},
    {"remaining", WORD_DIVISIBILITY},
    {"represents", WORD_CONNECTIVE},
    {"rho", WORD_SYMBOL},
    {"root", WORD_BINDS_AFTER | WORD_PART | WORD_OPERATION},
    {"roots", WORD_BINDS_AFTER | WORD_PART},
    {"roughly", WORD_RESULT | WORD_ABOUT},
    {"scarcely", WORD_CONNECTIVE | WORD_FAILS},
    {"sec", WORD_BINDS_AFTER | WORD_FUNCTION},
    {"seldom", WORD_CONNECTIVE | WORD_FAILS},
    {"sgn", WORD_FUNCTION},
    {"she", WORD_CONNECTIVE},
    {"should", WORD_CONNECTIVE},
    {"shows", WORD_CONNECTIVE},
    {"sigma", WORD_SYMBOL},
    {"simply", WORD_RESULT},
    {"sin", WORD_BINDS_AFTER | WORD_FUNCTION | WORD_SYMBOL},
    {"since", WORD_CONNECTIVE},
    {"sind", WORD_CONNECTIVE | WORD_RESULT},
    {"so", WORD_CONNECTIVE},
    {"spare", WORD_DIVISIBILITY},
    {"sq", WORD_MEASURE},
    {"square", WORD_BINDS_AFTER | WORD_PART | WORD_OPERATION | WORD_MEASURE},
    {"squared", WORD_BINDS_AFTER | WORD_BINDS_BEFORE | WORD_OPERATION},
    {"squaring", WORD_BINDS_AFTER | WORD_VERB | WORD_OPERATION},
    {"step", WORD_CONNECTIVE},
    {"subtract", WORD_BINDS_AFTER | WORD_VERB | WORD_OPERATION},
    {"subtracting", WORD_BINDS_AFTER | WORD_VERB | WORD_OPERATION},
    {"sum", WORD_PART | WORD_OPERATION},
    {"sup", WORD_FUNCTION},
    {"take", WORD_VERB | WORD_OPERATION},
    {"taking", WORD_VERB | WORD_OPERATION},
    {"tan", WORD_BINDS_AFTER | WORD_FUNCTION | WORD_SYMBOL},
    {"tau", WORD_SYMBOL},
    {"than", WORD_BINDS_AFTER | WORD_CONNECTIVE | WORD_RELATES},
    {"that", WORD_CONNECTIVE},
    {"the", WORD_CONNECTIVE},
    {"their", WORD_CONNECTIVE},
    {"then", WORD_CONNECTIVE | WORD_RESULT},
    {"there", WORD_CONNECTIVE},
    {"therefore", WORD_CONNECTIVE | WORD_RESULT},
    {"these", WORD_CONNECTIVE},
    {"theta", WORD_SYMBOL},
    {"they", WORD_CONNECTIVE},
    {"this", WORD_CONNECTIVE | WORD_POINTS_BACK},
    {"those", WORD_CONNECTIVE},
    {"thousands", WORD_BINDS_BEFORE},
    {"thus", WORD_CONNECTIVE | WORD_RESULT},
    {"times", WORD_BINDS_AFTER | WORD_PART | WORD_BINDS_BEFORE | WORD_CONNECTIVE | WORD_OPERATION |
                  WORD_RELATES},
    {"to", WORD_CONNECTIVE | WORD_RESULT},
    {"total", WORD_CONNECTIVE | WORD_OPERATION},
    {"totals", WORD_RESULT},
    {"tripling", WORD_BINDS_AFTER | WORD_VERB | WORD_OPERATION},
    {"twice", WORD_BINDS_AFTER | WORD_RELATES},
    {"unable", WORD_FAILS},
    {"until", WORD_CONNECTIVE},
    {"us", WORD_RESULT},
    {"use", WORD_CONNECTIVE},
    {"using", WORD_CONNECTIVE},
    {"was", WORD_CONNECTIVE},
    {"we", WORD_CONNECTIVE},
    {"were", WORD_CONNECTIVE},
    {"when", WORD_CONNECTIVE},
    {"where", WORD_CONNECTIVE},
    {"which", WORD_CONNECTIVE | WORD_POINTS_BACK},
    {"while", WORD_CONNECTIVE},
    {"will", WORD_CONNECTIVE},
    {"with", WORD_CONNECTIVE | WORD_RESULT},
    {"without", WORD_DENIES},
    {"would", WORD_CONNECTIVE},
    {"x", WORD_BINDS_BEFORE},
    {"yes", WORD_CONNECTIVE},
    {"yield", WORD_RESULT},
    {"yields", WORD_RESULT},
};

#define COUNT (sizeof words / sizeof *words)
#define MAX_WORD 16 /* longer than any in the table */
#define SLOTS 1024  /* a power of two, and more than twice the words */

/* A word in lower case as numbers, so that words are compared without a loop: its first eight
 * bytes, and where it is longer its last eight. */
typedef struct spelling {
    uint64_t head, tail;
    size_t len; /* 0: no word */
} spelling;

/* The words by a hash of their letters, each in the first free slot from its hash on. */
static struct {
    spelling word; /* len 0: free */
    unsigned is;
} slots[SLOTS];
static uint32_t telling_lengths[WORD_SHAPES]; /* bits */
static once_flag fill_once = ONCE_FLAG_INIT;
static atomic_bool slots_are_filled; /* is asked for each word, and call_once() takes longer */

/* 1 to 8 bytes as one number. Two loads overlap where there are fewer bytes than both read. */
static inline uint64_t load(const unsigned char *p, size_t n)
{
    uint64_t eight;
    uint32_t first, last;
    if (n == 8) {
        memcpy(&eight, p, sizeof eight);
        return eight;
    }
    if (n < 4)
        return p[0] | (uint32_t)p[n / 2] << 8 | (uint32_t)p[n - 1] << 16;
    memcpy(&first, p, sizeof first);
    memcpy(&last, p + n - sizeof last, sizeof last);
    return first | (uint64_t)last << 32;
}

/* Of a text of 1 to MAX_WORD bytes. A letter alone keeps its case. */
static inline spelling spelling_of(rdv_str text)
{
    const uint64_t lower = text.len > 1 ? UINT64_C(0x2020202020202020) : 0;
    const unsigned char *p = (const unsigned char *)text.p;
    uint64_t head = load(p, text.len < 8 ? text.len : 8) | lower;
    uint64_t tail = text.len > 8 ? load(p + text.len - 8, 8) | lower : 0;
    return (spelling){head, tail, text.len};
}

static inline bool is_same(const spelling *a, const spelling *b)
{
    return a->head == b->head && a->tail == b->tail && a->len == b->len;
}

/* The slot of the word, or the free one where it belongs. */
static inline size_t slot_of(spelling s)
{
    size_t at = ((s.head ^ s.tail << 7) + s.len) * UINT64_C(0x9e3779b97f4a7c15) >> 54;
    while (slots[at].word.len && !is_same(&slots[at].word, &s))
        at = (at + 1) & (SLOTS - 1);
    return at;
}

static void add(rdv_str text, unsigned is)
{
    spelling s = spelling_of(text);
    size_t at = slot_of(s);
    slots[at].word = s;
    slots[at].is |= is;
    if (is & WORD_TELLING)
        telling_lengths[word_shape(text)] |= UINT32_C(1) << text.len;
}

static void fill_slots(void)
{
    static const unsigned kinds[] = {
        [NUMBER_WORDS] = WORD_NUMBER,
        [FRACTION_WORDS] = WORD_FRACTION | WORD_OPERATION | WORD_PART,
        [MULTIPLE_WORDS] = WORD_MULTIPLE | WORD_OPERATION | WORD_BINDS_AFTER,
        [GROUP_WORDS] = WORD_GROUP,
        [ORDINAL_WORDS] = WORD_ORDINAL,
        [SCALE_WORDS] = WORD_SCALE | WORD_BINDS_AFTER | WORD_BINDS_BEFORE};
    for (size_t i = 0; i < COUNT; i++)
        add(rdv_str_of(words[i].text), words[i].is);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; number_words_at(k, i).p; i++)
            add(number_words_at(k, i), kinds[k]);
    for (unsigned i = 1; i <= 12; i++) /* "two of 20 + 5", "three 5": a larger one goes on itself */
        add(rdv_str_of(number_word_of(NUMBER_WORDS, i)),
            WORD_BINDS_AFTER | (i <= 10 ? WORD_PART : 0));
    atomic_store_explicit(&slots_are_filled, true, memory_order_release);
}

static inline bool table_is_made(void)
{
    return atomic_load_explicit(&slots_are_filled, memory_order_acquire);
}

const uint32_t *word_telling_lengths(void)
{
    while (!table_is_made())
        call_once(&fill_once, fill_slots);
    return telling_lengths;
}

/* Apart, so that the usual way needs no registers saved. */
static __attribute__((noinline)) unsigned make_table_and_find(rdv_str text)
{
    call_once(&fill_once, fill_slots);
    return word_find(text);
}

unsigned word_find(rdv_str text)
{
    if (text.len > MAX_WORD || !text.len)
        return 0;
    return table_is_made() ? slots[slot_of(spelling_of(text))].is : make_table_and_find(text);
}

unsigned word_class(rdv_str text)
{
    return word_find(text) & WORD_CLASSES;
}

bool word_denies(rdv_str text)
{
    return (word_find(text) & WORD_DENIES) || rdv_ends(text, RDV_STR("'t")) ||
           rdv_ends(text, RDV_STR("'T")) || rdv_ends(text, RDV_STR("\xe2\x80\x99t"));
}

bool word_stands_in(rdv_str text, unsigned bits)
{
    for (size_t i = 0, end; i < text.len; i = end + 1) {
        end = rdv_skip_letters(text, i);
        if (word_find(rdv_slice(text, i, end)) & bits)
            return true;
    }
    return false;
}
