import { parseExact } from "../../../shared/text/json/exactJson.ts";
import { isObject } from "../../output/json.ts";
import type { Json, RpcOutput, RpcResult } from "../../output/rpcOutput.ts";
import { mostWhole, type RpcOutputMessage } from "../../output/rpcOutputMessage.ts";

/** Results that are held, the newest last. */
const mostHeld = 20;

/**
 * The whole results of lines that are cut in the output. They are asked for once, so that the filter, the order and the
 * CSV of a table are those of all its rows.
 */
export class WholeResults {
  readonly #post: (message: RpcOutputMessage) => void;
  readonly #held = new Map<string, RpcResult>();
  readonly #asked = new Set<string>();
  /** Outputs with their whole results. Views compare them by identity. */
  readonly #made = new WeakMap<RpcOutput, RpcOutput>();

  constructor(post: (message: RpcOutputMessage) => void) {
    this.#post = post;
  }

  /** Asks for the cut results of an ended run. */
  ask({ runId, lines, done }: RpcOutput): void {
    if (!done) return;
    for (const { key, outcome } of lines) {
      const isCut = outcome.kind === "result" && outcome.cut === true && outcome.bytes <= mostWhole;
      if (!isCut || this.#asked.has(`${runId} ${key}`)) continue;
      this.#asked.add(`${runId} ${key}`);
      this.#post({ type: "getWhole", runId, key });
    }
  }

  /** Takes a message of the host. Returns the run whose views have to be drawn again. */
  receive(message: unknown): string | undefined {
    if (!isObject(message as Json)) return undefined;
    const { type, runId, key, result } = message as { readonly [name: string]: unknown };
    if (type !== "whole" || typeof runId !== "string" || typeof result !== "string") return undefined;
    const whole = resultIn(result);
    if (!whole) return undefined;
    this.#held.set(`${runId} ${key}`, whole);
    for (const oldest of this.#held.keys()) if (this.#held.size > mostHeld) this.#held.delete(oldest);
    return runId;
  }

  /** The output with the whole results that are here. */
  of(output: RpcOutput): RpcOutput {
    const isCurrent = (made: RpcOutput) =>
      made.lines.every(({ key, outcome }, at) => {
        const whole = this.#held.get(`${output.runId} ${key}`);
        return outcome === (whole ?? output.lines[at]?.outcome);
      });
    const before = this.#made.get(output) ?? output;
    if (isCurrent(before)) return before;
    const lines = output.lines.map((line) => ({
      ...line,
      outcome: this.#held.get(`${output.runId} ${line.key}`) ?? line.outcome,
    }));
    const made = { ...output, lines };
    this.#made.set(output, made);
    return made;
  }
}

function resultIn(text: string): RpcResult | undefined {
  try {
    const read = parseExact(text) as Json;
    return isObject(read) && read.kind === "result" && "value" in read
      ? (read as unknown as RpcResult)
      : undefined;
  } catch {
    return undefined;
  }
}
