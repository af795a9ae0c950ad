/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Splits a reply into sentences and determines the status of each word: claimed, denied, or not
 * claimed by the writer (asked, supposed, quoted, attributed to somebody else). Every reader of
 * conclusions builds on this; docs/prompts.md has the rules. Linear in the part of the reply that
 * is read. */
#include <rederive/base.h>

#define WINDOW_BYTES 4096
#define WINDOW_LINES 3
#define WINDOW_SENTENCES 4

/* The part of a reply that is read, a copy of the same length. Quotations are blanked, unless they
 * consist only of words of a conclusion; so are lines that repeat a solution or begin with ">". */
typedef struct reply_window {
    rdv_str reply;
    size_t begin; /* offset in the reply */
    char text[WINDOW_BYTES];
    size_t len;
    size_t at;       /* the next sentence begins here */
    bool introduced; /* that sentence follows an introduction such as "The student says:" */
} reply_window;

/* The last WINDOW_LINES non-blank lines, of which the last WINDOW_SENTENCES sentences are given. */
void window_at_end(reply_window *w, rdv_str reply);
/* The last WINDOW_BYTES, all sentences. */
void window_of_tail(reply_window *w, rdv_str reply);
/* The first WINDOW_BYTES, all sentences. */
void window_at_front(reply_window *w, rdv_str reply);

/* The effect of a word besides its meaning. */
typedef enum word_role {
    WORD_PLAIN,
    WORD_RETRACTS,  /* "wait", "on second thought": retracts the claims before it */
    WORD_OBJECTS,   /* "wrong", "differ", "doubt", and "not true": objects to something */
    WORD_HEDGES,    /* "perhaps", "at first sight" */
    WORD_CONTRASTS, /* "but", "only", "partly": qualifies the claims before it */
} word_role;

typedef struct sentence_word {
    rdv_str text;
    rdv_str gap;    /* between it and the word before */
    rdv_str before; /* the word before; empty for the first */
    rdv_str next, next_gap;
    rdv_str rest; /* of the sentence, after it */
    bool denied;  /* in reach of "not", "fails to", "neither ... nor" */
    bool partly;  /* "partially supports" */
    bool idle;    /* not claimed: asked for, possible, supposed, attributed to somebody else */
    word_role does;
} sentence_word;

typedef struct reply_sentence {
    rdv_str text; /* of the window's copy */
    bool asked;   /* it is a question */
    bool idle;    /* nothing in it is claimed: it has a condition, or an introduction before it */
    /* reading state */
    size_t at, passed; /* phrases extend to `passed` */
    rdv_str before, before_that;
    unsigned reach; /* words still in reach of a negation; 0: there is none */
    bool negated;   /* there was a negation */
    bool wide;      /* the negation reaches to the next comma */
    bool twice;     /* a negation within a negation */
    bool partly;
    bool not_only; /* "not only supports it but ..." */
    int aside;     /* how far unclaimed text extends */
} reply_sentence;

/* Gives the text of the next sentence that has a word: a slice of the window's copy. */
bool window_cut_sentence(reply_window *w, rdv_str *sentence);
/* Gives the next sentence with no word read yet. */
bool sentence_next(reply_window *w, reply_sentence *s);
/* True if the line introduces something that is not claimed: "The student says:". */
bool sentence_introduces(rdv_str line);
/* Gives the next word of the sentence. */
bool sentence_next_word(reply_sentence *s, sentence_word *word);
/* The part of the reply from the beginning of `first` to the end of `last`, shortened; both are
 * slices of the window's text. */
rdv_str window_in_reply(const reply_window *w, rdv_str first, rdv_str last);
