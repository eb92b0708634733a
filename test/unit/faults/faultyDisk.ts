// Loaded into a process before its code (`node --import`): numbers the calls of the process that change the disk. At the
// call of its plan, the process is killed, or the disk is full from then on.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { isAbsolute } from "node:path";
import { callsVariable, type DiskCall, type FaultPlan, planVariable } from "./faultPlan.ts";

type Work = (...given: readonly unknown[]) => unknown;
type Functions = Record<string, Work>;

const plan = JSON.parse(process.env[planVariable] ?? '{"kind":"none"}') as FaultPlan;
const calls: DiskCall[] = [];
const whole = { ...(fs as unknown as Functions) };
let isFreed = false;
/** A synchronous function of node:fs calls others. */
let isInside = false;

/** What a call writes, and how it writes the first half of that. */
interface Written {
  readonly data: unknown;
  readonly half: (data: unknown) => unknown;
}

interface Asked {
  readonly name: string;
  readonly written?: Written | undefined;
  readonly creates: boolean;
}

function kill(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("the process is killed");
}

function fullError(name: string): Error {
  return Object.assign(new Error(`ENOSPC: no space left on device, ${name}`), { code: "ENOSPC", errno: -28 });
}

function sourcesOf(stack = ""): readonly string[] {
  return [...new Set([...stack.matchAll(/\/(src\/[\w/.-]+\.ts)/g)].map(([, file = ""]) => file))];
}

/** Notes a call. Returns what the fault does to it. */
function begin({
  name,
  written,
  creates,
}: Asked): "kill half" | "kill after" | "fail" | "fail half" | "none" {
  const hasData = written !== undefined && sizeOf(written.data) > 0;
  const index = calls.length;
  const sources = plan.kind === "none" ? sourcesOf(new Error().stack) : [];
  calls.push({ name, hasData, needsSpace: hasData || creates, sources });
  if (plan.kind === "kill" && plan.call === index) {
    if (plan.when === "before") kill();
    return plan.when === "half" ? "kill half" : "kill after";
  }
  const isFull = plan.kind === "full" && !isFreed && index >= plan.call;
  return isFull ? onFullDisk(plan.fails, hasData, creates) : "none";
}

function onFullDisk(fails: "data" | "all", hasData: boolean, creates: boolean) {
  if (fails === "all") return hasData || creates ? "fail" : "none";
  return hasData ? "fail half" : "none";
}

function sizeOf(data: unknown): number {
  if (typeof data === "string" || data instanceof Uint8Array) return data.length;
  // A list of chunks, or chunks that are yet to come.
  return data === undefined || data === null ? 0 : 1;
}

function firstHalf(data: unknown): unknown {
  if (typeof data === "string") return data.slice(0, Math.ceil(data.length / 2));
  if (data instanceof Uint8Array) return data.subarray(0, Math.ceil(data.length / 2));
  const [first] = data as Iterable<unknown>;
  return firstHalf(first);
}

function nowWith(real: Work, ask: (given: readonly unknown[]) => Asked | undefined): Work {
  return function (this: unknown, ...given) {
    const asked = isInside ? undefined : ask(given);
    if (!asked) return real.apply(this, [...given]);
    const fault = begin(asked);
    isInside = true;
    try {
      if (fault === "kill half" || fault === "fail half") asked.written?.half(firstHalf(asked.written.data));
      if (fault === "kill half") kill();
      if (fault.startsWith("fail")) throw fullError(asked.name);
      const result = real.apply(this, [...given]);
      if (fault === "kill after") kill();
      return result;
    } finally {
      isInside = false;
    }
  };
}

function laterWith(real: Work, ask: (given: readonly unknown[], self: unknown) => Asked | undefined): Work {
  return async function (this: unknown, ...given) {
    const asked = ask(given, this);
    if (!asked) return real.apply(this, [...given]);
    const fault = begin(asked);
    if (fault === "kill half" || fault === "fail half")
      await asked.written?.half(firstHalf(asked.written.data));
    if (fault === "kill half") kill();
    if (fault.startsWith("fail")) throw fullError(asked.name);
    const result = await real.apply(this, [...given]);
    if (fault === "kill after") kill();
    return result;
  };
}

/** With a callback as its last argument, as a stream of a file calls it. */
function calledBackWith(real: Work, ask: (given: readonly unknown[]) => Asked | undefined): Work {
  return function (this: unknown, ...given) {
    const asked = ask(given);
    if (!asked) return real.apply(this, [...given]);
    const fault = begin(asked);
    const callBack = given.at(-1) as Work;
    if (fault === "kill half" || fault === "fail half") asked.written?.half(firstHalf(asked.written.data));
    if (fault === "kill half") kill();
    if (fault.startsWith("fail")) return process.nextTick(() => callBack(fullError(asked.name)));
    return real.apply(this, [
      ...given.slice(0, -1),
      (...results: readonly unknown[]) => {
        if (fault === "kill after") kill();
        callBack(...results);
      },
    ]);
  };
}

const isNew = (path: unknown): boolean =>
  typeof path === "string" && isAbsolute(path) && !fs.existsSync(path);

/** A call without bytes. */
const plain = (name: string, creates: (given: readonly unknown[]) => boolean = () => false) => {
  return (given: readonly unknown[]): Asked => ({ name, creates: creates(given) });
};

/** A call that creates a file if its flags say so. */
const opening =
  (name: string) =>
  ([path, flags = "r"]: readonly unknown[]): Asked | undefined => {
    const { O_CREAT, O_TRUNC } = fs.constants;
    const changes =
      typeof flags === "number" ? (flags & (O_CREAT | O_TRUNC)) !== 0 : /[wa]/.test(String(flags));
    return changes ? { name, creates: isNew(path) } : undefined;
  };

/** A call that writes to a path or a descriptor: its second argument. */
const writing =
  (name: string, real: Work) =>
  (given: readonly unknown[]): Asked => {
    const [target, data, ...rest] = given;
    return { name, creates: isNew(target), written: { data, half: (half) => real(target, half, ...rest) } };
  };

/** A call that writes a part of a buffer to a descriptor. */
const writingPart =
  (name: string) =>
  ([target, data, from]: readonly unknown[]): Asked => {
    const part = data instanceof Uint8Array && typeof from === "number" ? data.subarray(from) : data;
    return { name, creates: false, written: { data: part, half: (half) => whole.writeSync?.(target, half) } };
  };

const sync = fs as unknown as Functions;
const promised = fs.promises as unknown as Functions;
const real = { ...promised };
const wrap = (functions: Functions, name: string, by: (real: Work) => Work) => {
  const found = functions[name];
  if (found) functions[name] = by(found);
};

for (const name of ["rename", "unlink", "rm", "rmdir", "utimes", "chmod", "truncate", "ftruncate", "fsync"]) {
  wrap(sync, `${name}Sync`, (work) => nowWith(work, plain(name)));
  wrap(promised, name, (work) => laterWith(work, plain(name)));
}
const makes = ([path]: readonly unknown[]) => isNew(path);
wrap(sync, "mkdirSync", (work) => nowWith(work, plain("mkdir", makes)));
wrap(promised, "mkdir", (work) => laterWith(work, plain("mkdir", makes)));
wrap(promised, "mkdtemp", (work) =>
  laterWith(
    work,
    plain("mkdtemp", () => true),
  ),
);
wrap(sync, "linkSync", (work) =>
  nowWith(
    work,
    plain("link", () => true),
  ),
);
wrap(promised, "link", (work) =>
  laterWith(
    work,
    plain("link", () => true),
  ),
);
wrap(sync, "openSync", (work) => nowWith(work, opening("open")));
wrap(promised, "open", (work) => laterWith(work, opening("open")));
wrap(sync, "open", (work) => calledBackWith(work, opening("open")));
for (const name of ["writeFile", "appendFile"]) {
  wrap(sync, `${name}Sync`, (work) => nowWith(work, writing(name, work)));
  wrap(promised, name, (work) => laterWith(work, writing(name, work)));
}
wrap(sync, "writeSync", (work) => nowWith(work, writingPart("write")));
wrap(sync, "write", (work) => calledBackWith(work, writingPart("write")));
wrap(sync, "writev", (work) =>
  calledBackWith(work, ([target, list]) => ({
    name: "writev",
    creates: false,
    written: { data: list, half: (half) => whole.writeSync?.(target, half) },
  })),
);

const handle = (await real.open?.(import.meta.filename)) as fs.promises.FileHandle;
const methods = Object.getPrototypeOf(handle) as Functions;
for (const name of ["sync", "datasync", "truncate", "chmod", "utimes"])
  wrap(methods, name, (work) => laterWith(work, plain(name)));
for (const name of ["writeFile", "appendFile", "write"])
  wrap(methods, name, (work) =>
    laterWith(work, ([data, ...rest], self) => ({
      name,
      creates: false,
      written: { data, half: (half) => work.apply(self, [half, ...(name === "write" ? [] : rest)]) },
    })),
  );
await handle.close();
syncBuiltinESMExports();
Error.stackTraceLimit = 60;

const callsFile = process.env[callsVariable];
if (callsFile !== undefined)
  process.once("exit", () => whole.writeFileSync?.(callsFile, JSON.stringify(calls)));

/** There is space on the disk again. */
export function freeSpace(): void {
  isFreed = true;
}

/** Writes a line to the parent, which has it even if the process is killed in the next call. */
export function writeLine(line: string): void {
  whole.writeSync?.(1, `${line}\n`);
}
