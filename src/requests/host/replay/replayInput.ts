import type { Called } from "../../../api/call/record/callRecorder.ts";
import { dialects, fromWireInput } from "../../../api/dialect/dialect.ts";
import type { Endpoint } from "../../../api/endpoint.ts";
import { rowOf } from "../../../api/table.ts";
import { isMembers, type Members } from "../../../shared/members.ts";
import { effectOf } from "../../../shared/rpc/catalog/catalog.ts";
import { parseAnswer } from "../../../shared/text/json/answerJson.ts";

/** A call that can be made again. */
export interface ReplayInput {
  readonly row: Endpoint;
  readonly input: Members;
  /** The call option of the same name. */
  readonly bodyText?: string;
}

/** Restores the input of a call from its record, or says why that is not possible. */
export function replayInput(called: Called): ReplayInput | { readonly problem: string } {
  const row = rowOf(called.endpoint);
  if (!row) return { problem: "This version does not know the call." };
  if (row.hasSecretReply || row.method === "DELETE" || row.method === "PATCH")
    return { problem: "It changes the account. Use the commands for keys instead." };
  const attempt = called.attempts.at(-1);
  if (!attempt) return { problem: "It was never sent, so its body is not recorded." };
  const { request } = attempt;
  if (row.encode === "query") return { row, input: called.params };
  if (request?.text === undefined || request.isChanged)
    return { problem: "Not all of its body is kept, so it can't be sent again." };
  try {
    return withBody(row, called, request.text);
  } catch {
    return { problem: "Its body is not JSON, so it can't be sent again." };
  }
}

function withBody(row: Endpoint, called: Called, text: string): ReplayInput | { readonly problem: string } {
  const { params, dialect } = called;
  const body = row.exact ? parseAnswer(text) : (JSON.parse(text) as unknown);
  if (row.encode === "whole") {
    const written = methodsIn(body).find((method) => effectOf(method) !== "reads");
    if (written !== undefined)
      return { problem: `${written} may change the chain. Run it in a notebook, which asks and simulates.` };
    return { row, input: { ...params, body }, bodyText: text };
  }
  if (!isMembers(body)) return { problem: "Its body is no object, so it can't be sent again." };
  const fixed = Object.keys(row.fixed ?? {});
  const own = Object.fromEntries(Object.entries(body).filter(([name]) => !fixed.includes(name)));
  return { row, input: { ...params, ...fromWireInput(dialects[dialect], own) } };
}

function methodsIn(body: unknown): string[] {
  return [body].flat().map((item) => (isMembers(item) ? String(item.method) : ""));
}
