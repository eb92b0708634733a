import { estimateTokens } from "../../src/shared/chat/tokenEstimate.ts";
import type { SeenRequest } from "./modelServer.ts";

/** What a task took. */
export interface TaskFigures {
  readonly rounds: number;
  readonly firstBytes: number;
  /** Of all requests. */
  readonly bytes: number;
  /** Estimated tokens of the first request, and of all. */
  readonly firstTokens: number;
  readonly tokens: number;
  /** Milliseconds from each answer to the next request. */
  readonly afterMs: readonly number[];
}

export function figuresOf(requests: readonly SeenRequest[]): TaskFigures {
  const bytes = requests.map((request) => request.bytes);
  const tokens = requests.map(({ body }) => estimateTokens(JSON.stringify(body)));
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return {
    rounds: requests.length,
    firstBytes: bytes[0] ?? 0,
    bytes: sum(bytes),
    firstTokens: tokens[0] ?? 0,
    tokens: sum(tokens),
    afterMs: requests.flatMap(({ afterMs }) => (afterMs === undefined ? [] : [afterMs])),
  };
}
