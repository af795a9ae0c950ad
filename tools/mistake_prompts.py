#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns the prompts of BIG-Bench Mistake's authors into folders for Rederive:

    git clone https://github.com/WHGTyen/BIG-Bench-Mistake
    python3 tools/mistake_prompts.py BIG-Bench-Mistake authors
    rederive check -m direct-trace,direct-step,cot-step --prompt-dir authors/prompts -M MODEL BIG-Bench-Mistake/word_sorting.jsonl

`authors/prompts` has their prompts for finding mistakes and for generating traces. `authors/methods`, for --method-dir, has what
is no method of the paper: a written check of a whole trace (cot-trace), which they have for word sorting. Their programs are
read, never run. docs/mistakes.md says what is theirs and what is not."""
import ast
import json
import os
import pathlib
import re
import sys
import textwrap

SOURCE = "the authors of BIG-Bench Mistake, https://github.com/WHGTyen/BIG-Bench-Mistake (Apache-2.0)"
OPTIONS = "{{?options}}\nOptions:\n{{#options}}\n({{letter}}) {{text}}\n{{/options}}\n{{/options}}"
STEPS = "{{#steps}}\nThought {{number}}: {{text}}\n{{/steps}}"
# Of the authors' names: our prompt, the limit of a reply, the answers, and whether a reply reasons before its answer.
KINDS = {
    "DIRECT": ("mistakes/direct-trace", 20, '"No", "@1"', False),
    "DIRECT_PERSTEP": ("mistakes/direct-step", 20, '"Yes", "No"', False),
    "COT_PERSTEP": ("mistakes/cot-step", 1000, '"Yes", "No"', True),
    "COT": ("cot-trace", 1000, '"No", "@1"', True),
}
METHOD = """---
method: cot-trace
source: {source}
summary: have the whole trace checked in writing, for the first thought with a mistake
conclude: location
---
## cot-trace
prompt: cot-trace/{task}
per: chain
read: location thought
as: response
example: "Comment 1: Thought 1 is correct. So the answer is No"
"""


def value_of(node):
    """The value of a literal, or of textwrap.dedent() of one."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "dedent":
        return textwrap.dedent(value_of(node.args[0]))
    if isinstance(node, (ast.Tuple, ast.List)):
        return [value_of(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        return {value_of(key): value_of(value) for key, value in zip(node.keys, node.values)}
    return ast.literal_eval(node)


def prompts_of(clone):
    """{task: {name of the authors: value}} of their programs, or of one JSON file of the same."""
    merged = clone / "mistake_finding_prompts.json"
    if merged.is_file():
        return json.loads(merged.read_text(encoding="utf-8"))
    found = {}
    for path in sorted((clone / "mistake_finding_prompts").glob("*_prompts.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found[path.stem.removesuffix("_prompts")] = {
            node.targets[0].id: value_of(node.value) for node in tree.body
            if isinstance(node, ast.Assign) and node.targets[0].id.endswith(("_TEMPLATE", "_MESSAGES"))}
    return found


def turn(role, text):
    """A message; nothing of the text may be taken for the language of prompts."""
    if "{{" in text.replace("{{input}}", "").replace("{{next}}", "").replace(OPTIONS, "").replace(STEPS, ""):
        raise SystemExit("a prompt of the authors holds {{, which has no spelling here")
    if any(line.startswith("## ") for line in text.split("\n")):
        raise SystemExit("a prompt of the authors holds a line that begins with ##")
    return f"## {role}\n{text}\n"


def asked(template):
    """The authors' template with our variables, the options of a generated question behind it."""
    text = template.replace("{input}", "{{input}}").replace("{current_step}", "{{next}}")
    before, rest = text.split("{steps}")
    return before.rstrip("\n") + "\n" + OPTIONS + "\n" + STEPS + rest


def write(path, head, messages):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("---\n" + "".join(f"{name}: {value}\n" for name, value in head.items()) + "---\n" + "".join(messages),
                    encoding="utf-8")


def head_of(prompt_id, tokens, **more):
    return {"id": prompt_id, "source": SOURCE, "profile": "both", "variables": "input, options[text], steps[number, text]",
            "temperature": 0, "max_tokens": tokens, **more}


def write_finding(out, task, prompts):
    for kind, (name, tokens, answers, reasoned) in KINDS.items():
        if kind + "_TEMPLATE" not in prompts:
            continue
        head = head_of(f"{name}/{task}", tokens, answers=answers, **({"reasoned": "yes"} if reasoned else {}))
        if "{current_step}" in prompts[kind + "_TEMPLATE"]:
            head["variables"] += ", next"
        messages = [turn(message["role"], message["content"]) for message in prompts[kind + "_MESSAGES"]]
        folder = out / ("methods" if kind == "COT" else "prompts")
        write(folder / name / f"{task}.md", head, messages + [turn("user", asked(prompts[kind + "_TEMPLATE"]))])
        if kind == "COT":
            (folder / "cot-trace.method").write_text(METHOD.format(source=SOURCE, task=task), encoding="utf-8")
        yield f"{name}/{task}"


def write_generating(out, path):
    """A text with examples. A question begins as those of the examples do, up to their last colon."""
    text, task = path.read_text(encoding="utf-8").rstrip("\n"), path.stem.removesuffix("_prompt")
    questions = [part.split("\n")[0] for part in text.split("\n\n")[1:] if "\nThought 1:" in part]
    words = re.match(r"(.*: )?", os.path.commonprefix(questions))[0]
    head = head_of(f"mistakes/trace/{task}", 300, stop='"\\n"')
    head["variables"] += ", next"
    write(out / "prompts" / "mistakes" / "trace" / f"{task}.md", head,
          [turn("user", f"{text}\n\n{words}{{{{input}}}}\n{OPTIONS}"), turn("assistant", f"{STEPS}\nThought {{{{next}}}}:")])
    return f"mistakes/trace/{task}"


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    clone, out = map(pathlib.Path, sys.argv[1:])
    written = [name for task, prompts in prompts_of(clone).items() for name in write_finding(out, task, prompts)]
    if not written:
        raise SystemExit(f"{clone} has no mistake_finding_prompts")
    written += [write_generating(out, path) for path in sorted((clone / "generation_prompts").glob("*_prompt.txt"))]
    print(f"{len(written)} prompts in {out}")


if __name__ == "__main__":
    main()
