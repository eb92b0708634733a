import { runInNewContext } from "node:vm";

/** Ends work that hangs in one call, a regular expression too: nothing else can. Throws where `timeoutMs` are over. */
export function inTime<Value>(timeoutMs: number, work: () => Value): Value {
  return runInNewContext("work()", { work }, { timeout: timeoutMs });
}
