// The client learns the dialect of an unknown host from its answers (issue 3, wire.md section 2).
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type CallOptions, type ClientEvent, createApi, defaultTimeouts } from "../../src/api/call/client.ts";
import { type DialectId, dialectOf, dialects } from "../../src/api/dialect/dialect.ts";
import { table } from "../../src/api/table.ts";
import { usageCsv } from "../../src/api/usageCsv.ts";
import { usagePages } from "../../src/api/usagePages.ts";
import { startTestSandbox } from "../serviceKit/testSandbox.ts";
import { chatOf } from "./suite/moneyKit.ts";
import { failureOf, transports } from "./suite/suite.ts";

for (const spoken of Object.keys(dialects) as DialectId[]) {
  const taken = spoken === "venice" ? "standard" : "venice";

  /** A client that starts with the other dialect. */
  async function opened(t: TestContext, learnsDialect: boolean) {
    const sandbox = await startTestSandbox({
      dialect: spoken,
      nodes: false,
      tokensPerSecond: Number.POSITIVE_INFINITY,
    });
    const transport = transports.host();
    t.after(async () => {
      await sandbox.close();
      await transport.close();
    });
    const api = createApi(table, transport, {
      baseUrl: sandbox.baseUrl,
      apiKey: async () => sandbox.apiKey,
      dialect: dialects[taken],
      learnsDialect,
      timeouts: defaultTimeouts,
    });
    const question = chatOf("guide", { service_parameters: { include_venice_system_prompt: false } });
    return { sandbox, api, ask: (options?: CallOptions) => api.chat.complete(question, options) };
  }

  test(`taken for ${taken}, a ${spoken} service gets the request again under its own names, then always`, async (t) => {
    const { sandbox, ask } = await opened(t, true);
    assert.equal((await ask()).choices.length, 1);
    assert.deepEqual(
      sandbox.requests.map(({ status }) => status),
      [400, 200],
    );
    await ask();
    assert.equal(sandbox.requestCount, 3);
  });

  test(`taken for ${taken}, a ${spoken} service reveals its dialect by its search provider, reported once`, async (t) => {
    const { sandbox, api } = await opened(t, true);
    const learnt: unknown[] = [];
    const observe = (event: ClientEvent) => event.type === "dialect" && learnt.push(event.dialect.id);
    const query = { query: "ferry", search_provider: "provider_b" } as const;
    await api.augment.search(query, { observe });
    await api.augment.search(query, { observe });
    assert.deepEqual(
      sandbox.requests.map(({ status }) => status),
      [400, 200, 200],
    );
    assert.deepEqual(learnt, [spoken]);
  });

  test(`taken for ${taken}, the first bill of a ${spoken} service is read`, async (t) => {
    const { api } = await opened(t, true);
    const facts: unknown[] = [];
    const body = { jsonrpc: "2.0" as const, id: 1, method: "eth_chainId", params: [] };
    const observe = (event: ClientEvent) => event.type === "charged" && facts.push(event.fact);
    await api.rpc.call({ network: "ethereum-mainnet", body }, { observe });
    const [fact] = facts as { credits?: number; usd?: number }[];
    assert.ok(fact?.credits && fact.usd, JSON.stringify(facts));
  });

  test(`taken for ${taken}, a ${spoken} service gets a call that must not be resent once, then the next call in its dialect`, async (t) => {
    const { sandbox, ask } = await opened(t, true);
    assert.equal((await failureOf(ask({ once: true }))).kind, "invalid-request");
    assert.equal(sandbox.requestCount, 1);
    await ask();
    assert.equal(sandbox.requestCount, 2);
  });

  test(`configured as ${taken}, a ${spoken} service keeps the configured dialect`, async (t) => {
    const { sandbox, ask } = await opened(t, false);
    for (const requests of [1, 2]) {
      assert.equal((await failureOf(ask())).kind, "invalid-request");
      assert.equal(sandbox.requestCount, requests);
    }
  });
}

type Opened = ReturnType<typeof createApi<typeof table>>;

/** Reads that a window makes anyway, each of which shows a venice service. */
const teachers: Readonly<Record<string, (api: Opened) => Promise<unknown>>> = {
  "a list of models": (api) => api.models.list({}),
  "the limits": (api) => api.account.rateLimits({}),
  "a list of networks": (api) => api.rpc.networks({}),
  "the log of limits": (api) => api.account.rateLimitLog({}),
  "the balance": (api) => api.billing.balance({}),
  "a search without a provider": (api) => api.augment.search({ query: "ferry" }),
};

/** A client that knows no more than an address, and the paths that its sandbox was asked for. */
async function unknownService(t: TestContext, dialect: DialectId) {
  const sandbox = await startTestSandbox({
    dialect,
    nodes: false,
    tokensPerSecond: Number.POSITIVE_INFINITY,
  });
  const transport = transports.undici();
  t.after(async () => {
    await sandbox.close();
    await transport.close();
  });
  const learnt: DialectId[] = [];
  const api = createApi(table, transport, {
    baseUrl: sandbox.baseUrl,
    apiKey: async () => sandbox.apiKey,
    dialect: dialectOf("auto", sandbox.baseUrl),
    learnsDialect: true,
    timeouts: defaultTimeouts,
    observe: (event) => event.type === "dialect" && learnt.push(event.dialect.id),
  });
  const asked = () =>
    sandbox.requests.map(({ path, status }) => `${path.replace(/^\/api\/v1|\?.*$/g, "")} ${status}`);
  return { api, learnt, asked };
}

const switched = chatOf("guide", { service_parameters: { include_venice_system_prompt: false } });
const day = { start: "2026-01-01T00:00:00Z", end: "2026-01-02T00:00:00Z" };

for (const [what, read] of Object.entries(teachers)) {
  test(`${what} teaches an unknown address to be venice: the first paid calls are sent once, and no retired route is asked`, async (t) => {
    const { api, learnt, asked } = await unknownService(t, "venice");
    await read(api);
    assert.deepEqual(learnt, ["venice"]);
    await api.chat.complete(switched);
    await api.augment.search({ query: "ferry", search_provider: "provider_b" });
    for await (const page of usagePages(api, day)) assert.equal(page.records.length, 0);
    for await (const _ of usageCsv(api, day));
    assert.deepEqual(asked().slice(1), [
      "/chat/completions 200",
      "/augment/search 200",
      "/billing/usage-history 200",
      "/billing/usage-history 200",
    ]);
    assert.deepEqual(learnt, ["venice"]);
  });
}

test("a standard service shows nothing of venice, and its bill is read where the spec has it", async (t) => {
  const { api, learnt, asked } = await unknownService(t, "standard");
  for (const name of ["a list of models", "the limits", "a list of networks", "a search without a provider"])
    await teachers[name]?.(api);
  await failureOf(api.account.rateLimitLog({}));
  await failureOf(api.billing.balance({}));
  await api.chat.complete(switched);
  for await (const page of usagePages(api, day)) assert.equal(page.records.length, 0);
  assert.deepEqual(asked().slice(6), ["/chat/completions 200", "/billing/usage 200"]);
  assert.deepEqual(learnt, []);
});

test("without any sign the retired route is asked once, and its refusal teaches, too", async (t) => {
  const { api, learnt, asked } = await unknownService(t, "venice");
  for (let times = 0; times < 2; times++) for await (const _ of usagePages(api, day));
  assert.deepEqual(asked(), [
    "/billing/usage 410",
    "/billing/usage-history 200",
    "/billing/usage-history 200",
  ]);
  assert.deepEqual(learnt, ["venice"]);
});
