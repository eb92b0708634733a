// Code is sent while the user types only to the service, and at the price, that the user has allowed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import {
  type CompletionState,
  createCompletionController,
} from "../../../../src/completions/completionController.ts";
import {
  type Consent,
  covers,
  createCompletionConsents,
  neededFor,
} from "../../../../src/completions/limits/consents.ts";
import type { Connection } from "../../../../src/session/connection/connection.ts";
import type { Client } from "../../../../src/session/session.ts";
import { memento } from "../../memento.ts";
import { openConsents } from "../../session/openConsents.ts";

const sandbox: Connection = { id: "sandbox", name: "Sandbox", kind: "sandbox", baseUrl: "", dialect: "auto" };
const live: Connection = {
  id: "c-1",
  name: "One",
  kind: "live",
  baseUrl: "https://one.example/api/v1",
  dialect: "auto",
};

const model = (id: string, usd: number | undefined) => ({
  id,
  type: "text",
  model_spec: {
    name: id,
    capabilities: {},
    ...(usd === undefined ? {} : { pricing: { input: { usd }, output: { usd } } }),
  },
});

/** A window with three open tabs, whose services record what they receive. */
function openWindow(models: readonly object[] = [model("free", 0)]) {
  const state = memento();
  const consents = createCompletionConsents(openConsents({ globalState: state }));
  const sent: string[] = [];
  const states: CompletionState["kind"][] = [];
  let neighboursRead = 0;
  let active: Connection = sandbox;
  const chosen = { model: "", debounceMs: 0, hourUsd: 1 };
  const clientOf = (connection: Connection): Client => {
    const at = connection.kind === "sandbox" ? "sandbox" : connection.baseUrl;
    const api = {
      models: {
        list: async () => {
          sent.push(`${at} models`);
          return { data: models };
        },
      },
      chat: {
        complete: async () => {
          sent.push(`${at} code`);
          return { choices: [{ message: { content: "x" } }] };
        },
      },
    };
    return { connection, api, root: "", dialect: dialects.standard } as unknown as Client;
  };
  let client = clientOf(active);
  const controller = createCompletionController({
    client: async () => client,
    consentTo: consents.of,
    active: () => active,
    settings: () => chosen,
    cap: { spent: async () => assert.fail(), blockedUntil: async () => undefined, forget() {} },
    onState: ({ kind }) => states.push(kind),
    now: () => 0,
    wait: async () => {},
  });
  let keys = 0;
  return {
    consents,
    controller,
    state,
    chosen,
    neighboursRead: () => neighboursRead,
    /** As the feature does when the active connection changes. */
    connect(connection: Connection) {
      active = connection;
      client = clientOf(connection);
      controller.reset();
    },
    /** A key in one of three tabs; the requests that it caused. */
    async type() {
      const from = sent.length;
      const before = `const a${++keys} = `;
      const at = {
        uri: "file:///a.ts",
        name: "a.ts",
        languageId: "typescript",
        before,
        after: "\n",
        line: 0,
        character: before.length,
      };
      const tabs = ["b.ts", "c.ts"].map((name) => ({
        name,
        languageId: "typescript",
        version: 1,
        text: () => "const secretPart = 1;\n",
      }));
      const neighbours = () => {
        neighboursRead++;
        return tabs;
      };
      await controller.complete(
        { at, isExplicit: keys % 2 === 0, tabSize: undefined, neighbours },
        new AbortController().signal,
      );
      return sent.slice(from);
    },
  };
}

test("turned on in the sandbox, nothing goes to a live service before it was allowed there", async () => {
  const { consents, connect, type, controller, neighboursRead } = openWindow();
  await consents.give(sandbox, "free");
  assert.deepEqual(await type(), ["sandbox models", "sandbox code"]);
  const read = neighboursRead();
  connect(live);
  assert.equal(controller.state.kind, "asks");
  assert.deepEqual([await type(), await type(), await type()], [[], [], []]);
  assert.equal(neighboursRead(), read);
  assert.equal(controller.state.kind, "asks");
  await consents.give(live, "paid");
  assert.deepEqual(await type(), ["https://one.example/api/v1 models", "https://one.example/api/v1 code"]);
  assert.equal(controller.state.kind, "ready");
  // Back in the sandbox, the consent to the live service asks nothing again.
  connect(sandbox);
  assert.deepEqual(await type(), ["sandbox models", "sandbox code"]);
});

test("a consent counts for the connection and its address, not for another one, nor after the address has changed", async () => {
  const { consents, connect, type } = openWindow();
  await consents.give(live, "paid");
  for (const other of [
    { ...live, id: "c-2" },
    { ...live, baseUrl: "https://two.example/api/v1" },
    { ...live, baseUrl: "https://one.example:444/api/v1" },
    { ...live, baseUrl: "http://127.0.0.1:1/api/v1" },
    { ...live, id: "environment", kind: "environment" as const },
    { ...live, id: "c-1 https://one.example" },
    { ...live, id: "__proto__" },
    sandbox,
  ]) {
    connect(other);
    assert.deepEqual(await type(), [], JSON.stringify(other));
  }
  connect({ ...live, name: "Renamed", baseUrl: "https://one.example/other/" });
  assert.equal((await type()).length, 2);
});

test("a consent to free models does not pass to one that costs money, or whose price is not listed", async () => {
  for (const usd of [1, 1e-9, undefined]) {
    const { consents, connect, type, chosen, controller } = openWindow([
      model("free", 0),
      model("other", usd),
    ]);
    chosen.hourUsd = 0;
    await consents.give(live, "free");
    connect(live);
    chosen.model = "free";
    assert.deepEqual((await type()).length, 2);
    chosen.model = "other";
    assert.deepEqual(await type(), []);
    assert.equal(controller.state.kind, "asks");
    await consents.give(live, "paid");
    assert.equal((await type()).length, 1);
    chosen.model = "free";
    assert.equal((await type()).length, 1);
  }
});

test("a switch while a request is prepared sends nothing to the new service", async () => {
  const { consents, connect, type } = openWindow();
  await consents.give(sandbox, "free");
  const typing = type();
  connect(live);
  assert.deepEqual(await typing, []);
});

test("only the stored consents count: what is stored there by others is none", async () => {
  const { state, consents } = openWindow();
  assert.equal(consents.of({ ...live, id: "constructor" }), undefined);
  assert.equal(consents.of(live), undefined);
  await consents.give(live, "free");
  await consents.give(sandbox, "free");
  const stored = state.get<readonly { receiver: string; subject: string[] }[]>("consents", []);
  assert.deepEqual(
    stored.map(({ receiver, subject }) => [receiver, ...subject]),
    [
      ["c-1 https://one.example", "free"],
      ["sandbox", "free"],
    ],
  );
});

test("play money costs nothing; a price that is not listed may", () => {
  const cases: readonly (readonly [Parameters<typeof neededFor>[0], Consent])[] = [
    [{ inputUsd: 0, outputUsd: 0 }, "free"],
    [{ inputUsd: 0, outputUsd: 1 }, "paid"],
    [{ inputUsd: 1, outputUsd: 0 }, "paid"],
    [{}, "paid"],
    [{ inputUsd: 3, outputUsd: 3, isPlayMoney: true }, "free"],
  ];
  for (const [card, needed] of cases) {
    assert.equal(neededFor(card), needed);
    assert.deepEqual(
      [covers(undefined, card), covers("free", card), covers("paid", card)],
      [false, needed === "free", true],
    );
  }
});
