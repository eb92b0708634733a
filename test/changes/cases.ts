// A part of the random cases of `npm run changes`: not in the test runner, which follows each promise and takes half of the time.
import { parseArgs } from "node:util";
import fc from "fast-check";
import { runCase } from "../unit/changes/changesCase.ts";
import { anySteps } from "../unit/changes/changesSteps.ts";
import { editor } from "../unit/changes/editorModel.ts";
import { disk } from "../unit/changes/modelDisk.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string" },
    seed: { type: "string" },
    real: { type: "boolean", default: false },
  },
});
editor.hasRipgrep = values.real;
disk.isStepped = !values.real;
const numRuns = Math.ceil(Number(values.runs) / 2);
for (const by of ["agent", "both"] as const)
  await fc.assert(
    fc.asyncProperty(anySteps(by), (steps) => runCase(steps)),
    { numRuns, seed: Number(values.seed) },
  );
