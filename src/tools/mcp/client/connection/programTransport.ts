import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { redact } from "../../../../api/errors/redact.ts";
import { LineProgram } from "../../../../platform/process/lineProgram.ts";
import { parseJson } from "../../../../shared/text/json/parseJson.ts";
import type { ProgramStart } from "../config/fillIn.ts";
import type { ServerLimits } from "./limits.ts";

/** A server as a program, which ends with everything that it has started. Its messages are lines of its output. */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #program: LineProgram;
  readonly #secrets: readonly string[];

  /** `onErrorText` gets its standard error piece by piece. */
  constructor(start: ProgramStart, limits: ServerLimits, onErrorText: (text: string) => void) {
    this.#secrets = start.secrets;
    this.#program = new LineProgram(start, limits, {
      onLine: (line) => this.#read(line),
      onError: (error) => this.onerror?.(error),
      onEnd: () => this.onclose?.(),
      onErrorText,
    });
  }

  get hasEnded(): boolean {
    return this.#program.hasEnded;
  }

  /** How the program ended, with the last line of its standard error. Secrets that it was given are removed. */
  get end(): string {
    return redact(this.#program.end, this.#secrets);
  }

  start(): Promise<void> {
    return this.#program.start();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#program.send(JSON.stringify(message));
  }

  /** Lets it end by itself; resolves once it has ended. */
  close(): Promise<void> {
    return this.#program.close();
  }

  /** Ends it at once. */
  kill(): void {
    this.#program.kill();
  }

  /** Some servers print other text, too: it is left out. */
  #read(line: string): void {
    const message = JSONRPCMessageSchema.safeParse(parseJson(line));
    if (message.success) this.onmessage?.(message.data);
  }
}
