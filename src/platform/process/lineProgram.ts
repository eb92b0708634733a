import { type Program, startProgram } from "./program.ts";

/** How a program is started. */
export interface LineStart {
  readonly command: readonly [string, ...string[]];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Bounds of what a program may print. */
export interface LineLimits {
  /** Bytes of one line. */
  readonly messageBytes: number;
  /** Bytes of all lines within a minute. */
  readonly minuteBytes: number;
}

export interface LineEvents {
  onLine(line: string): void;
  /** A piece of its standard error. */
  onErrorText?(text: string): void;
  /** Its input can't be written. */
  onError(error: Error): void;
  /** It has ended. Also called when one is closed that does not run. */
  onEnd(): void;
}

const lineFeed = 10;
/** Characters of the standard error that are kept: its end says why a program has failed. */
const maxErrorLength = 8_000;
/** Milliseconds from the end of its input until a program is asked to end, and from there until it is killed. */
const graceMs = 2_000;

/** A program that talks in lines of its input and its output. It ends with everything that it has started. */
export class LineProgram {
  readonly #start: LineStart;
  readonly #limits: LineLimits;
  readonly #events: LineEvents;
  #program: Program | undefined;
  #pieces: Buffer[] = [];
  #size = 0;
  /** Bytes since `#sinceMs`. */
  #flow = 0;
  #sinceMs = performance.now();
  #errors = "";
  #end: string | undefined;

  constructor(start: LineStart, limits: LineLimits, events: LineEvents) {
    this.#start = start;
    this.#limits = limits;
    this.#events = events;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** How it has ended, and the line of its standard error that says why. */
  get end(): string {
    const reason = reasonIn(this.#errors);
    return [this.#end ?? "its connection was closed", ...(reason === "" ? [] : [reason])].join(": ");
  }

  /** Rejects if it can't be started. */
  async start(): Promise<void> {
    const { command, folder, env } = this.#start;
    const line = process.platform === "win32" ? windowsLine(command) : command;
    const program = startProgram(line, { folder, env }, "pipe");
    this.#program = program;
    const { stdin, stdout, stderr } = program.child;
    stdin?.on("error", (error) => this.#events.onError(error));
    stdout?.on("data", (chunk: Buffer) => this.#take(chunk));
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text.slice(-maxErrorLength)).slice(-maxErrorLength);
      this.#events.onErrorText?.(text);
    });
    const started = Promise.withResolvers<void>();
    program.child.once("spawn", () => started.resolve());
    program.ended.then(
      ({ code, signal }) =>
        this.#over(code === null ? `it was ended by ${signal}` : `it ended with code ${code}`),
      (error: Error) => {
        this.#over(error.message);
        started.reject(error);
      },
    );
    await started.promise;
  }

  /** Writes a line, and waits until it is taken. */
  async send(line: string): Promise<void> {
    const { stdin } = this.#program?.child ?? {};
    if (!stdin?.writable) throw new Error(this.end);
    if (stdin.write(`${line}\n`)) return;
    const drained = Promise.withResolvers<void>();
    stdin.once("drain", drained.resolve).once("close", drained.resolve);
    await drained.promise;
  }

  /** Lets it end by itself; resolves once it has ended. */
  async close(): Promise<void> {
    const program = this.#program;
    if (!program || this.#end !== undefined) return this.#events.onEnd();
    program.child.stdin?.end();
    const ask = setTimeout(() => program.signal("SIGTERM"), graceMs);
    const kill = setTimeout(() => program.signal("SIGKILL"), 2 * graceMs);
    await program.ended.catch(() => {});
    clearTimeout(ask);
    clearTimeout(kill);
  }

  /** Ends it at once. `why`: what it has done wrong, as the beginning of a sentence. */
  kill(why?: string): void {
    if (this.#end === undefined) this.#program?.signal("SIGKILL");
    if (why !== undefined) this.#over(`${why}, so it was ended`);
  }

  #over(end: string): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#pieces = [];
    this.#events.onEnd();
  }

  #take(chunk: Buffer): void {
    if (this.#end !== undefined || !this.#isWithin(chunk.length)) return;
    let start = 0;
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, start)) {
      this.#pieces.push(chunk.subarray(start, at));
      const line = Buffer.concat(this.#pieces).toString("utf8");
      this.#pieces = [];
      this.#size = 0;
      start = at + 1;
      this.#events.onLine(line);
      // The line has ended it.
      if (this.hasEnded) return;
    }
    const rest = chunk.subarray(start);
    this.#size += rest.length;
    this.#pieces.push(rest);
    if (this.#size > this.#limits.messageBytes) this.kill("it sent a message that is too long");
  }

  /** False for a program that sends without end: this window would do nothing but read. */
  #isWithin(bytes: number): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#sinceMs > 60_000) [this.#flow, this.#sinceMs] = [0, nowMs];
    this.#flow += bytes;
    if (this.#flow <= this.#limits.minuteBytes) return true;
    this.kill("it sent too much within a minute");
    return false;
  }
}

/** Lines that Node.js and npm print after the reason. */
const noise =
  /^(?:Node\.js v\d|at |node:|[{}\]),^~]*$|npm (?:error|ERR!)(?: \d+)?\s*(?:$|code |errno |syscall |A complete log|Note that))/;
/** `TypeError: x`, `Error [CODE]: x`, `requests.exceptions.ConnectionError: x`. */
const named = /^(?:Uncaught )?[\w.]*(?:Error|Exception)\b[^:]*: ./;
const ofNpm = /^npm (?:error|ERR!) /;

/** The line that says why a program has ended, of what it printed to its standard error; empty without any. */
function reasonIn(errors: string): string {
  const lines = errors
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !noise.test(line));
  const reason = lines.find((line) => ofNpm.test(line)) ?? lines.findLast((line) => named.test(line));
  return reason ?? lines.at(-1) ?? "";
}

/**
 * The line by which `cmd.exe` starts a program with these words. Windows has most programs of npm, such as `npx`, as batch
 * files, which only `cmd.exe` finds and runs: Node.js refuses to.
 */
export function windowsLine([program = "", ...words]: readonly string[]): string {
  return [program.replace(special, "^$&"), ...words.map(quoted)].join(" ");
}

/** Characters that `cmd.exe` reads, also in quotes. */
const special = /[()\][%!^"`<>&|;, *?]/g;

/** As programs read their words: backslashes count only before a quote. Each of its characters is itself for `cmd.exe`. */
function quoted(word: string): string {
  const escaped = word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1");
  return `"${escaped}"`.replace(special, "^$&");
}
