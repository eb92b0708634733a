import { runInNewContext } from "node:vm";

/** Aborts synchronous work, such as a regular expression, which nothing else can. Throws after `timeoutMs`. */
export function inTime<Value>(timeoutMs: number, work: () => Value): Value {
  return runInNewContext("work()", { work }, { timeout: timeoutMs });
}
