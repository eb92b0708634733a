import { STATUS_CODES } from "node:http";
import { mayHaveHappened } from "../../../shared/mayHaveHappened.ts";
import type { WireError } from "../../formats/agentFormat.ts";
import { errorBody as chatError } from "../../formats/chat/errorBody.ts";
import { errorBody as messagesError } from "../../formats/messages/errorBody.ts";

/** What the process itself answers, because no window does. */
export type OwnAnswer = WireError & {
  /** Set if nothing was sent, so that the call may be repeated. */
  readonly retryAfterSeconds?: number;
};

export const ownAnswers = {
  noWindow: {
    status: 503,
    sentence:
      "No window of VS Code with Inference Workbench took the call in time. Open VS Code, and repeat the call. Nothing was sent.",
    retryAfterSeconds: 5,
  },
  tooManyWait: {
    status: 503,
    sentence:
      "The window of VS Code is not there, and too many calls wait for it already. Repeat the call when VS Code is open. Nothing was sent.",
    retryAfterSeconds: 5,
  },
  lost: {
    status: 502,
    sentence: `The window of VS Code was closed or reloaded during the call. ${mayHaveHappened.billed} It was not repeated.`,
  },
} satisfies Record<string, OwnAnswer>;

/** A complete answer to a request that begins with these bytes, in the format of its route. */
export function ownAnswer(request: Buffer, { retryAfterSeconds, ...error }: OwnAnswer): string {
  const line = request.subarray(0, 200).toString("latin1");
  const write = /^[A-Z]+ \/v1\/messages\b/.test(line) ? messagesError : chatError;
  const body = JSON.stringify(write(error));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    ...(retryAfterSeconds === undefined ? [] : [`retry-after: ${retryAfterSeconds}`]),
    `x-should-retry: ${retryAfterSeconds !== undefined}`,
    "connection: close",
    "",
    body,
  ].join("\r\n");
}
