import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Charged, SpendSource } from "../../../../src/api/money/charge.ts";
import type { Connection } from "../../../../src/session/connection/connection.ts";
import { createSpend, type SpendPlace } from "../../../../src/session/spend/spend.ts";
import type { Prices } from "../../../../src/session/spend/spendEntry.ts";
import { noNames } from "../../../../src/shared/chat/modelNames.ts";
import { Amounts, nothing } from "../../../../src/shared/money/amounts.ts";
import { exactText } from "../../../../src/shared/money/exact.ts";
import { usdOf } from "../../account/host/money.ts";
import { createClock } from "../../sandbox/clock.ts";

const live: Connection = {
  id: "c-1",
  name: "One",
  kind: "live",
  baseUrl: "https://one.example",
  dialect: "auto",
};
const prices: Prices = {
  models: async () => new Map(),
  names: async () => noNames,
  usdPerCredit: [6.25e-7, 7e-7],
};

function open(t: TestContext, placeOf?: (resource: string | undefined) => Promise<SpendPlace>) {
  const folder = mkdtempSync(join(tmpdir(), "spend-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const clock = createClock();
  const deps = { folder, now: clock.now, onChange() {}, report: assert.ifError };
  const spend = createSpend({ ...deps, ...(placeOf ? { placeOf } : {}) });
  const file = () => {
    const [name = ""] = readdirSync(join(folder, live.id));
    return join(folder, live.id, name);
  };
  return { spend, clock, file };
}

const search = (requestId: string, source?: SpendSource): Charged => ({
  type: "charged",
  endpoint: "augment.search",
  fact: { by: "request", usd: 0.01 },
  requestId,
  ...(source ? { source } : {}),
});

test("source, folder and branch are in the journal, and lines of older and later versions are read", async (t) => {
  const { spend, file } = open(t, async () => ({ folder: "workbench", branch: "main" }));
  const source = { kind: "nativeChat", client: "publisher.name" } as const;
  spend.record(live, search("r-1", source), prices);
  await spend.totals(live);
  const line = { t: "spent", atMs: Date.now(), endpoint: "chat.stream", usd: "0.1" };
  const others = [
    { ...line, id: "old" },
    { ...line, id: "later", source: { kind: "later" } },
    { ...line, id: "damaged", source: 1, folder: {}, branch: 5 },
    { ...line, id: "damaged-client", source: { kind: "mcp", client: [] } },
  ];
  appendFileSync(file(), others.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const entries = await spend.entries(live);
  assert.deepEqual(
    entries.map((entry) => [entry.source, entry.folder, entry.branch]),
    [
      [{ kind: "mcp" }, undefined, undefined],
      [undefined, undefined, undefined],
      [{ kind: "later" }, undefined, undefined],
      [undefined, undefined, undefined],
      [source, "workbench", "main"],
    ],
  );
  assert.equal(
    exactText(usdOf(Amounts.sum(entries.map(({ cost = nothing }) => cost)))),
    "0.41",
    "each amount counts",
  );
});

test("the resource of a call decides its place and is not stored", async (t) => {
  const asked: (string | undefined)[] = [];
  const { spend, file } = open(t, async (resource) => {
    asked.push(resource);
    return resource ? { folder: "second" } : {};
  });
  spend.record(live, search("r-1", { kind: "editor", resource: "file:///home/me/secret.ts" }), prices);
  spend.record(live, search("r-2", { kind: "chat" }), prices);
  const unsure = { type: "uncharged", endpoint: "chat.stream", hold: "h", mayBeBilled: true } as const;
  spend.record(live, { ...unsure, source: { kind: "studio", resource: "file:///home/me/x" } }, prices);
  const entries = await spend.entries(live);
  assert.deepEqual(
    entries.map(({ source, folder }) => [source, folder]),
    [
      [{ kind: "studio" }, "second"],
      [{ kind: "chat" }, undefined],
      [{ kind: "editor" }, "second"],
    ],
  );
  assert.deepEqual(asked, ["file:///home/me/secret.ts", undefined, "file:///home/me/x"]);
  assert.doesNotMatch(readFileSync(file(), "utf8"), /home/);
});

test("the branch is that of the call's end, also if earlier calls are still being recorded", async (t) => {
  let branch = "one";
  const { spend } = open(t, async () => ({ branch }));
  spend.record(live, search("r-1"), prices);
  branch = "two";
  spend.record(live, search("r-2"), prices);
  branch = "three";
  assert.deepEqual(
    (await spend.entries(live)).map((entry) => entry.branch),
    ["two", "one"],
  );
});

test("names from outside are one line of at most 100 characters", async (t) => {
  const hostile = `a\u202eb\nc${"x".repeat(100_000)}`;
  const { spend, file } = open(t, async () => ({ folder: hostile, branch: hostile }));
  spend.record(live, search("r-1", { kind: "mcp", client: hostile }), prices);
  const [entry] = await spend.entries(live);
  for (const name of [entry?.source?.client, entry?.folder, entry?.branch]) {
    assert.equal(name?.length, 100);
    assert.match(name ?? "", /^a⟨U\+202E⟩b⟨U\+000A⟩cx+…$/);
  }
  assert.ok(readFileSync(file()).length < 1200);
});

test("entries of earlier months are read on request, newest first", async (t) => {
  const { spend, clock } = open(t);
  for (const time of ["2026-06-30T23:00:00Z", "2026-07-01T00:00:00Z", "2026-08-31T10:00:00Z"]) {
    clock.set(time);
    spend.record(live, search(time), prices);
    await spend.totals(live);
  }
  const since = async (time?: string) =>
    (await spend.entries(live, time === undefined ? undefined : Date.parse(time))).map(
      (one) => one.requestId,
    );
  const [june, july, august] = ["2026-06-30T23:00:00Z", "2026-07-01T00:00:00Z", "2026-08-31T10:00:00Z"];
  assert.deepEqual(await since(), [august]);
  assert.deepEqual(await since("2026-07-20T00:00:00Z"), [august, july]);
  assert.deepEqual(await since("2026-07-01T00:00:00Z"), [august, july]);
  assert.deepEqual(await since("2026-06-30T23:59:59Z"), [august, july, june]);
});
