import { setFlagsFromString } from "node:v8";
import { parentPort } from "node:worker_threads";
import { listedCases } from "../../../runner/cases.ts";
import { constructs } from "./constructs.ts";
import { createStepCounter } from "./steps.ts";
import { answerWorks, cellWorks, commandWorks, documentWorks, variableWorks, type Works } from "./works.ts";

/** The steps for one construct at each size, of all functions together or, where those are too steep, of each. */
export interface Growth {
  readonly construct: string;
  readonly works: readonly { readonly name: string; readonly steps: readonly number[] }[];
}

/** Beyond the limits of the language: 100 brackets, results and calls, 50 networks. */
const sizes = [150, 300];
/**
 * Twice as much text takes twice as many steps; looking up and sorting take a little more. The steps are the same in
 * each run, so a close limit at small sizes shows as much as a wide one at large sizes.
 */
const most = 2.1;

export function isSteep(steps: readonly number[]): boolean {
  return steps.slice(1).some((count, at) => count > (steps[at] ?? 0) * most + 2_000);
}

if (parentPort) {
  // Code that the optimizer inlines into its caller is not counted.
  setFlagsFromString("--no-opt");
  setFlagsFromString("--no-maglev");
  const count = createStepCounter();
  const worksOf: Readonly<Record<string, Works>> = {
    cell: cellWorks,
    document: documentWorks,
    command: commandWorks,
    answer: answerWorks,
    variables: variableWorks,
  };
  for (const { name: construct, as, text } of listedCases(constructs)) {
    parentPort.postMessage({ construct, works: [] } satisfies Growth);
    const works = worksOf[as] ?? {};
    const stepsOf = (run: (written: string) => void) =>
      sizes.map((size) => {
        const written = text(size);
        return count(() => run(written));
      });
    const all = stepsOf((written) => {
      for (const run of Object.values(works)) run(written);
    });
    const found = isSteep(all)
      ? Object.entries(works).map(([name, run]) => ({ name, steps: stepsOf(run) }))
      : [{ name: "all", steps: all }];
    parentPort.postMessage({ construct, works: found } satisfies Growth);
  }
}
