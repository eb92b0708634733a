// A recorded call for the tests of the log and its views.

import type { AttemptRecord, Called } from "../../../../src/api/call/record/callRecorder.ts";
import type { RequestHead } from "../../../../src/requests/host/log/requestHead.ts";
import { definedMembers } from "../../../../src/shared/members.ts";

export function attemptOf(attempt: Partial<AttemptRecord> = {}): AttemptRecord {
  const body = JSON.stringify({ model: "echo", messages: [{ role: "user", content: "it's me" }] });
  return {
    method: "POST",
    path: "/chat/completions",
    startMs: 1_000,
    headersMs: 1_100,
    firstByteMs: 1_150,
    endMs: 1_500,
    requestHeaders: { authorization: "***", "content-type": "application/json" },
    request: { type: "application/json", bytes: body.length, text: body, isChanged: false },
    status: 200,
    requestId: "request-1",
    responseHeaders: { "content-type": "application/json" },
    response: { type: "application/json", bytes: 8, text: '{"a":1}', isChanged: false },
    ...attempt,
  };
}

export function calledOf(called: Partial<Called> = {}): Called {
  return {
    type: "called",
    id: "call-1",
    endpoint: "chat.complete",
    dialect: "standard",
    model: "echo",
    source: { kind: "chat" },
    queuedMs: 990,
    endMs: 1_500,
    params: {},
    attempts: [attemptOf()],
    ...called,
  };
}

/** A member that is undefined is absent. */
export function headFor(
  head: { readonly [Name in keyof RequestHead]?: RequestHead[Name] | undefined } = {},
): RequestHead {
  return definedMembers<RequestHead>({
    id: "call-1",
    connectionId: "live",
    connection: "Venice",
    endpoint: "chat.complete",
    method: "POST",
    path: "/chat/completions",
    model: "echo",
    source: "chat",
    queuedMs: 990,
    ms: 510,
    status: 200,
    requestIds: ["request-1"],
    attempts: 1,
    ...head,
  } as RequestHead);
}
