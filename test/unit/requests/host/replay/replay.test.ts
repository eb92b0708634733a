// Sending a recorded call again: the question, the price, and the record of the new call.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Called } from "../../../../../src/api/call/record/callRecorder.ts";
import type { Session } from "../../../../../src/session/session.ts";
import { noNames } from "../../../../../src/shared/chat/modelNames.ts";
import { completion, sendJson } from "../../../../loopback/answers.ts";
import { clientOf, serve } from "../../../api/client.ts";
import { replace } from "../../../vscodeDouble.ts";
import { attemptOf, calledOf, headFor } from "../calledOf.ts";

const { questionText, replay } = await import("../../../../../src/requests/host/replay/replay.ts");

const connection = {
  id: "live",
  name: "Live",
  kind: "live",
  baseUrl: "https://a.example",
  dialect: "auto",
} as const;
const question = { model: "echo", messages: [{ role: "user", content: "hello" }] };
const text = JSON.stringify(question);
const request = { type: "application/json", bytes: text.length, text, isChanged: false };
const first = calledOf({ attempts: [attemptOf({ request })] });

async function window(t: TestContext, agrees: boolean, status = 200) {
  const server = await serve(t, (_, response) =>
    status === 200
      ? sendJson(response, 200, completion("again"))
      : sendJson(response, status, { error: "busy" }),
  );
  const { api, events } = clientOf(t, server.origin);
  const prices = { models: async () => new Map(), names: async () => noNames, usdPerCredit: [0, 0] };
  const sources: unknown[] = [];
  const session = {
    clientOf: async (_: unknown, source: unknown) => {
      sources.push(source);
      return { api, prices };
    },
  } as unknown as Session;
  const asked: string[] = [];
  const ask = async (message: string, { detail }: { readonly detail: string }, ...buttons: string[]) => {
    asked.push(`${message}\n${detail}`);
    return agrees ? buttons.at(-1) : undefined;
  };
  replace(
    "window",
    { showInformationMessage: ask, withProgress: (_: unknown, run: Run) => run({ report() {} }, never) },
    t,
  );
  return { server, session, asked, sources, events };
}

type Run = (progress: { report(): void }, token: typeof never) => Promise<unknown>;
const never = { onCancellationRequested: () => ({ dispose() {} }) };

test("nothing is sent without the user's agreement", async (t) => {
  const { server, session, asked } = await window(t, false);
  assert.equal(await replay(session, connection, headFor(), first), undefined);
  assert.equal(server.received.length, 0);
  assert.match(asked[0] ?? "", /^Send POST \/chat\/completions again\?/);
  assert.match(
    asked[0] ?? "",
    /Connection: Live, https:\/\/a\.example\n[\s\S]*Model: echo[\s\S]*Price: no known limit/,
  );
});

test("the same body is sent once, as a replay, and its record is returned", async (t) => {
  const { server, session, sources, events } = await window(t, true);
  const called = await replay(session, connection, headFor(), first);
  assert.deepEqual(JSON.parse(server.received[0]?.body ?? ""), question);
  assert.deepEqual(sources, [{ kind: "replay" }]);
  assert.equal(called?.caller, "replay:call-1");
  assert.ok(called?.attempts[0]?.response?.text?.includes("again"));
  assert.ok(events.some((event) => event.type === "charged"));
});

test("a failed answer is a record, too, and is not tried again", async (t) => {
  const { server, session } = await window(t, true, 503);
  const called = await replay(session, connection, headFor(), first);
  assert.equal(called?.error?.kind, "unavailable");
  assert.equal(server.received.length, 1);
});

test("a call that can't be restored is refused before the question", async (t) => {
  const { session, asked } = await window(t, true);
  await assert.rejects(replay(session, connection, headFor(), calledOf({ endpoint: "keys.create" })));
  assert.deepEqual(asked, []);
});

test("the question says the highest price and whether the first time was billed", () => {
  const row = { price: { by: "tokens" }, resend: "billed" } as never;
  const of = (called: Partial<Called>, mostUsd?: number, head = headFor()) =>
    questionText(connection, head, { attempts: [], ...called } as Called, { row }, mostUsd);
  const charge = { type: "charged", endpoint: "chat.complete", fact: { by: "tokens" } } as const;
  assert.match(
    of({ charge }, 0.02, headFor({ cost: { DIEM: "0.25" } })),
    /at most \$0\.02[\s\S]*was billed: 0\.25 DIEM\./,
  );
  assert.match(of({}), /no known limit[\s\S]*may have been billed\./);
  const error = { kind: "rate-limited", message: "" } as const;
  const limited = attemptOf({ status: 429, error });
  assert.match(of({ attempts: [limited], error }), /was not billed\./);
  const lost = { kind: "network", message: "" } as const;
  const { status: _, ...unanswered } = attemptOf({ error: lost });
  assert.match(of({ attempts: [unanswered], error: lost }), /may have been billed\./);
  const free = questionText(connection, headFor(), first, { row: { price: { by: "nothing" } } as never }, 0);
  assert.match(free, /costs nothing/);
});
