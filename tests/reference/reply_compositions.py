#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Made replies of known truth: a conclusion, with what may stand around it.

    reply_compositions.py READER [--list] [--aside]

READER is the program reply_reader. A reply is put together from parts: a reader's conclusion, a reason in one of several forms,
sentences before and behind, politeness and layout. All of these leave an endorsement one. Parts that turn it (denied, contrasted, supposed, reported,
asked, restricted to something else, taken back, cut off) leave none. Each third part (by its hash) stands aside: replies
with such a part were counted, and not looked at, while the rows of rules/replies.rules were written. --aside lists these. Fails when more than 1 % (2 % of one reader) of what endorses nothing is support, or more than 3 % of
the endorsements are missed. --list prints what is read otherwise."""
import collections
import hashlib
import json
import pathlib
import random
import re
import subprocess
import sys

AS = {"yes-no": "yesno", "correctness": "conclusion"}  # the others have their own names
FALSE, FALSE_OF_ONE, MISSED = 0.01, 0.02, 0.03
ENDORSEMENTS = pathlib.Path(__file__).resolve().parents[1] / "golden/replies-endorsements.tsv"
VERDICTS = (r"\b(correct|right|valid|true|support\w*|relevant|consistent|contradict\w*|yes|no|verdict|conclusion|answer|solution [12]|"
            r"conflict|mistake|error|agree\w*|fails?|none|hence|therefore)\b")
SUPPORT = {"right", "none"}
PER_KIND = 130  # replies of each reader and kind

# What endorses, as a whole sentence without its mark.
ENDORSES = {
    "comparison": [
        "Solution 1 supports the conclusion in Solution 2", "Therefore, Solution 1 supports the conclusion in Solution 2",
        "Based on this comparison, Solution 1 supports the conclusion in Solution 2", "So the answer is \"supports\"",
        "Solution 1 clearly supports Solution 2's conclusion", "The conclusion in Solution 2 is supported by Solution 1",
        "Final verdict: supports", "My conclusion is that Solution 1 supports the conclusion in Solution 2",
        "Hence I would say that Solution 1 fully supports the conclusion in Solution 2", "It supports the conclusion in Solution 2",
        "Both results are the same, so Solution 1 supports the conclusion in Solution 2",
        "In summary, Solution 1 supports the conclusion in Solution 2"],
    "correctness": [
        "Correct", "The step is correct", "Conclusion: Correct", "Therefore, the next step is correct", "My final answer is Correct",
        "So the solution is correct", "I conclude that the step is correct", "The student's solution is correct",
        "Final answer: Correct", "The calculation is right, so the step is correct", "Overall, this step is valid and correct",
        "The conclusion is: Correct"],
    "yes-no": [
        "Yes", "Answer: Yes", "So the answer is \"yes\"", "Yes, Thought 3 is right", "Therefore, the answer is yes", "Yes, it is right",
        "Thought 3 is right", "The reasoning process is correct, so the answer is \"yes\"", "I would answer yes", "Final answer: Yes",
        "Yes, the reasoning process is correct", "All checks pass, so the answer is yes"],
    "relevance": [
        "Yes, the solution is relevant", "Yes", "Yes, the draft step is relevant", "The draft step is relevant",
        "Evaluation: Yes, the solution is relevant", "Therefore, the draft step is relevant to the problem", "Yes, it is relevant",
        "I would answer 'yes, the solution is relevant'", "So my answer is: yes, the solution is relevant",
        "The step is correct and relevant", "Yes, the draft step adds relevant information that helps to solve the problem",
        "I consider the draft step relevant"],
    "consistency": [
        "not contradicting any information from the Previous Steps", "consistent with the Previous Steps",
        "consistent with the information in the Previous Steps", "not contradicting the Previous Steps",
        "in agreement with everything stated before", "correct and consistent with the Previous Steps",
        "a valid conclusion that does not contradict the Previous Steps", "not in conflict with any of the Previous Steps",
        "fully consistent with Step 1 and Step 2", "free of contradictions", "supported by the Previous Steps and does not contradict them",
        "consistent", "correct"],
    "location": [
        "No", "There is no mistake", "No, there is no mistake in the thoughts", "Answer: No", "So the answer is \"No\"",
        "All thoughts are correct, so the answer is No", "No mistake", "I find no mistake in any of the thoughts",
        "None of the thoughts contains a mistake", "There are no mistakes to be found here", "My answer is \"No\"",
        "Therefore, no thought has a mistake"],
}
# Conclusions that stand at the front, so that nothing can stand before them.
FRONT = {"consistency"}
# A bare word: what stands behind it in the same sentence needs a mark of its own.
BARE = {"Correct", "correct", "Yes", "No", "supports", "consistent"}

# Reasons behind it, in its sentence.
REASONS = [
    " because 12 + 30 is 42", " since each number comes from the question", ", because both amounts are the same", " as 6 * 7 = 42",
    ", since the order of the swaps is kept", " because it follows from Step 1", ", as 18 / 3 = 6 and 6 + 4 = 10",
    ": 3/4 of 20 is 15", ": the total is 42 in each case", ": 48 / 4 = 12, and 12 + 5 = 17", ": the perimeter is 2 * (3 + 5) = 16",
    ": every number is taken from the text", " – the total of 85 is what the text gives", " - 5 * 9 = 45", " — all numbers match",
    " - the sum of the three angles is 180 degrees", " (7 * 8 = 56)", " (all the numbers match)", " (95% sure)",
    " (it follows from the first two statements)", " (the units are the same too)", ": half of 30 is 15",
    " – Paul has the trumpet after the first swap", ": the last letter of \"Boston\" is \"n\"", ", given that the price is 5 dollars",
    " because nothing is missing", ", since there is no difference in the numbers", ": no number has been changed",
    " – nothing is wrong with it", " (no errors found)", ", because no step is left out", ": the coin ends heads up",
    " since the train leaves at 9 and needs 3 hours", ": it gives the number of boxes", ", as it is needed for the total", " (see Step 1)",
    " (the sum is 42)", ": the two amounts are equal", ", because Step 2 says the same", " - it takes the 18 from Step 1", ", for the sum is 42",
    ", and the sum is 42", ", as can be seen from 12 + 30 = 42", " since both numbers are positive",
    " because the price, 5 dollars, is given in the question", ", the reason being that all the numbers match"]
# Sentences behind it.
BEHIND = [
    "Both of them give 42.", "The total is 42.", "12 + 30 = 42.", "The price of 5 dollars is taken from the question.",
    "It takes the 18 from Step 1 and divides it by 3.", "Each number can be found in the text.", "The units match as well.",
    "In summary, everything adds up.", "Everything fits together.", "The same holds for the units.", "That gives 42 in all.",
    "Explanation: the farmer has 8 pens with 9 sheep each, so 72 sheep.", "Reason: 15% of 60 is 9.",
    "There are 24 hours in a day, so 3 days have 72 hours.", "This matches what the question says.",
    "It follows from Step 1 and Step 2.", "I double-checked the sum.", "I have checked each of the numbers.", "Here is why: the 5 stands in the text.",
    "The number of boxes is taken from Step 2.", "So there are 7 boxes with 6 pens each.", "Five times nine is forty-five.",
    "Tom has three brothers and two sisters.", "That leaves 12 eggs.", "We get the same number by counting.", "The equation 2x + 3 = 11 has the solution x = 4.",
    "Half of the 30 pupils are girls, hence 15.", "The text gives the speed in km per hour.", "The sum of the angles is 180 degrees.",
    "Monday comes before Tuesday.", "The key point is that both use the same price.", "The two amounts are equal.", "The stack is empty at the end.",
    "She spends a quarter of 80 dollars, and that makes 20 dollars.", "The answer is (B).", "The names are in the right order.",
    "It uses what is known about the train.", "This is needed to find the total.", "With it, the total can be found.",
    "It brings us closer to the solution.", "The next step can build on it.", "The logic is sound.", "Every line follows from the one before.",
    "The train leaves at 9 and arrives at 12.", "No number was made up.", "Nothing is missing.", "There are no contradictions.",
    "Anna is older than Ben, and Ben is older than Carl.", "The list is sorted from a to z.", "After the swap, Bob holds the book.",
    "Confidence: high.", "Summary: the numbers agree.", "The area of the rectangle is 5 x 9 = 45 square meters.",
    "The calculation is right too.", "Note: the same result follows by multiplying 6 by 7.", "The student uses the right formula.",
    "The discount is taken off first, and the tax is added after that."]
# Sentences before it.
BEFORE = [
    "Let's check it step by step.", "The question says that there are 42 apples.", "First, 12 + 30 = 42.", "Okay, let me see.",
    "At first I took the 6 for a slip, but it is right.", "The text gives the price as 5 dollars.", "Both start from 18.",
    "Half of 84 is 42, which is what we have here.", "I went through each line.", "The numbers are 3, 4 and 5 in both.",
    "Is there an error? I see none.", "It could look odd that the 7 is used twice, but the week has 7 days.",
    "Step 1 gives 18.", "Step 2 divides by 3 to get 6.", "### Check", "**Analysis:** the sum is right.",
    "- 15% of 60 = 9", "1. The number of boxes is 7.", "The wording differs, the numbers do not.", "We are given x = 3."]
POLITE = ["I hope this helps!", "Let me know if you have any questions.", "Hope that helps.", "Thank you.", "Great job!", "Keep up the good work!"]

# What turns it, behind: in its sentence ...
TURNS_INSIDE = [
    ", but the sum is off by one", ", but Step 3 is not", ", except for the last number", ", although the units are wrong", " only in part",
    " up to the second line", " if the price is 6", " unless the tax is included", ", or so the student says", ", according to the key",
    ", or is it", "? No", " – not", " (not)", " (just kidding)", ", apart from the sign", ", were it not for the 7", " in a sense",
    ", provided that x is positive", ", assuming the question means dollars", ", which I doubt", ", I think, or maybe it is not",
    ", though with an error in the second half", " or not", ", yet the total should be 43", ", however the final number is wrong",
    " at first sight", ", you might think", ", as some would say", ", or at least nearly", " for the first half", ", with one exception",
    ", which is exactly what it is not", " - wait, no", ", so they say", " to some extent", " on paper", " in theory", ", save for the rounding",
    ", as long as the 5 is meant", ", until the last line", " – or rather the opposite", ", which is false", " when x is even",
    ", but only by chance", " more or less", ", minus the last claim", ", except that 12 + 30 is 43", ", once the sign is corrected",
    ", but it contradicts Step 2", ", which must be rejected", ", mostly", ", in the opinion of the student", ": not at all",
    ", if I had to guess", ", barring a miscalculation", ", with the wrong sign", " – with a gap in the middle", " for another question",
    ", pending a check of the sum", ", subject to the 7 being right", " by accident", ", whatever that means",
    ", but not for the reason given", ", albeit with the wrong unit", ", even if the last line is nonsense", ", bar the final number",
    ", only the total is 43", ", which I can't confirm", ", though I have my doubts", ", but see Step 4", " (apart from the rounding)",
    ", if you squint", ", give or take a sign", " – well, almost", ", or would be with a plus", ", excluding the tax", ", barely",
    ", which the text denies", ", contrary to Step 2", ", or so it seems", ", as far as I can tell without the figure", ", I guess",
    ", but I'm not sure", " (or is it?)", " (unless 7 is a typo)", ", at least the first part", ", once you fix the sum",
    ", and yet the total is 43", ", disregarding the units", ", though the 30 is invented", ", with the caveat that x is positive",
    ", leaving aside the second claim", ", were the price 6", ", should the price be 6", ", depending on how you round",
    ", in the sense that both are false", ", which would be true of 42", ", supposedly", ", allegedly", ", as the student wants us to believe",
    ": false", ": not really", ": no", " – quite the contrary", ", and that is where it goes astray", ", and it also contradicts Step 2",
    ", and the second number is a mistake", ", and wrong", ", while the sum is 43", ", whereas Step 1 says 43", ", instead of 42",
    " as a joke", " by coincidence", " in name only", " by the wrong method", ", for want of a better word", ", minus the sign",
    ", but hold on", ", until you look at the units", ", said nobody", ", although it is hard to tell", ", perhaps", " half the time",
    ", to be checked", ", if and only if x is even", ", with the exception of the last line", ", in a different problem"]
# ... and in the next one.
TURNS_BEHIND = [
    "But the sum is 43.", "However, the 7 is not given.", "Wait, 12 + 30 is 43.", "No, that's wrong.", "Actually, no.", "Scratch that.",
    "On second thought, it is not.", "Just kidding.", "Or is it?", "That is what I would say if the price were 6.",
    "That is what the student says.", "Then again, the sign is wrong.", "Except that the units differ.", "Still, one number is missing.",
    "The last number is wrong, though.", "Sorry, I misread the question.", "Hmm, let me check again.", "I'm not sure about that.",
    "This would be my answer to a different question.", "That is false.", "Not quite.", "Correction: the total is 43.", "The opposite is true.",
    "At least that is what it looks like.", "There is a mistake in the second line.", "Step 2 has the wrong sign.", "The result should be 43.",
    "It must be changed to 43.", "The 7 needs to be replaced by 8.", "This contradicts Step 1.", "That does not follow.", "It is incorrect.",
    "Maybe not.", "Don't take my word for it.", "Unfortunately, the formula does not apply.", "Only the first part, that is.",
    "I can't judge the rest.", "The second half fails.", "You should not trust this answer.", "Ignore what I wrote.",
    "That was only an example.", "This is the format you asked for.", "One of these three is my answer.", "I take that back.",
    "Forget it, 30 is not in the text.", "The other number is off by 2.", "Strike that.", "It would be, had the sum been 42.",
    "Whether that holds is another matter.", "Oops, 6 * 7 is 42.", "Here the student slips.", "The unit is missing.",
    "It forgets the tax.", "A number was left out.", "It skips the second box.", "The reasoning is circular.", "What about the sign?",
    "Let me now evaluate the step.", "I will look at it now.", "Please provide the step.", "We have yet to check the sum.",
    "The numbers do not match.", "It ignores Step 2.", "Both cannot be true.", "The sum is too high.", "It is off by a factor of ten.",
    "That's the answer a careless reader gives.", "The total was miscounted.", "In reality, it is 43.", "The true value is 43.",
    "The sum, however, is 43.", "One number is wrong, though.", "That said, the 7 is made up.", "Having said that, the sum is 43.",
    "Hold on, the 30 is not in the text.", "But wait.", "On closer inspection, the sum is 43.", "Looking again, I see that the sign is wrong.",
    "Let me correct myself: it is 43.", "My mistake, the sum is 43.", "Never mind.", "I was wrong.", "That was too quick.", "I spoke too soon.",
    "Alas, the units differ.", "There's one problem.", "There is a catch.", "One thing is odd, though.", "Except for the total.", "Not so fast.",
    "Or not.", "Well, not really.", "Well, almost.", "Probably.", "Maybe.", "If only the sum were right.", "But only if x is positive.",
    "Only if the 7 is given.", "Provided the 7 is given.", "Assuming the price is 6.", "I could be wrong, of course.", "I may be mistaken.",
    "I'm guessing here.", "This is a guess.", "I have no idea.", "I don't know.", "Who knows?", "Do you agree?", "What do you think?",
    "The student's answer differs from mine.", "My own result is different.", "I get 43 instead.", "I got 43, not 42.",
    "The number 42 should be 43.", "It should have been added.", "He should have subtracted.", "They forgot the tax.", "The student forgets the tax.",
    "The tax is not included.", "The 30 is counted twice.", "The 30 appears nowhere in the text.", "Nothing in the text says so.",
    "No such number is given.", "The step misses the point.", "The formula is not the right one.", "The wrong formula is used.",
    "Its sign is reversed.", "The inequality points the wrong way.", "It confuses radius and diameter.", "It mixes up the two trains.",
    "It takes Monday for Tuesday.", "It divides where it should multiply.", "It jumps to a conclusion.", "A step is missing.",
    "The last line is a non sequitur.", "That contradicts what was said before.", "The Last Step says the opposite.", "Step 1 says otherwise.",
    "In Step 1 it is 43 instead of 42.", "This is at odds with Step 1.", "This clashes with Step 1.", "The two cannot both hold.",
    "This does not solve the problem.", "It is of no use here.", "It leads nowhere.", "It has nothing to do with the question.",
    "We knew that already.", "It is superfluous.", "Solution 2 ends with a different number.",
    "The two solutions end with different numbers.", "One of them is wrong.", "Solution 2 is unrelated to that.", "The first thought is wrong.",
    "Thought 2 is the culprit.", "The mistake is in Thought 2.", "Thought 4 is where it breaks.", "From Thought 3 on, everything is off.",
    "The rest is wrong.", "The rest I did not check.", "I stopped there.", "I haven't looked at the numbers.", "I only checked the first line.",
    "To be continued.", "More on this later.", "Read this as \"Wrong\".", "Replace that by \"No\".", "The reverse holds.", "It's the other way round.",
    "This was true of the old version.", "The above is a quotation.", "These are not my words.", "So says the answer key.",
    "Others disagree.", "Somebody else may see that differently.", "Please double-check.", "Take this with a grain of salt."]
# What stands before it in its sentence and makes it none.
FRAMES = [
    "If the price were 6, I would say: {}.", "The student claims: {}.", "It is not true that {}.", "You might expect me to say: {}.",
    "An example of a reply is: {}.", "Suppose that {}.", "I doubt that {}.", "I can't say \"{}\".", "Should I answer \"{}\"?",
    "My colleague would answer: {}.", "The prompt asks me to end with \"{}\" or something else.", "Unless the sum is 43, {}.",
    "It would be wrong to say: {}.", "Is it true that {}?", "Nobody would say that {}.", "I wish I could say: {}.",
    "Last time I answered: {}. This time I can't.", "I was about to write \"{}\", but 12 + 30 is 43.", "It seems unlikely that {}.",
    "Perhaps {}.", "Whether {} depends on the sign.", "Someone wrote: {}. That's nonsense.", "The options are: {}.", "Far be it from me to say: {}.",
    "The user wants me to say: {}.", "Assuming that 12 + 30 is 43, {}.", "It remains to be seen whether {}.", "I'd be lying if I said: {}.",
    "The claim that {} is false.", "At first I thought: {}. Then I saw the sign.", "A grader who overlooks the 7 would write: {}.",
    "In a perfect world: {}.", "I refuse to say: {}.", "Had it been 42, {}.", "The reply \"{}\" is not what I would give.", "By no means {}.",
    "I hesitate to say: {}.", "I'd love to say: {}.", "Some would say: {}.", "It used to be that {}.", "Imagine I said: {}.",
    "The answer would be \"{}\" with a plus.", "\"{}\" is what a parrot says.", "\"{}\" or not, the sum is 43.", "Why would anyone say: {}?",
    "If everything were fine: {}.", "Only when the sum is 42: {}.", "Don't say: {}.", "You should never say: {}.", "How can I say \"{}\"?",
    "In case the price is 6, {}.", "As long as the sign holds, {}.", "The words \"{}\" are reserved for right steps.", "My first guess was: {}.",
    "A naive reading: {}.", "The model before me wrote: {}.", "According to the student, {}.", "Had I not seen the sign: {}.",
    "There is no way that {}.", "I find it hard to believe that {}.", "It's debatable whether {}.", "Most people would say: {}.",
    "Template: {}.", "Possible replies: {} / none of these.", "Your reply must be: {}.",
    "Say \"{}\" when the sum is 42 and nothing when it is 43.", "Only an optimist says: {}.", "Not even close to \"{}\".", "Does this mean: {}?"]
# What does not endorse, as a whole sentence.
OTHERS = {
    "comparison": [
        "Solution 1 contradicts the conclusion in Solution 2", "Solution 1 is not directly related to the conclusion in Solution 2",
        "Solution 1 does not support the conclusion in Solution 2", "Solution 2 supports 42 and Solution 1 ends with 43",
        "Solution 1 neither supports nor contradicts the conclusion in Solution 2", "Solution 1 supports 5 and Solution 2 says 6",
        "Solution 1 \"supports\", \"contradicts\" or \"is not directly related to\" the conclusion in Solution 2", "The two solutions agree in part",
        "Solution 1 partly supports the conclusion in Solution 2", "Solution 1 supports a different conclusion", "Solution 1 could support either",
        "Solution 1 seems to support the conclusion, but it does not"],
    "correctness": [
        "Wrong", "Not Sure", "The step is wrong", "Correct the sum first", "The correct value is 43", "Correct / Wrong / Not Sure",
        "The step is not correct", "The correct answer is 42", "Correct me if the sum is right", "Correct: 43 instead of 42",
        "The first half is correct and the second is not", "It would be correct with a plus"],
    "yes-no": [
        "No", "Answer: No", "The answer is yes or no", "Yes and no", "Yes, there is an error", "Yes, I can check that", "Yes, the 7 is ungrounded",
        "The answer is \"no\"", "I can't say yes", "Yes, Thought 3 is wrong", "Neither yes nor no", "Yes, a number is missing"],
    "relevance": [
        "No", "Yes, Step 0 is relevant, the draft step is not", "The draft step is not relevant", "Relevant or not, it is wrong",
        "Yes, the solution is irrelevant", "No, the solution is relevant to nothing", "The draft step adds nothing new",
        "Yes, I can evaluate the draft step", "The relevant step is Step 1", "It is hardly relevant", "Yes, the draft step repeats Step 1",
        "The draft step is related to a different problem"],
    "consistency": [
        "contradicting Step 1", "inconsistent with the Previous Steps", "not consistent with the Previous Steps", "the conclusion",
        "consistent with Step 1 but not with Step 2", "partly consistent with the Previous Steps", "not supported by the Previous Steps",
        "in conflict with Step 2", "not contradicting Step 1, it contradicts Step 2", "neither consistent nor inconsistent",
        "incorrect", "consistent only if the 7 is a typo"],
    "location": [
        "3", "Thought 3", "The first mistake is in Thought 3", "No, Thought 2 is wrong", "No. 3", "Thought 2 has the wrong sign",
        "No mistake before Thought 3", "No thought but the third is wrong", "Not Thought 1", "There is no mistake in Thought 1",
        "No answer", "Yes"],
}
# What tells of the matter behind a conclusion, and denies, contrasts or supposes something of it.
FREE = [
    "The sum of the ones is 7, so no carry is needed.", "The result is not 12 but 15, as the step says.", "No terms are lost.",
    "Since 7 is prime, it has no divisors other than 1 and itself.", "If each of the 3 friends pays 12 dollars, the total is 36 dollars.",
    "Alice no longer has the ball, because she gave it to Bob.", "The product of two negative numbers is not negative.",
    "The bus does not stop on the way.", "None of the three numbers was changed.", "The shop is closed on Sundays, so only 6 days count.",
    "We do not have to divide by anything, for all the letters are different.", "Lisa cannot be in the first seat, so she must be in the second or third seat.",
    "After the second swap, Bob holds the red ball and not the blue one.", "There are 14 children, and the adults are not counted.",
    "The stack is not empty yet, and the next bracket is pushed.", "12 divided by 3 is 4 and not 3.", "A third of the cows are brown, the others are not.",
    "The tank is filled until it holds 50 liters.", "Without the discount the price is 45 dollars.", "If x is 3, then 2x + 1 is 7.",
    "The train has not left at noon, so 3 hours remain.", "Neither of the two sides is longer than 5.", "He keeps the rest of the apples, which are not sold.",
    "The fourth card is no ace, and neither is the fifth.", "The number 0 is neither positive nor negative.", "The red bird cannot be to the left of the blue one.",
    "The door was never opened, so the light is still on.", "There is no Monday in this part of the calendar.", "The tip is not part of the bill, so it stays out of the sum.",
    "When the coin is flipped twice, it is heads up again."]
# Sentences that judge, behind a conclusion: what is judged, and how.
JUDGED = ["The sum", "The step", "It", "The last number", "Step 2", "The student's total", "The unit", "The 7", "The conclusion", "This",
          "That part", "The second line", "The calculation", "The reasoning", "The formula", "The answer"]
JUDGES = [
    "is wrong", "is not right", "does not follow", "doesn't hold", "is not supported", "is not what was asked", "should be 43",
    "should have been subtracted", "cannot be right", "is off by one", "is not given in the text", "was never proven", "is doubtful",
    "has an error in it", "is missing", "contradicts Step 1", "is a guess", "must be corrected", "is not correct, though the rest is",
    "fails for 0", "isn't consistent with Step 1", "was made up", "would be right only for x > 0", "may be false", "is irrelevant",
    "does not help", "isn't true", "is unclear", "is not quite the same", "does not match the text", "differs from the text",
    "has not been checked", "makes no sense", "is no proof", "needs a second look", "can't be verified", "is not the number in the text",
    "was not shown", "isn't justified", "is neither given nor found", "ought to be 12", "rests on a slip", "is invalid", "is half right"]
JUDGING_LEADS = ["", "", "", "However, ", "But ", "Then again, ", "That said, ", "In fact, ", "Unfortunately, ", "Still, "]
# Ends that are cut off.
CUT = [" because the", ", since the sum of", ", but", " and the", ", although", " because Step 1 says that", " if", ", which is", ", except"]


def aside(part):
    return int(hashlib.sha256(part.encode()).hexdigest(), 16) % 3 == 0


def lower(text):
    return text if text.split()[0].strip("s,") in ("Solution", "Thought", "I") else text[0].lower() + text[1:]


def capital(text):
    return text[0].upper() + text[1:]


def free_sentences():
    """What stands behind the conclusion of an endorsement that somebody wrote: sentences without a word of any conclusion."""
    found = []
    for line in ENDORSEMENTS.read_text(encoding="utf-8").splitlines():
        _, truth, text = line.split("\t", 2)
        sentences = re.split(r"(?<=[.!])\s+|\\n", text) if truth == "endorses" else []
        last = max((i for i, s in enumerate(sentences) if re.search(VERDICTS, s, re.IGNORECASE)), default=len(sentences))
        found += [s for s in sentences[last + 1:] if re.fullmatch(r"[A-Z][^:|{}*#\\\"“]{20,160}[.]", s)]
    return found


def laid_out(rng, text):
    form = rng.randrange(8)
    return ["**" + text + "**", "### Conclusion\n\n" + text][form] if form < 2 else text


def joined(sentences):
    """Headings and items stand on a line of their own."""
    lined = ("#", "-", "1.", "**Analysis")
    return "".join(s + ("\n" if s.startswith(lined) else " ") for s in sentences).rstrip(" ")


def endorsement(rng, reader, draw):
    """A conclusion with up to three additions that leave it an endorsement."""
    core = draw(ENDORSES[reader])
    front = reader in FRONT
    sentence = core + (draw(REASONS) if rng.random() < 0.5 else "") + "."
    before = [] if front else [draw(BEFORE) for _ in range(rng.choice((0, 0, 1, 2)))]
    behind = [draw(BEHIND) for _ in range(rng.choice((0, 0, 1, 1, 2)))]
    if not front:
        before = ["\n".join(before) + "\n\n"] if before and rng.random() < 0.4 else before
        sentence = laid_out(rng, sentence)
    if rng.random() < 0.15:
        behind.append(draw(POLITE))
    between = "\n\n" if rng.random() < 0.3 else " "
    return joined(before + [sentence]) + (between + joined(behind) if behind else "")


def is_verdict(sentence):
    """Does it judge, so that it may stand as the conclusion where the one before it is taken back?"""
    return any(word in sentence for word in ("contradiction", "is right", "is sound", "adds up", "fits", "match"))


def turned(rng, reader, draw, kind):
    core = draw(ENDORSES[reader])
    before = [] if reader in FRONT else [draw(BEFORE) for _ in range(rng.choice((0, 0, 1)))]
    behind = [draw(BEHIND) for _ in range(rng.choice((0, 0, 0, 1)))]
    reason = draw(REASONS) if rng.random() < 0.3 else ""
    if kind == "judged":
        return joined(before + [core + reason + "."] + behind +
                      [capital(draw(JUDGING_LEADS) + lower(draw(JUDGED)) + " " + draw(JUDGES) + ".")])
    if kind == "inside":
        return joined(before + [core + reason + draw(TURNS_INSIDE) + "."] + behind)
    if kind == "behind":
        return joined(before + [core + reason + "."] + behind + [draw(TURNS_BEHIND)])
    if kind == "between":
        return joined(before + [core + reason + ".", draw(TURNS_BEHIND)] + [b for b in behind if not is_verdict(b)])
    if kind == "frame":
        return joined(before + [draw(FRAMES).format(lower(core) if rng.random() < 0.5 else core)])
    if kind == "cut off":
        return joined(before + [core + draw(CUT)])
    return joined(before + [draw(OTHERS[reader]) + (draw(REASONS) if rng.random() < 0.4 else "") + "."] +
                  [b for b in behind if not is_verdict(b)])


def made():
    """(reader, endorses, kind, whether a part is kept aside, text), each text once."""
    rng = random.Random(42)
    seen = set()
    free = free_sentences()
    for reader in ENDORSES:
        kinds = ["endorses"] * 5 + ["free"] * 2 + ["inside", "behind", "between", "frame", "cut off", "other", "judged"]
        for kind in kinds:
            for _ in range(PER_KIND):
                parts = []

                def draw(items):
                    parts.append(rng.choice(items))
                    return parts[-1]

                endorses = kind in ("endorses", "free")
                text = (draw(ENDORSES[reader]) + ". " + draw(FREE + free) if kind == "free" else
                        endorsement(rng, reader, draw) if endorses else turned(rng, reader, draw, kind))
                if text not in seen:
                    seen.add(text)
                    yield reader, endorses, kind, any(aside(p) for p in parts), text


def main(program, listing, only_aside):
    rows = list(made())
    asked = "".join(json.dumps({"as": AS.get(r, r), "reply": text, "steps": 12}) + "\n" for r, _, _, _, text in rows)
    said = subprocess.run([program], input=asked, capture_output=True, text=True, check=True).stdout.splitlines()
    counts = collections.defaultdict(collections.Counter)
    for (reader, endorses, kind, kept, text), line in zip(rows, said, strict=True):
        supports = line.split("\t")[0] in SUPPORT
        for name in (reader, kind, "all"):
            n = counts[kept, name]
            n["endorsements" if endorses else "others"] += 1
            n["missed" if endorses else "false"] += supports != endorses
        if listing and kept == only_aside and supports != endorses:
            print(f"{reader}: {kind}: {line.split(chr(9))[0]}: {text!r}")
    bad = False
    for (kept, name), n in sorted(counts.items()):
        false, missed = n["false"] / max(n["others"], 1), n["missed"] / max(n["endorsements"], 1)
        print(f"{'aside' if kept else 'seen'}: {name}: {n['false']} of {n['others']} are support that must not be ({false:.1%}); "
              f"{n['missed']} of {n['endorsements']} endorsements missed ({missed:.1%})")
        bad |= false > (FALSE if name == "all" else FALSE_OF_ONE if name in ENDORSES else 1)
        bad |= name == "all" and missed > MISSED
    return bad


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], "--list" in sys.argv[2:], "--aside" in sys.argv[2:]))
