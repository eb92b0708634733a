import type { Step } from "../../platform/progress.ts";
import type { ManyProgress } from "./runMany.ts";

/** Words for how far a run of many is: `12 of 100`. */
export function manyText(count: number, tell: (step: Step) => void): (progress: ManyProgress) => void {
  let told = 0;
  return ({ through, waitsUntilMs }) => {
    const increment = ((through - told) / count) * 100;
    told = through;
    const time = waitsUntilMs === undefined ? undefined : new Date(waitsUntilMs).toLocaleTimeString();
    const waiting = time === undefined ? "" : `, the service takes more at ${time}`;
    if (count > 1 || time !== undefined) tell({ message: `${through} of ${count}${waiting}`, increment });
  };
}
