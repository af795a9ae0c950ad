# SPDX-License-Identifier: Apache-2.0
"""Nothing is left out silently: what of a file is not checked, folders, the question of a text, step marks of many languages."""
import os
import re
import unittest

from support import Case, chain, lines, rederive

CHAT = {"messages": [{"role": "user", "content": "What is 2 + 3?"}, {"role": "assistant", "content": "2 + 3 = 6"},
                     {"role": "tool", "content": "5"}, {"role": "user", "content": "Sure?"},
                     {"role": "assistant", "content": "<think>9 * 2 = 19</think>2 + 3 = 5"}]}
LEFT = {"turns": "only the last reply of a chat is checked", "tools": "what tools returned is not checked; --steps-from",
        "thinking": "before its reply is not checked; --check-reasoning checks it too", "language": "the text is "}
GERMAN = "Anna kauft die Äpfel und das Brot. Das ist ein guter Preis: 2 + 3 = 5"
CHINESE = "小明有二个苹果又买了三个，所以 2 + 3 = 5"


class Told(Case):
    def told(self, *args, stdin):
        err = rederive("check", *args, stdin=stdin).err
        return {name for name, says in LEFT.items() if says in err}, err

    def test_once_a_file_with_the_option(self):
        told, err = self.told(stdin=lines(CHAT, CHAT, CHAT))
        self.assertEqual(told, {"turns", "tools", "thinking"})
        self.assertEqual(err.count("standard input:1: "), 3)
        self.assertNotIn("standard input:2", err)

    def test_what_is_checked_is_not_told(self):
        self.assertEqual(self.told("--check-reasoning", stdin=lines(CHAT))[0], {"turns", "tools"})
        plain = {"messages": [CHAT["messages"][0], {"role": "assistant", "content": "2 + 3 = 5"}]}
        self.assertEqual(self.told(stdin=lines(plain))[0], set())
        self.assertEqual(self.told("-q", stdin=lines(CHAT))[1], "")

    def test_a_native_record_with_reasoning(self):
        self.assertEqual(self.told(stdin=lines(chain(reasoning="9 * 2 = 19")))[0], {"thinking"})
        self.assertEqual(self.told(stdin=lines(chain(reasoning="9 * 2 = 19", n_reasoning_steps=1)))[0], set())

    def test_another_language(self):
        for text in (GERMAN, CHINESE, "Задача решается в одно действие, так как 2 + 3 = 5"):
            self.assertEqual(self.told(stdin=lines(chain(question=text, steps=[text])))[0], {"language"}, text)
        for text in ("So 2 + 3 = 5", "α + β = γ", "2 + 3 = 5", "The café is 3 km away, and the Müllers walk 2 + 3 = 5 km"):
            self.assertEqual(self.told(stdin=lines(chain(question=text, steps=[text])))[0], set(), text)

    def test_german_in_short_sentences(self):
        for step in ("Die Hälfte von 48 ist 22.", "24 mal 3 ist 72, also 72."):
            self.assertEqual(self.told(stdin=lines(chain(question="Ein Bäcker hat 24 Brote.", steps=[step])))[0], {"language"}, step)

    def test_chinese_words_are_read_in_part(self):
        err = self.told(stdin=lines(chain(question=CHINESE, steps=[CHINESE])))[1]
        self.assertIn("the text is in Chinese: calculations in signs and in simple sentences are read, other words are not", err)
        err = self.told(stdin=lines(chain(question="リンゴは三個あります。", steps=["だから 2 + 3 = 5 です"])))[1]
        self.assertIn("the text is not in English", err)

    def test_the_report_says_it_too(self):
        for quiet in ([], ["-q"]):
            rederive("check", *quiet, "--html", self.path("r.html"), stdin=lines(CHAT))
            self.assertIn("; a record for each reply checks all of them", self.read("r.html"))
        files = [self.write(f"{i}.jsonl", lines(CHAT)) for i in range(2)]
        rederive("check", "-q", "--html", self.path("r.html"), *files)
        self.assertIn("<summary>6 notes on the input</summary>", self.read("r.html"))

    def test_the_same_of_many_files_is_counted(self):
        files = [self.write(f"{i}.jsonl", lines(CHAT)) for i in range(6)]
        err = rederive("check", *files).err
        self.assertEqual(err.count(LEFT["turns"]), 4)
        self.assertIn(f"rederive: 3 more files: {LEFT['turns']}", err)
        self.assertNotIn("more file", rederive("check", *files[:3]).err)
        self.assertIn("rederive: 1 more file: ", rederive("check", *files[:4]).err)

    def test_only_by_check(self):
        checked = rederive("check", "-q", stdin=lines(CHAT)).out
        self.assertNotIn("not checked", rederive("vote", stdin=checked).err)

    def test_decimal_commas(self):
        err = rederive("check", "--decimal", "point", stdin=lines(chain(steps=["The sum is 2 * 4,50 = 9,10"]))).err
        self.assertIn("1 not read: 1 decimal comma; --decimal comma reads decimal commas; --list-unread lists them\n", err)


class Folders(Case):
    def test_are_walked_in_order(self):
        os.makedirs(self.path("logs/b/c"))
        self.write("logs/z.jsonl", lines(chain(steps=["2 + 3 = 6"])))
        self.write("logs/b/a.txt", "2 + 3 = 7")
        self.write("logs/b/c/d.md", "2 + 3 = 8")
        self.write("logs/b/picture.png", "2 + 3 = 9")
        self.write("logs/.hidden.txt", "2 + 3 = 9")
        os.symlink(self.path("logs"), self.path("logs/b/again"))
        ended = rederive("check", "--list", self.path("logs"))
        self.assert_ended(ended, 0)
        self.assertEqual([line.split("logs/")[1].split(":")[0] for line in ended.out.splitlines()],
                         ["z.jsonl", "b/a.txt", "b/c/d.md"])
        self.assertIn("3 files in folders; others are passed over, by their names", ended.err)
        both = rederive("check", "-q", "--list", self.path("logs/b"), self.path("logs/z.jsonl"))
        self.assertEqual(len(both.out.splitlines()), 3)

    def test_one_without_records_is_an_error(self):
        os.makedirs(self.path("empty/pictures"))
        self.write("empty/pictures/a.png", "")
        ended = rederive("check", self.path("empty"))
        self.assertEqual((ended.status, ended.out), (3, ""))
        self.assertIn("empty: this folder has no file that may hold records (.jsonl, ", ended.err)

    def test_too_deep(self):
        os.makedirs(self.path("deep/" + "d/" * 40))
        ended = rederive("check", self.path("deep"))
        self.assertEqual(ended.status, 3)
        self.assertIn("more than 32 folders deep", ended.err)


class Lines(Case):
    def test_findings_in_a_text_have_their_line_and_column(self):
        text = "\n# Problem 1\nWhat is 2 + 3?\n\n## Solution\n**Step 1.** Ünits: 2 + 3 = 6.\n\n**Step 2.** So\n5 * 2 = 11 and\n  7 - 1 = 5.\n"
        ended = rederive("check", "-q", "--list", self.write("a.md", text))
        lines_of = text.split("\n")
        places = [re.search(r"a\.md:(\d+):(\d+): a/0 step (\d+): ", line).groups() for line in ended.out.splitlines()]
        self.assertEqual([(int(line), int(step)) for line, _, step in places], [(6, 0), (9, 1), (10, 1)])
        for (line, column, _), found in zip(places, ("2 + 3 = 6", "5 * 2 = 11", "7 - 1 = 5")):
            self.assertTrue(lines_of[int(line) - 1][int(column) - 1:].startswith(found), (line, column))

    def test_of_several_solutions_too(self):
        ended = rederive("check", "-q", "--list", "--separator", "---", self.write("a.md", "2 + 3 = 5\n---\n\nx\n\n2 + 3 = 6\n"))
        self.assertIn("a.md:6:1: a/1 step 1: 2 + 3 = 6", ended.out)
        unread = rederive("check", "-q", "--list-unread", self.write("b.md", "2 + 3 = 5\n\nso 100 -6 60 = 40\n"))
        self.assertIn("b.md:3:4: b/0 step 1: not read: ", unread.out)

    def test_escapes_of_a_record_are_counted(self):
        ended = rederive("check", "-q", "--list", self.write("a.jsonl", lines({"question": "?", "solution": "x\n\n2 + 3 = 6"})))
        self.assertIn("a.jsonl:1:37: a/0 step 1: ", ended.out)


class Tables(Case):
    def test_columns_have_names_in_any_language(self):
        for head in (("Frage", "Lösung"), ("Вопрос", "Решение"), ("题目", "解答"), ("Énoncé", "Réponse détaillée")):
            table = self.write("t.csv", f"{head[0]};{head[1]}\n\"Wie viel?\";\"7 × 1,20 € = 8,20 €\"\n")
            record, = rederive("check", "-q", "--question-from", head[0], "--steps-from", head[1], table).records
            self.assertEqual((record["question"], record["first_error"]), ("Wie viel?", 0), head)


class Questions(Case):
    TEXTS = [
        ("Question: What is 2 + 3?\n\n2 + 3 = 6", "What is 2 + 3?", 1),
        ("**Problem.** What is 2 + 3?\nStep 1: 2 + 3 = 6\nStep 2: Done.", "What is 2 + 3?", 2),
        ("# Problem 1\nWhat is\n2 + 3?\n\n## Solution\n2 + 3 = 6", "What is\n2 + 3?", 1),
        ("Aufgabe: Was ist 2 + 3?\n\nLösung:\nSchritt 1: 2 + 3 = 6\nSchritt 2: Fertig.", "Was ist 2 + 3?", 2),
        ("Pregunta 4: ¿Cuánto es 2 + 3?\nRespuesta: 2 + 3 = 6", "¿Cuánto es 2 + 3?", 1),
        ("题目：2 + 3是多少？\n解：第一步：2 + 3 = 6\n第二步，完成。", "2 + 3是多少？", 2),
        ("Задача. Сколько будет 2 + 3?\n\nРешение:\nШаг 1: 2 + 3 = 6\nШаг 2: Всё.", "Сколько будет 2 + 3?", 2),
        ("質問：2 + 3は？\n回答：2 + 3 = 6", "2 + 3は？", 1),
    ]
    NONE = ["2 + 3 = 6", "Question: What is 2 + 3?", "Problem solving takes time.\n\n2 + 3 = 6", "Questions remain: 2 + 3 = 6.\n\nYes.",
            "Is it 5? 2 + 3 = 6.\n\nYes.", "What is it?"]

    def test_are_found_by_their_marks(self):
        for text, question, steps in self.TEXTS:
            record, = rederive("check", "-q", self.write("a.txt", text)).records
            self.assertEqual((record.get("question"), len(record["steps"])), (question, steps), text)
            self.assertIn("2 + 3 = 6", record["steps"][0])

    def test_a_first_paragraph_that_asks_is_the_question(self):
        for question in ("How many grams\nof water form?", "**What is 2 + 3?**", "2 + 3是多少？"):
            text = question + "\n\nFirst line.\n2 + 3 = 6\nSo 6."
            record, = rederive("check", "-q", self.write("a.txt", text)).records
            self.assertEqual((record.get("question"), record["steps"]), (question, ["First line.", "2 + 3 = 6", "So 6."]))

    def test_else_the_text_is_the_solution(self):
        for text in self.NONE:
            record, = rederive("check", "-q", self.write("a.txt", text)).records
            self.assertNotIn("question", record)
            self.assertEqual("\n\n".join(record["steps"]), text)

    def test_a_text_without_one_is_told(self):
        for text in self.NONE + self.TEXTS:
            text, asked = (text, False) if isinstance(text, str) else (text[0], True)
            told = "no question was found in the text, so all of it is checked; " in rederive("check", self.write("a.txt", text)).err
            self.assertEqual(told, not asked and "\n" in text, text)  # one line needs none
        self.assertNotIn("no question", rederive("check", "--question", "", self.write("a.txt", "2 + 3 = 6\nDone.")).err)
        self.assertNotIn("no question", rederive("vote", self.write("a.txt", "2 + 3 = 6\nDone.")).err)

    def test_numbers_of_nowhere_are_not_said_to_lack_in_it(self):
        text = self.write("a.txt", "2 + 3 = 5.\n\n5 + 7 = 12.")
        self.assertIn('"7 was not found, and there is no question; the latest result before is 5"', rederive("check", "-m", "values", text).out)

    def test_the_option_decides(self):
        record, = rederive("check", "-q", "--question", "Mine?", self.write("a.txt", self.TEXTS[0][0])).records
        self.assertEqual((record["question"], len(record["steps"])), ("Mine?", 2))


class StepMarks(Case):
    """As models write them in answers, in languages that are in the table."""
    MARKS = ["Schritt {}: ", "{}. Schritt: ", "**Paso {}:** ", "Passo {} - ", "Étape {} : ", "Stap {}: ", "Steg {}. ", "Krok {}: ",
             "### Шаг {}: ", "Крок {}. ", "Bước {}: ", "Langkah {}: ", "{}. Adım: ", "第{}步：", "第{}步，", "步骤{}：", "步骤 {}: ", "ステップ{}：",
             "{}단계: ", "الخطوة {}: ", "שלב {}: ", "चरण {}: ", "ขั้นตอนที่ {}: ", "Βήμα {}: ", "Vaihe {}: ", "{}. lépés: ", "Pasul {}: ", "{}、"]

    def test_cut_a_solution(self):
        for mark in self.MARKS:
            text = "".join(f"{mark.format(i)}{i} + {i} = {2 * i}\n\nx\n" for i in (1, 2, 3))
            record, = rederive("check", "-q", stdin=lines({"question": "?", "solution": text})).records
            self.assertEqual(record["steps"], [f"{i} + {i} = {2 * i}\n\nx" for i in (1, 2, 3)], mark)

    def test_chinese_numerals(self):
        text = "".join(f"第{n}步：2 + 3 = 5\n" for n in ("一", "二", "十", "十一", "二十三"))
        record, = rederive("check", "-q", stdin=lines({"question": "?", "solution": text})).records
        self.assertEqual(record["steps"], ["2 + 3 = 5"] * 5)

    def test_no_mark_without_its_number(self):
        for text in ("Pas du tout: non.\nPas ici: non.", "Schritt für Schritt: gut.\nWeiter.", "Stap voor stap.\nKlaar."):
            record, = rederive("check", "-q", stdin=lines({"question": "?", "solution": text})).records
            self.assertEqual("\n".join(record["steps"]), text)


if __name__ == "__main__":
    unittest.main()
