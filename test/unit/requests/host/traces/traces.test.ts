// Where traces go: off without a setting, only to a safe address, only after consent, with content only by a second one.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { RequestsDeps } from "../../../../../src/requests/host/deps.ts";
import { configurationOf } from "../../../configurationDouble.ts";
import { openConsents } from "../../../session/openConsents.ts";
import { replace } from "../../../vscodeDouble.ts";
import { calledOf, headFor } from "../calledOf.ts";
import { openCollector, valuesOf } from "./collector.ts";

const { readReceiver, Traces } = await import("../../../../../src/requests/host/traces/traces.ts");

const connection = {
  id: "live",
  name: "Live",
  kind: "live",
  baseUrl: "https://api.example.com",
  dialect: "auto",
} as const;

/** Traces of a window whose user presses the button, or closes the dialog. */
function tracesOf(t: TestContext, user: Record<string, unknown>, answers: boolean[] = []) {
  const settings = configurationOf(t, { user });
  const dialogs: string[] = [];
  const notices: string[] = [];
  replace(
    "window",
    {
      showWarningMessage: async (message: string, options?: unknown, button?: string) => {
        if (typeof options !== "object") return void notices.push(message);
        dialogs.push(message);
        return answers.shift() ? button : undefined;
      },
    },
    t,
  );
  const consents = openConsents();
  const log = { warn() {}, error() {} };
  const deps = { consents, log, extensionVersion: "1.0.0" } as unknown as RequestsDeps;
  const traces = new Traces(deps);
  t.after(() => traces.dispose());
  return { traces, dialogs, notices, consents, user: settings.user };
}

test("an address is https, or http on this computer, without credentials", () => {
  const url = (address: string) => {
    const receiver = readReceiver(address, false);
    return receiver && ("problem" in receiver ? receiver.problem : receiver.url);
  };
  assert.equal(url(""), undefined);
  assert.equal(url("https://otel.example.com"), "https://otel.example.com/v1/traces");
  assert.equal(url("https://otel.example.com/base/"), "https://otel.example.com/base/v1/traces");
  assert.equal(url("http://localhost:4318/v1/traces"), "http://localhost:4318/v1/traces");
  for (const bad of [
    "http://otel.example.com",
    "ftp://localhost",
    "localhost:4318",
    "https://a:b@c.example",
    "https://c.example/?key=1",
  ])
    assert.match(url(bad) ?? "", /^it (is|must)/, bad);
});

test("nothing is asked and nothing is sent without the setting", async (t) => {
  const { traces, dialogs } = tracesOf(t, {});
  await traces.configure();
  await traces.record(connection, headFor(), calledOf());
  assert.deepEqual(dialogs, []);
});

test("a new address is asked about once; then each call is a span there, without content", async (t) => {
  const collector = await openCollector(t);
  const { traces, dialogs, consents } = tracesOf(t, { "inference.requests.traceAddress": collector.origin }, [
    true,
  ]);
  const arrived = collector.next();
  await traces.configure();
  await traces.record(connection, headFor(), calledOf());
  await traces.record(connection, headFor({ id: "b" }), calledOf({ id: "b" }));
  await arrived;
  assert.equal(dialogs.length, 1);
  assert.ok(dialogs[0]?.includes(collector.origin));
  assert.equal(collector.spans.length, 2);
  assert.deepEqual(collector.refusals, []);
  assert.equal(valuesOf(collector.spans[0] ?? assert.fail())["server.address"], "api.example.com");
  assert.ok(!collector.bodies.join().includes("it's me"));
  assert.deepEqual(
    consents.all().map(({ kind, receiver, subject }) => [kind, receiver, subject]),
    [["traces", collector.origin, ["facts"]]],
  );
});

test("while a question is open for long, a bounded number of calls waits for it", async (t) => {
  const collector = await openCollector(t);
  const { traces } = tracesOf(t, { "inference.requests.traceAddress": collector.origin });
  const answered = Promise.withResolvers<void>();
  const showWarningMessage = async (_: string, __: unknown, button: string) => {
    await answered.promise;
    return button;
  };
  replace("window", { showWarningMessage }, t);
  const arrived = collector.next();
  const ids = Array.from({ length: 100 }, (_, index) => `call-${index}`);
  const recorded = ids.map((id) => traces.record(connection, headFor({ id }), calledOf({ id })));
  answered.resolve();
  await Promise.all(recorded);
  // Without a question, calls of one turn don't wait.
  await Promise.all(
    ids.map((id) =>
      traces.record(connection, headFor({ id: `later ${id}` }), calledOf({ id: `later ${id}` })),
    ),
  );
  await arrived;
  assert.equal(collector.spans.length, 164);
});

test("a refusal counts until the settings change, and sends nothing", async (t) => {
  const collector = await openCollector(t);
  const { traces, dialogs } = tracesOf(t, { "inference.requests.traceAddress": collector.origin }, [
    false,
    false,
  ]);
  await traces.record(connection, headFor(), calledOf());
  await traces.record(connection, headFor(), calledOf());
  assert.equal(dialogs.length, 1);
  await traces.configure();
  assert.equal(dialogs.length, 2);
  assert.equal(collector.bodies.length, 0);
});

test("content needs a consent of its own", async (t) => {
  const collector = await openCollector(t);
  const { traces, dialogs, user } = tracesOf(t, { "inference.requests.traceAddress": collector.origin }, [
    true,
    true,
  ]);
  await traces.configure();
  user["inference.requests.traceContent"] = true;
  await traces.configure();
  assert.equal(dialogs.length, 2);
  const arrived = collector.next();
  await traces.record(connection, headFor(), calledOf());
  await arrived;
  assert.ok(collector.bodies.join().includes("it's me"));
});

test("an address that can't be used is told once", async (t) => {
  const { traces, notices, dialogs } = tracesOf(t, {
    "inference.requests.traceAddress": "http://otel.example.com",
  });
  await traces.configure();
  await traces.record(connection, headFor(), calledOf());
  assert.equal(notices.length, 1);
  assert.deepEqual(dialogs, []);
});
