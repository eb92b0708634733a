// Mutants quote source text. If you rewrite a rule, update its mutant.
import { test } from "node:test";
import { areas } from "../mutation/areas.ts";
import { mutated } from "../mutation/mutant.ts";
import { root } from "../tools/paths.ts";

for (const [area, { mutants }] of Object.entries(areas)) {
  test(`every mutant of ${area} quotes a rule that occurs once`, () => {
    for (const mutant of mutants) mutated(root, mutant);
  });
}
