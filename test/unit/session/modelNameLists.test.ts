import assert from "node:assert/strict";
import { test } from "node:test";
import { createApi } from "../../../src/api/call/client.ts";
import { type DialectId, dialects } from "../../../src/api/dialect/dialect.ts";
import { table } from "../../../src/api/table.ts";
import { createHostTransport } from "../../../src/api/transport/host.ts";
import { ModelNameLists } from "../../../src/session/modelNameLists.ts";
import { startTestSandbox, type TestSandboxOptions } from "../../serviceKit/testSandbox.ts";

async function open(
  t: { after(end: () => unknown): void },
  dialect: DialectId = "standard",
  options: TestSandboxOptions = {},
) {
  const sandbox = await startTestSandbox({ dialect, limits: "none", ...options });
  t.after(() => sandbox.close());
  const api = createApi(table, createHostTransport(), {
    baseUrl: sandbox.baseUrl,
    apiKey: async () => sandbox.apiKey,
    dialect: dialects[dialect],
    timeouts: { headersMs: 30_000, idleMs: 30_000 },
    random: () => 0,
  });
  const clock = { nowMs: 0 };
  return {
    sandbox,
    clock,
    lists: new ModelNameLists(
      () => api.models,
      () => clock.nowMs,
    ),
  };
}

for (const dialect of ["standard", "venice"] as const) {
  test(`${dialect}: both lists are read on first need, once, and again when they are old`, async (t) => {
    const { sandbox, clock, lists } = await open(t, dialect);
    assert.equal(sandbox.requests.length, 0);
    const [{ traits, mapping }] = await Promise.all([lists.get(), lists.get()]);
    assert.deepEqual([traits.default, mapping["gpt-4o"]], ["guide", "guide"]);
    assert.deepEqual(sandbox.requests.map(({ path }) => path).toSorted(), [
      "/api/v1/models/compatibility_mapping?type=text",
      "/api/v1/models/traits?type=text",
    ]);
    clock.nowMs = 11 * 60_000;
    await lists.get();
    assert.equal(sandbox.requests.length, 4);
  });
}

test("a service without a route has no such names; another failure is thrown and tried again", async (t) => {
  const { lists } = await open(t, "standard", {
    faults: [
      { kind: "status", status: 404, match: { path: "/models/traits" } },
      { kind: "status", status: 403, match: { path: "/models/compatibility_mapping" }, times: 1 },
    ],
  });
  await assert.rejects(lists.get(), { kind: "forbidden" });
  const { traits, mapping } = await lists.get();
  assert.deepEqual([traits, mapping["o3-mini"]], [{}, "thinker"]);
});

test("a list is bounded, and an entry that names no id is left out", async () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`name-${index}`, "guide"]));
  const reply = { data: { ["x".repeat(300)]: "guide", empty: "", ...many } };
  const lists = new ModelNameLists(
    () => ({ traits: async () => reply, compatibilityMapping: async () => ({ data: {} }) }) as never,
  );
  const { traits } = await lists.get();
  assert.equal(Object.keys(traits).length, 1000);
  assert.ok(Object.keys(traits).every((name) => name.length <= 200 && name !== "empty"));
});
