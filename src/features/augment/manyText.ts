import type { Step } from "../../platform/progress.ts";
import type { ManyProgress } from "./runMany.ts";

/** Words for how far a run of many is: `5 of 12 read, 7 failed`. */
export function manyText(count: number, report: (step: Step) => void): (progress: ManyProgress) => void {
  let reported = 0;
  return ({ through, failed, waitsUntilMs }) => {
    const increment = ((through - reported) / count) * 100;
    reported = through;
    const time = waitsUntilMs === undefined ? undefined : new Date(waitsUntilMs).toLocaleTimeString();
    const waiting = time === undefined ? "" : `, the service takes more at ${time}`;
    const failures = failed === 0 ? "" : `, ${failed} failed`;
    const message = `${through - failed} of ${count} read${failures}${waiting}`;
    if (count > 1 || time !== undefined) report({ message, increment });
  };
}
