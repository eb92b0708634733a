// Mutants name rules by their text: a rule that was rewritten takes its mutant along.
import { test } from "node:test";
import { areas } from "../mutation/areas.ts";
import { mutated } from "../mutation/mutant.ts";
import { root } from "../vscode/paths.ts";

for (const [area, { mutants }] of Object.entries(areas)) {
  test(`every mutant of ${area} turns a rule that is there, once`, () => {
    for (const mutant of mutants) mutated(root, mutant);
  });
}
