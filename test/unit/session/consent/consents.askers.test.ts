// Each question that is asked once: on another connection, and after the origin of this one has changed, it is asked again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentPlaces } from "../../../../src/agents/agentPlaces.ts";
import { WindowHooks } from "../../../../src/chat/host/tools/hooks/windowHooks.ts";
import type { PermitsDeps } from "../../../../src/chat/host/tools/permits.ts";
import type { ChatTool } from "../../../../src/chat/host/tools/tool.ts";
import { createCompletionConsents } from "../../../../src/completions/limits/consents.ts";
import type { Connection } from "../../../../src/session/connection/connection.ts";
import { createConnections } from "../../../../src/session/connection/connections.ts";
import { type ConsentKind, consentStores } from "../../../../src/session/consent/consent.ts";
import type { Consents } from "../../../../src/session/consent/consents.ts";
import type { Session } from "../../../../src/session/session.ts";
import { createSpendGate, type SpendGateDeps } from "../../../../src/session/spend/spendGate.ts";
import { Counted } from "../../../../src/shared/money/budgetRule.ts";
import type { ServiceTool, ToolQuestion } from "../../../../src/tools/serviceTool.ts";
import { noTotals, usd } from "../../account/host/money.ts";
import { memento } from "../../memento.ts";
import { replace } from "../../vscodeDouble.ts";
import { openConsents } from "../openConsents.ts";
import { search } from "../spendGateKit.ts";

const { createPermits } = await import("../../../../src/chat/host/tools/permits.ts");
const { createConsent } = await import("../../../../src/languageModels/consent.ts");
const { confirmPrice } = await import("../../../../src/session/spend/confirmPrice.ts");
const { askConsent } = await import("../../../../src/tools/toolConsent.ts");

const live: Connection = {
  id: "c-1",
  name: "One",
  kind: "live",
  baseUrl: "https://one.example/api/v1",
  dialect: "auto",
};
const others: Readonly<Record<string, Connection>> = {
  "another connection": { ...live, id: "c-2" },
  "a changed origin": { ...live, baseUrl: "https://two.example/api/v1" },
  "another port": { ...live, baseUrl: "https://one.example:444/api/v1" },
  "the environment": { ...live, id: "environment", kind: "environment" },
};

/** Asks as the feature does, over a connection. The user allows what is asked. */
type Asker = (consents: Consents, connection: Connection) => Promise<unknown>;

const sessionOf = (active: Connection) => ({ active }) as unknown as Session;
const question: ToolQuestion = { asks: "price", summary: "Search", usd: 0.01, details: [], button: "Search" };
const tool = { name: "search", title: "Search the web" } as ServiceTool;

/** A command of the chat, approved for as long as `decision` says. */
function permitted(decision: "always" | "conversation" | "task" | "kind"): Asker {
  return async (consents, connection) => {
    const command = {
      kind: "command",
      name: "run",
      title: "Run a command",
      origin: "built-in",
      fingerprint: async () => "run",
      scopes: () => ["npm test"],
    } as unknown as ChatTool;
    const approvals = {
      mayRunUnasked: () => true,
      isAllowed: () => false,
      runFileChanges: () => 0,
      consents,
    };
    const permits = createPermits({
      chat: {
        state: { settings: { mode: "agent" }, conversationId: "chat" },
        path: () => [{ role: "user", id: "q", text: "Go" }],
      },
      approvals,
      connectionId: () => `${connection.id} ${new URL(connection.baseUrl).origin}`,
    } as unknown as PermitsDeps);
    const ready = { tool: command, input: {} };
    if ((await permits.permissionFor(ready)) === "given") return;
    asked++;
    await permits.give(ready, decision);
  };
}

let asked = 0;

type Button = string | { readonly isCloseAffordance?: boolean };

const askers: Readonly<Record<ConsentKind, Asker>> = {
  price: (consents, connection) =>
    confirmPrice(
      { session: sessionOf(connection), consents },
      { action: "search", title: "Search", button: "Search", usd: 0.01 },
    ),
  tool: (consents, connection) =>
    askConsent({ session: sessionOf(connection), consents }, { tool }, question),
  mcp: (consents, connection) =>
    askConsent({ session: sessionOf(connection), consents }, { tool, client: "Codex" }, question),
  async completions(consents, connection) {
    const given = createCompletionConsents(consents);
    if (given.of(connection) === "paid") return;
    asked++;
    await given.give(connection, "paid");
  },
  extension: (consents, connection) =>
    createConsent(consents).obtain("a.b", connection, new AbortController().signal),
  async wallet(consents, connection) {
    const state = { ...memento(), keys: () => [] };
    const env =
      connection.kind === "environment"
        ? { INFERENCE_API_KEY: "k", INFERENCE_BASE_URL: connection.baseUrl }
        : {};
    const connections = createConnections(state, env, consents);
    if (connection.kind === "live") await connections.put(connection);
    if (connections.byId(connection.id)?.wallet) return;
    asked++;
    await connections.setWallet(connection.id, { address: `0x${"1".repeat(40)}`, signer: "paste" });
  },
  async overdraft(consents, connection) {
    const over = usd(2);
    const totals = { ...noTotals, today: over, month: over };
    const claims = { today: Counted.zero, month: Counted.zero };
    const gate = createSpendGate({
      spend: {
        reserve: async (_: unknown, __: unknown, judge: (...spent: unknown[]) => unknown) => {
          const refusal = judge(totals, claims, undefined, () => false);
          return refusal ? { refusal } : { hold: "h" };
        },
      } as unknown as SpendGateDeps["spend"],
      budgets: () => ({ dayUsd: 1, monthUsd: undefined, hardStop: false }),
      state: memento(),
      consents,
      now: Date.now,
      warn() {},
      ask: async () => {
        asked++;
        return "period";
      },
    });
    await gate.admit(connection, search, {} as never, undefined);
  },
  // Bound to the host that is asked: a service that knows contracts gets no key and no money.
  async contracts(consents, { baseUrl, id }) {
    const host = `${id}.${new URL(baseUrl).host}`;
    const key = { kind: "contracts", receiver: host, subject: [host] } as const;
    if (consents.use(key)) return;
    asked++;
    await consents.give({ ...key, says: host });
  },
  // Bound to the collector that receives the spans, whichever connection was called.
  async traces(consents, { baseUrl, id }) {
    const receiver = `https://${id}.${new URL(baseUrl).host}`;
    const key = { kind: "traces", receiver, subject: ["facts"] } as const;
    if (consents.use(key)) return;
    asked++;
    await consents.give({ ...key, says: receiver });
  },
  // Bound to the program or the address that is told, whichever connection it is about.
  async alerts(consents, { baseUrl, id }) {
    const receiver = `https://${id}.${new URL(baseUrl).host}`;
    const key = { kind: "alerts", receiver, subject: ["address", receiver] } as const;
    if (consents.use(key)) return;
    asked++;
    await consents.give({ ...key, says: receiver });
  },
  // Bound to the content of a hook, whichever connection its chat has.
  async hook(consents, { baseUrl, id }) {
    const command = `${id} ${new URL(baseUrl).host}`;
    const file = {
      label: ".github/hooks/a.json",
      path: "/w/.github/hooks/a.json",
      folder: "/w",
      isOwn: false,
    };
    const hook = { event: "Stop", command, env: {}, timeoutMs: 1, file, cwd: "/none" } as const;
    const hooks = new WindowHooks({
      read: async () => ({ hooks: [hook], problems: [] }),
      consents,
      ask: async () => {
        asked++;
        return true;
      },
      changes: () => Promise.reject(new Error("nothing is recorded")),
      env: {},
      now: () => new Date(),
    });
    const { signal } = new AbortController();
    await hooks.run({ event: "Stop", session: "s", input: {}, signal, changed() {} });
  },
  // Bound to the program that is started, whichever connection its model has.
  async agent(consents, { baseUrl, id }) {
    const places = new AgentPlaces({
      consents,
      ask: async () => {
        asked++;
        return true;
      },
      isTrusted: () => true,
      folder: () => "/w",
      programOf: async () => `/${id}/${new URL(baseUrl).host}`,
    });
    await places.find("Cline", new AbortController().signal);
  },
  workspaceTool: permitted("always"),
  chatTool: permitted("conversation"),
  taskTool: permitted("task"),
  taskKind: permitted("kind"),
};

for (const [kind, ask] of Object.entries(askers))
  test(`${kind}: allowed on one connection, it asks again on another one and after a changed origin, and once revoked`, async (t) => {
    const press = async (_: string, __: object, ...buttons: Button[]) => {
      asked++;
      return buttons.findLast((one) => typeof one === "string" || !one.isCloseAffordance);
    };
    replace("window", { showInformationMessage: press, showWarningMessage: press }, t);
    const consents = openConsents();
    const asks = async (connection: Connection) => {
      asked = 0;
      await ask(consents, connection);
      return asked > 0;
    };
    assert.equal(await asks(live), true);
    assert.equal(await asks({ ...live, name: "Renamed", baseUrl: "https://one.example/other" }), false);
    for (const [name, other] of Object.entries(others)) {
      assert.equal(await asks(other), true, name);
      assert.equal(await asks(other), false, name);
    }
    assert.equal(await asks(live), false);
    assert.ok(consents.all().every((given) => given.kind === kind));
    await consents.revoke(consents.all());
    assert.equal(await asks(live), true, "revoked");
  });

test("every kind has a question here", () => {
  assert.deepEqual(Object.keys(askers).sort(), Object.keys(consentStores).sort());
});
