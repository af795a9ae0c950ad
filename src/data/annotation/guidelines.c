/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions for annotators, in our own words. The first wrong step: BIG-Bench Mistake, 2.1.1 and
 * appendices B and D. The four criteria: general-purpose verification, appendix G.3. */
#include "data/annotation/annotations.h"

#include "base/str.h"

/* How a sheet is filled in, whatever the criterion. */
#define FILLING                                                                                    \
    "\n## The sheet\n\n"                                                                           \
    "The first row of a solution holds the question with its options and, in the column "          \
    "`target`, the right answer. Each later row is a step. Write one letter into the column "      \
    "`label`:\n\n"                                                                                 \
    "| letter | meaning |\n| --- | --- |\n"

#define CANNOT_SAY                                                                                 \
    "| `a` | you cannot tell: you lack the knowledge, or the step is unreadable or unfinished; "   \
    "write the reason into a column `notes` of your own |\n"

/* Appendix G.3: every step is judged, and each by itself. */
#define EACH_STEP                                                                                  \
    "\nJudge every step, also those after a wrong one. Judge by this criterion alone: another "    \
    "fault of the step belongs to another sheet. Do not talk to the other annotators about a "     \
    "solution before all have handed in their sheets.\n"

static const char correct[] =
    "# Find the first wrong step\n\n"
    "You see a question and the steps of a solution that a model has written. Find the first step "
    "that is wrong, if there is one.\n\n"
    "1. Read the question first, then the steps in their order.\n"
    "2. Decide of each step whether it is right, given the question and the steps before it: what "
    "it states must be true, and what it concludes must follow.\n"
    "3. Stop at the first wrong step. Leave the steps after it empty: they may rest on the "
    "mistake, so that right and wrong would have no clear meaning there.\n"
    "4. Do not infer the steps from the answer. A solution with the right answer may contain a "
    "wrong step, and the mistake counts even if a later one undoes it. A solution with a wrong "
    "answer may, rarely, have no wrong step, as when the question has two answers.\n"
    "5. A clumsy, needless or repeated step is not wrong. A slip of the pen is wrong only if it "
    "changes what the step states.\n"
    "6. Do not talk to the other annotators about a solution before all have handed in their "
    "sheets.\n" FILLING "| `y` | the step is right |\n"
    "| `n` | the step is wrong; it is the first one |\n" CANNOT_SAY
    "\nEvery step up to the first wrong one needs a letter. If no step is wrong, every step gets "
    "`y`.\n";

static const char overall[] =
    "# Is the step right, all in all?\n\n"
    "Decide of each step of a solution whether anything is wrong with its reasoning: a false "
    "statement or calculation, a conclusion that does not follow, a contradiction, or a detour "
    "that leads away from the question.\n" FILLING "| `y` | nothing is wrong with the step |\n"
    "| `n` | something is wrong with it |\n" CANNOT_SAY EACH_STEP;

static const char math[] =
    "# Are the calculations of the step right?\n\n"
    "Decide of each step whether every calculation that it carries out has the right result. "
    "Nothing else counts: whether the calculation helps, or is the one that the question needs, "
    "does not matter. The numbers are those that the step itself uses, even if an earlier step "
    "got them wrong.\n" FILLING "| `y` | every calculation is right, or the step has none |\n"
    "| `n` | at least one result is wrong |\n" CANNOT_SAY EACH_STEP;

static const char consistency[] =
    "# Is the step logically consistent?\n\n"
    "Decide of each step whether it agrees with itself, with the question, and with all steps "
    "before it. Its conclusion must follow from what it assumes, and it must not contradict what "
    "was said before, in the same step either. Results of calculations do not count "
    "here.\n" FILLING "| `y` | the step is consistent |\n"
    "| `n` | it contradicts something, or its conclusion does not follow |\n" CANNOT_SAY EACH_STEP;

static const char relevance[] =
    "# Is the step relevant?\n\n"
    "Decide of each step whether it helps to answer the question: it repeats something of the "
    "question that is needed, makes an assumption that helps, or concludes something that leads "
    "towards the answer. Whether it is true does not count here.\n" FILLING
    "| `y` | the step helps |\n"
    "| `n` | the solution would lose nothing without it |\n" CANNOT_SAY EACH_STEP;

const char *rdv_annotation_guidelines(rdv_str criterion)
{
    static const char *const names[] = {"correct", "overall", "math", "consistency", "relevance"};
    static const char *const texts[] = {correct, overall, math, consistency, relevance};
    int i = rdv_named(criterion, names, sizeof names / sizeof *names);
    return i < 0 ? NULL : texts[i];
}
