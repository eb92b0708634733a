// Counts the work of a function: executed blocks of code, and the characters and items that builtins process for it.
import { Session } from "node:inspector";

/** Counts the steps of a function; the same work has the same count. */
export function createStepCounter(): (work: () => void) => number {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const looked = watchBuiltins();
  return (work) => {
    blocksRun(session);
    looked.count = 0;
    work();
    const { count } = looked;
    return blocksRun(session) + count;
  };
}

/** Since the last call. */
function blocksRun(session: Session): number {
  let sum = 0;
  session.post("Profiler.takePreciseCoverage", (error, { result }) => {
    if (error) throw error;
    for (const { url, functions } of result) {
      if (!url.startsWith("file:")) continue;
      for (const { ranges } of functions) for (const { count } of ranges) sum += count;
    }
  });
  return sum;
}

type Method = (this: { readonly length: number }, ...args: unknown[]) => unknown;

/** Builtins run none of our blocks, however much they process. */
function watchBuiltins(): { count: number } {
  const looked = { count: 0 };
  const watch = (
    owner: object,
    name: string,
    cost: (self: { readonly length: number }, made: unknown, args: readonly unknown[]) => number,
  ) => {
    const original = Reflect.get(owner, name) as Method;
    const watched: Method = function (...args) {
      const made = original.apply(this, args);
      looked.count += cost(this, made, args);
      return made;
    };
    Object.defineProperty(owner, name, { value: watched, configurable: true, writable: true });
  };
  const ownLength = (self: { readonly length: number }) => self.length;
  const madeLength = (_: unknown, made: unknown) => (made as { readonly length: number }).length;
  for (const name of ["includes", "indexOf", "lastIndexOf", "join", "reverse", "toReversed", "sort"])
    watch(Array.prototype, name, ownLength);
  for (const name of ["slice", "concat", "flat", "flatMap"]) watch(Array.prototype, name, madeLength);
  for (const name of ["trim", "trimEnd", "trimStart", "split", "replaceAll", "includes", "toLowerCase"])
    watch(String.prototype, name, ownLength);
  watch(String.prototype, "indexOf", ({ length }, found, [, from = 0]) =>
    Math.max(1, (Number(found) < 0 ? length : Number(found)) - Number(from)),
  );
  for (const name of ["repeat", "padStart"]) watch(String.prototype, name, madeLength);
  for (const name of ["entries", "keys", "values"]) watch(Object, name, madeLength);
  watch(JSON, "stringify", (_, made) => (typeof made === "string" ? made.length : 1));
  watchPatterns(looked);
  return looked;
}

/** Every use of a pattern calls `exec`, if that is not the engine's own. */
function watchPatterns(looked: { count: number }): void {
  const { exec } = RegExp.prototype;
  RegExp.prototype.exec = function (text) {
    const start = this.sticky || this.global ? this.lastIndex : 0;
    const found = exec.call(this, text);
    if (found) looked.count += found.index + found[0].length - start;
    else looked.count += this.sticky ? 1 : Math.max(0, text.length - start);
    return found;
  };
}
