import { LineProgram, type LineStart } from "../../platform/process/lineProgram.ts";
import { messageOf } from "../../shared/messageOf.ts";
import { parseJson } from "../../shared/text/json/parseJson.ts";
import type { AgentLimits } from "./agentLimits.ts";
import { RpcMessage } from "./agentMessages.ts";

/** Handles the requests and notifications of the agent. */
export interface PeerHandlers {
  /** Resolves to the result. A rejection is answered with its message. */
  onRequest(method: string, params: unknown): Promise<unknown>;
  onNotification(method: string, params: unknown): void;
  /** Any message has come. */
  onMessage(): void;
}

/** A method that this side does not have. */
export class UnknownMethod extends Error {}

/** An error of the agent. Its message is data. */
export class AgentError extends Error {
  readonly code: number;

  constructor({ code, message }: { readonly code: number; readonly message: string }) {
    super(message);
    this.code = code;
  }
}

const codes = { unknownMethod: -32_601, failed: -32_603 } as const;

/** Requests in both directions with a program, as JSON-RPC 2.0 in lines. Its end rejects what waits for it. */
export class RpcPeer {
  readonly #program: LineProgram;
  readonly #handlers: PeerHandlers;
  readonly #limits: AgentLimits;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #over = Promise.withResolvers<void>();
  #lastId = 0;
  /** Requests of the agent in progress. */
  #open = 0;

  constructor(start: LineStart, limits: AgentLimits, handlers: PeerHandlers) {
    this.#handlers = handlers;
    this.#limits = limits;
    this.#program = new LineProgram(start, limits, {
      onLine: (line) => this.#take(line),
      // The end of the program follows.
      onError: () => {},
      onEnd: () => this.#end(),
    });
  }

  get hasEnded(): boolean {
    return this.#program.hasEnded;
  }

  /** The end of a sentence that says how the program has ended. */
  get end(): string {
    return this.#program.end;
  }

  /** Resolves when the program has ended. */
  get whenOver(): Promise<void> {
    return this.#over.promise;
  }

  /** Rejects if it can't be started. */
  start(): Promise<void> {
    return this.#program.start();
  }

  /** Rejects with the error of the agent, whose text is data, or with its end. */
  async request(method: string, params: unknown): Promise<unknown> {
    if (this.hasEnded) throw new Error(this.end);
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    void this.#send({ id, method, params });
    return answer.promise;
  }

  notify(method: string, params: unknown): void {
    void this.#send({ method, params });
  }

  close(): Promise<void> {
    return this.#program.close();
  }

  /** Ends it at once. */
  kill(why?: string): void {
    this.#program.kill(why);
  }

  async #send(message: object): Promise<void> {
    await this.#program.send(JSON.stringify({ jsonrpc: "2.0", ...message })).catch(() => {});
  }

  #end(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error(this.end));
    this.#waiting.clear();
    this.#over.resolve();
  }

  #take(line: string): void {
    if (line.trim() === "") return;
    const { data: message } = RpcMessage.safeParse(parseJson(line));
    this.#handlers.onMessage();
    // Some agents print other text, too: it is left out.
    if (!message) return;
    const { id, method, params } = message;
    if (method === undefined) this.#settle(message);
    else if (id === undefined) this.#handlers.onNotification(method, params);
    else void this.#answer(id, method, params);
  }

  #settle({ id, result, error }: RpcMessage): void {
    const waiting = typeof id === "number" ? this.#waiting.get(id) : undefined;
    if (typeof id !== "number" || !waiting) return;
    this.#waiting.delete(id);
    if (error) waiting.reject(new AgentError(error));
    else waiting.resolve(result);
  }

  async #answer(id: number | string, method: string, params: unknown): Promise<void> {
    if (this.#open >= this.#limits.requests)
      return this.#send({ id, error: { code: codes.failed, message: "Too many requests at once." } });
    this.#open += 1;
    try {
      const result = await this.#handlers.onRequest(method, params);
      await this.#send({ id, result: result ?? null });
    } catch (error) {
      const code = error instanceof UnknownMethod ? codes.unknownMethod : codes.failed;
      await this.#send({ id, error: { code, message: messageOf(error) } });
    } finally {
      this.#open -= 1;
    }
  }
}
