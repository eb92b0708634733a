import { Agent, request } from "node:http";
import { exactJsonText, parseExact } from "../../../shared/text/json/exactJson.ts";
import { Refusal } from "../../refusal.ts";
import type { CallOutcome, Chain, ChainCall, ChainError } from "../chain.ts";

/** A chain served by a node on the loopback address. */
export function createNodeChain(port: number): Chain {
  const agent = new Agent({ keepAlive: true });
  return {
    async answer(calls, signal) {
      // Uses own ids, because the caller's may be missing or too large for the node.
      const body = calls.map(({ method, params }: ChainCall, id) => ({ jsonrpc: "2.0", id, method, params }));
      const text = await post(agent, port, exactJsonText(body), signal);
      return outcomesOf(parseExact(text), calls.length);
    },
  };
}

interface NodeAnswer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: ChainError;
}

/** Sorts the results by call, because the node may reorder them. */
function outcomesOf(answers: unknown, count: number): CallOutcome[] {
  const byId = new Map(
    (Array.isArray(answers) ? (answers as NodeAnswer[]) : []).map((answer) => [answer.id, answer]),
  );
  return Array.from({ length: count }, (_, id) => {
    const answer = byId.get(id);
    if (!answer) throw new Refusal(502, "The chain node did not answer a call");
    return answer.error ? { error: answer.error } : { result: answer.result ?? null };
  });
}

function post(agent: Agent, port: number, body: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => {
      reject(signal.aborted ? signal.reason : new Refusal(502, `The chain node failed: ${error.message}`));
    };
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request({ agent, host: "127.0.0.1", port, method: "POST", headers, signal }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", failed);
      response.on("end", () => resolve(Buffer.concat(pieces).toString("utf8")));
    });
    sent.on("error", failed);
    sent.end(body);
  });
}
