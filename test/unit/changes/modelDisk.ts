// The disk as modules of `src` reach it whose process can be killed. It is the real one. In a random case, accesses are made one
// at a time in an order that the case determines: a thread for each would take most of the time, and would repeat no failure.
import { AsyncLocalStorage } from "node:async_hooks";
import fs, { type StatOptions } from "node:fs";
import promises, { type FileHandle } from "node:fs/promises";
import { join } from "node:path";

type Call = (...given: readonly unknown[]) => unknown;

export const disk = {
  /** Processes that can be killed: what runs in one goes on as long as it returns true before each access to the disk. */
  process: new AsyncLocalStorage<() => boolean>(),
  /** Accesses that have begun and not ended. */
  accesses: 0,
  /** False for threads of Node. */
  isStepped: false,
  /** False for a process that was killed. */
  isThere: (): boolean => disk.process.getStore()?.() ?? true,
  /** The order of the accesses follows from the seed. All files count as new. */
  start(seed: number): void {
    state = seed | 1;
    agedNs = 0n;
  },
  /** Files that were last changed before count as an hour older. `folder` is for a file of its own. */
  age(folder: string): void {
    const path = join(folder, "clock");
    const now = () => {
      fs.writeFileSync(path, String(agedNs));
      return fs.lstatSync(path, { bigint: true }).ctimeNs;
    };
    agedNs = now();
    // The clock of a file system goes in steps.
    while (now() <= agedNs);
    fs.rmSync(path);
  },
};

export const never = new Promise<never>(() => {});
const hourNs = 3_600_000_000_000n;
let agedNs = 0n;
let state = 1;

/** A whole number below `most`, by xorshift. */
function random(most: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % most;
}

/** Accesses that are to be made, each with the check whether its process is there. */
const waiting: (() => void)[] = [];

/** Makes one access, after all that can run without one has run. */
function makeNext(): void {
  const [make] = waiting.splice(random(waiting.length), 1);
  make?.();
  if (waiting.length > 0) process.nextTick(makeNext);
}

function stepped(make: () => unknown): Promise<unknown> {
  const isThere = disk.process.getStore();
  return new Promise((resolve, reject) => {
    waiting.push(() => {
      if (isThere && !isThere()) return;
      try {
        resolve(make());
      } catch (error) {
        reject(error);
      }
    });
    if (waiting.length === 1) process.nextTick(makeNext);
  });
}

/** A killed process does nothing more, so its calls never return. */
async function gated(make: () => unknown): Promise<unknown> {
  if (!disk.isThere()) return never;
  disk.accesses += 1;
  try {
    return await make();
  } finally {
    disk.accesses -= 1;
  }
}

/** An open file whose calls are steps. */
class SteppedFile {
  readonly fd: number;
  constructor(fd: number) {
    this.fd = fd;
  }
  stat = (options?: StatOptions) => stepped(() => fs.fstatSync(this.fd, options));
  readFile = (options?: BufferEncoding) => stepped(() => fs.readFileSync(this.fd, options));
  read = (buffer: Buffer, offset = 0, length = buffer.length - offset, position: number | null = null) =>
    stepped(() => ({ bytesRead: fs.readSync(this.fd, buffer, offset, length, position), buffer }));
  writeFile = (content: string | Uint8Array | Iterable<string>) =>
    stepped(() => {
      const isWhole = typeof content === "string" || content instanceof Uint8Array;
      for (const part of isWhole ? [content] : content) fs.writeFileSync(this.fd, part);
    });
  /** Nothing that a case does ends the power. */
  sync = () => stepped(() => undefined);
  chmod = (mode: number) => stepped(() => fs.fchmodSync(this.fd, mode));
  /** Also for a killed process, whose files the system closes. */
  close = async () => fs.closeSync(this.fd);
}

/** Of a killed process, an open file can only be closed. */
const gatedFile = (file: FileHandle) =>
  new Proxy(file, {
    get(_, name) {
      const member: unknown = Reflect.get(file, name, file);
      if (typeof member !== "function") return member;
      const call = (...given: readonly unknown[]): unknown => Reflect.apply(member, file, given);
      return name === "close" ? call : (...given: readonly unknown[]) => gated(() => call(...given));
    },
  });

const reads = ["lstat", "stat", "readFile", "readdir", "readlink", "realpath", "access"] as const;
const writes = [
  "chmod",
  "mkdir",
  "open",
  "rename",
  "rm",
  "rmdir",
  "unlink",
  "writeFile",
  "appendFile",
  "utimes",
  "lutimes",
  "truncate",
  "link",
  "symlink",
] as const;
const writesNow = [
  "appendFileSync",
  "mkdirSync",
  "openSync",
  "writeFileSync",
  "renameSync",
  "rmSync",
] as const;

function asynchronous(name: (typeof reads)[number] | (typeof writes)[number]): Call {
  const threaded = promises[name] as Call;
  const direct = fs[`${name}Sync`] as Call;
  const isRead = reads.some((one) => one === name);
  const open = async (...given: readonly unknown[]) => gatedFile((await threaded(...given)) as FileHandle);
  const opened: Call = (...given) => new SteppedFile(direct(...given) as number);
  const [work, step] = name === "open" ? [open, opened] : [threaded, direct];
  return (...given) => {
    if (disk.isStepped) return stepped(() => step(...given));
    return isRead ? work(...given) : gated(() => work(...given));
  };
}

/** A synchronous access of a killed process throws. */
const synchronous =
  (name: (typeof writesNow)[number]): Call =>
  (...given) => {
    if (!disk.isThere()) throw new Error("killed");
    return (fs[name] as Call)(...given);
  };

const lstatSync: Call = (path, options) => {
  const found = fs.lstatSync(path as string, options as { bigint: true; throwIfNoEntry: false });
  if (!found || agedNs === 0n) return found;
  if (found.ctimeNs <= agedNs) found.ctimeNs -= hourNs;
  if (found.birthtimeNs <= agedNs) found.birthtimeNs -= hourNs;
  return found;
};

const gatedModules: Readonly<Record<string, Readonly<Record<string, Call>>>> = {
  "node:fs/promises": Object.fromEntries([...reads, ...writes].map((name) => [name, asynchronous(name)])),
  "node:fs": { ...Object.fromEntries(writesNow.map((name) => [name, synchronous(name)])), lstatSync },
};
Object.assign(globalThis, { gatedModules });

/** The address of a module that takes the place of this one; undefined for one that does not reach the disk. */
export function gatedUrl(specifier: string): string | undefined {
  const given = gatedModules[specifier];
  if (!given) return undefined;
  const of = `globalThis.gatedModules["${specifier}"]`;
  const exported = Object.keys(given).map((name) => `export const ${name} = ${of}.${name};`);
  const text = [`export * from "${specifier}";`, ...exported].join("\n");
  return `data:text/javascript,${encodeURIComponent(text)}`;
}
