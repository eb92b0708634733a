import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { type Program, startProgram } from "../../../../platform/process/program.ts";
import { parseJson } from "../../../../shared/text/json/parseJson.ts";
import type { ProgramStart } from "../config/fillIn.ts";
import type { ServerLimits } from "./limits.ts";

const lineFeed = 10;
/** Characters of the standard error that are kept: its end says why a server has failed. */
const maxErrorLength = 2_000;
/** Milliseconds from the end of its input until a server is asked to end, and from there until it is killed. */
const graceMs = 2_000;

/** A server as a program, which ends with everything that it has started. Its messages are lines of its output. */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #start: ProgramStart;
  readonly #limits: ServerLimits;
  #program: Program | undefined;
  #pieces: Buffer[] = [];
  #size = 0;
  /** Bytes since `#sinceMs`. */
  #flow = 0;
  #sinceMs = performance.now();
  #errors = "";
  #end: string | undefined;

  constructor(start: ProgramStart, limits: ServerLimits) {
    this.#start = start;
    this.#limits = limits;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** How it has ended, and the last line of its standard error. */
  get end(): string {
    const last = this.#errors.trimEnd().split("\n").at(-1)?.trim() ?? "";
    return [this.#end ?? "its connection was closed", ...(last === "" ? [] : [last])].join(": ");
  }

  async start(): Promise<void> {
    const { command, folder, env } = this.#start;
    const program = startProgram(command, { folder, env }, "pipe");
    this.#program = program;
    const { stdin, stdout, stderr } = program.child;
    stdin?.on("error", (error) => this.onerror?.(error));
    stdout?.on("data", (chunk: Buffer) => this.#take(chunk));
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text.slice(-maxErrorLength)).slice(-maxErrorLength);
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

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#program?.child ?? {};
    if (!stdin?.writable) throw new Error(this.end);
    if (stdin.write(`${JSON.stringify(message)}\n`)) return;
    const drained = Promise.withResolvers<void>();
    stdin.once("drain", drained.resolve).once("close", drained.resolve);
    await drained.promise;
  }

  /** Lets it end by itself; resolves once it has ended. */
  async close(): Promise<void> {
    const program = this.#program;
    if (!program || this.#end !== undefined) return this.onclose?.();
    program.child.stdin?.end();
    const ask = setTimeout(() => program.signal("SIGTERM"), graceMs);
    const kill = setTimeout(() => program.signal("SIGKILL"), 2 * graceMs);
    await program.ended.catch(() => {});
    clearTimeout(ask);
    clearTimeout(kill);
  }

  /** Ends it at once. */
  kill(): void {
    if (this.#end === undefined) this.#program?.signal("SIGKILL");
  }

  #over(end: string): void {
    this.#end ??= end;
    this.#pieces = [];
    this.onclose?.();
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
      this.#read(line);
    }
    const rest = chunk.subarray(start);
    this.#size += rest.length;
    this.#pieces.push(rest);
    if (this.#size > this.#limits.messageBytes) this.#stop("it sent a message that is too long");
  }

  /** False for a server that sends without end: this window would do nothing but read. */
  #isWithin(bytes: number): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#sinceMs > 60_000) [this.#flow, this.#sinceMs] = [0, nowMs];
    this.#flow += bytes;
    if (this.#flow <= this.#limits.minuteBytes) return true;
    this.#stop("it sent too much within a minute");
    return false;
  }

  #stop(why: string): void {
    this.kill();
    this.#over(`${why}, so it was ended`);
  }

  /** Some servers print other text, too: it is left out. */
  #read(line: string): void {
    const message = JSONRPCMessageSchema.safeParse(parseJson(line));
    if (message.success) this.onmessage?.(message.data);
  }
}
