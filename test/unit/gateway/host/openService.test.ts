// What another agent may spend, however it names its sessions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { groupCalls } from "../../../../src/account/host/dashboard/callGroups.ts";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import { openService } from "../../../../src/gateway/host/openService.ts";
import { startGateway } from "../../../../src/gateway/server/gatewayServer.ts";
import { SessionBook } from "../../../../src/gateway/server/sessionBook.ts";
import type { PlaceOf } from "../../../../src/session/spend/scopes/callTags.ts";
import { nothing } from "../../../../src/shared/money/amounts.ts";
import { Counted } from "../../../../src/shared/money/budgetRule.ts";
import { exactText } from "../../../../src/shared/money/exact.ts";
import { connection, openWindow } from "../../session/budgetWindow.ts";
import { billed } from "../../session/spendGateKit.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { noBudgets, openGateway, sendRaw, sessionOver } from "../gatewayKit.ts";

const body = JSON.stringify({
  model: "echo",
  messages: [{ role: "user", content: "Say this." }],
  max_completion_tokens: 10_000,
});

test("an agent with a new session for each call spends at most its cap per day, over two windows", async (t) => {
  const dayCapUsd = 0.002;
  const gateway = await openGateway(t, { sessionCapUsd: 1, dayCapUsd });
  const { sandbox, folder, clients, token } = gateway;
  const budgets = { dayUsd: undefined, monthUsd: undefined, hardStop: false };
  const window = openWindow({ ...sandbox, folder, budgets });
  const other = await startGateway(0, {
    clientOf: (given) => clients.find(given),
    open: (agent) => openService(sessionOver(window), agent),
    sessions: new SessionBook(Date.now),
    now: Date.now,
  });
  t.after(() => other.close());
  const ports = [gateway.port, other.port];
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      sendRaw({ port: ports[index % 2] ?? 0, token }, { headers: { session_id: `s-${index}` }, body }),
    ),
  );
  const refused = answers.filter(({ status }) => status === 402);
  assert.ok(refused.length > 0 && refused.length < 24, String(refused.length));
  assert.ok(answers.every(({ status }) => status === 402 || status === 200));
  const { error } = JSON.parse(refused[0]?.text ?? "");
  assert.match(
    error.message,
    /^This may cost \$\S+, more than the cap per day of Codex has left: .* of \$0\.0020 is spent.*Raise the cap in VS Code: run “Use with Other Agents…”, and choose this client\. Nothing was sent\.$/,
  );
  assert.equal(error.code, "insufficient_quota");
  // A call is recorded after its answer: this waits for those of the first window, and the next one for those of its own.
  await gateway.window.spend.totals(connection);
  const entries = await window.spend.entries(connection);
  assert.equal(entries.length, 24 - refused.length);
  const bill = Number(exactText(await billed(sandbox, temporaryFolder())));
  assert.ok(bill > 0 && bill <= dayCapUsd, String(bill));
  const spent = Counted.zero.plusAll(entries.map(({ cost }) => Counted.of(cost ?? nothing)));
  assert.equal(Number(spent.in("USD").digits()), bill);
});

/** As a window with this folder open. */
const windowIn =
  (own: string): PlaceOf =>
  async (_resource, folder) => ({ folder: folder ?? own, branch: "main" });

test("the calls of each folder of an agent cost at most its cap, whichever of two windows pays", async (t) => {
  const folderCapUsd = 0.002;
  const gateway = await openGateway(t, { folderCapUsd, sessionCapUsd: 1 }, {}, { placeOf: windowIn("app") });
  const { sandbox, folder, clients, client } = gateway;
  const [budgets, placeOf] = [noBudgets, windowIn("lib")];
  const window = openWindow({ ...sandbox, folder, budgets, placeOf });
  const other = await startGateway(0, {
    clientOf: (given) => clients.find(given),
    open: (agent) => openService(sessionOver(window), agent),
    sessions: new SessionBook(Date.now),
    now: Date.now,
  });
  t.after(() => other.close());
  const ports = [gateway.port, other.port];
  const names = ["app", "lib"];
  const tokens = await Promise.all(
    names.map((name) => clients.tokenIn(client.id, { uri: `file:///${name}`, name })),
  );
  const answers = await Promise.all(
    Array.from({ length: 48 }, (_, index) => {
      const token = tokens[(index >> 1) % 2] ?? "";
      const call = { headers: { session_id: `s-${index}` }, body };
      return sendRaw({ port: ports[index % 2] ?? 0, token }, call);
    }),
  );
  assert.ok(answers.every(({ status }) => status === 402 || status === 200));
  const refused = answers.map(({ status, text }) => (status === 402 ? text : "")).filter(Boolean);
  for (const name of names)
    assert.ok(
      refused.some((text) => text.includes(`the cap per day of Codex for the folder ${name} has left`)),
    );
  const entries = await window.spend.entries(connection);
  assert.deepEqual(new Set(entries.map((entry) => entry.folder)), new Set(names));
  for (const name of names) {
    const own = entries.filter((entry) => entry.folder === name);
    const spent = Counted.zero.plusAll(own.map(({ cost }) => Counted.of(cost ?? nothing)));
    assert.ok(spent.sign > 0 && !spent.exceeds(Counted.parse(folderCapUsd)), name);
  }
  const bill = Number(exactText(await billed(sandbox, temporaryFolder())));
  assert.ok(bill > 0 && bill <= 2 * folderCapUsd, String(bill));
  // A token that belongs to no folder counts for that of the window which pays, and for its cap.
  await clients.setLimits(client.id, { folderCapUsd: 0.000_001 });
  const ofWindow = await sendRaw({ port: other.port, token: gateway.token }, { body });
  assert.match(ofWindow.text, /for the folder lib is used up/);
  await clients.setLimits(client.id, { folderCapUsd: undefined });
  assert.equal((await sendRaw({ port: other.port, token: tokens[0] ?? "" }, { body })).status, 200);
});

test("folders of one name have a cap each, and a folder has one cap by whichever name", async (t) => {
  const placeOf: PlaceOf = async (resource = "", folder = "none") => ({ folder, folderId: resource });
  const gateway = await openGateway(t, { folderCapUsd: 0.000_001 }, {}, { placeOf });
  const { clients, client, port } = gateway;
  const call = async (uri: string, name: string) =>
    sendRaw({ port, token: await clients.tokenIn(client.id, { uri, name }) }, { body });
  await clients.setLimits(client.id, { folderCapUsd: 0.002 });
  for (let sent = 0; (await call("file:///one/app", "app")).status === 200; sent++) assert.ok(sent < 100);
  assert.equal((await call("file:///two/app", "app")).status, 200);
  assert.match((await call("file:///one/app", "other")).text, /for the folder other (has left|is used up)/);
});

test("a session is one in each folder, with a cap of its own", async (t) => {
  const gateway = await openGateway(t, { sessionCapUsd: 1 });
  const { clients, client, sessions, port } = gateway;
  for (const name of ["app", "lib", "app"]) {
    const token = await clients.tokenIn(client.id, { uri: `file:///${name}`, name });
    assert.equal((await sendRaw({ port, token }, { body })).status, 200);
  }
  const seen = sessions.all.map(({ client: { folder }, calls }) => [folder?.name, calls]);
  assert.deepEqual(seen, [
    ["lib", 1],
    ["app", 2],
  ]);
});

test("a session without a cap is recorded as one, and so is one with a cap", async (t) => {
  const gateway = await openGateway(t);
  const { clients, client, window } = gateway;
  const call = (session: string) => sendRaw(gateway, { headers: { session_id: session }, body });
  for (const session of ["one", "one", "two"]) assert.equal((await call(session)).status, 200);
  await clients.setLimits(client.id, { sessionCapUsd: 1 });
  assert.equal((await call("two")).status, 200);
  const entries = await window.spend.entries(connection);
  const groups = groupCalls(entries, "session").map(({ values, calls }) => [values.session, calls] as const);
  assert.deepEqual(
    groups.map(([, calls]) => calls),
    [2, 2],
  );
  for (const [name] of groups) assert.match(name ?? "", /^Codex · [0-9a-f]{8}$/);
});

test("the cap per day of one agent does not count another one's calls", async (t) => {
  const gateway = await openGateway(t, { dayCapUsd: 0.000_001 });
  assert.equal((await sendRaw(gateway, { body })).status, 402);
  const { id } = await gateway.clients.add("OpenCode");
  const token = await gateway.clients.token(id);
  assert.equal((await sendRaw({ port: gateway.port, token }, { body })).status, 200);
  await gateway.clients.setLimits(gateway.client.id, { dayCapUsd: 1 });
  assert.equal((await sendRaw(gateway, { body })).status, 200);
  await gateway.clients.setLimits(gateway.client.id, { dayCapUsd: 0.000_001 });
  const used = await sendRaw(gateway, { body });
  assert.match(used.text, /the cap per day of Codex is used up/i);
});

test("each session has a cache key of its own, and a longer cache if the user wants it and the model can", async (t) => {
  for (const { id: dialect } of Object.values(dialects)) {
    const gateway = await openGateway(t, { isCachedLong: true }, { dialect }, { dialect });
    const sent = async (session: string, members: object) => {
      const headers = { session_id: session };
      const { status } = await sendRaw(gateway, {
        headers,
        body: JSON.stringify({ ...JSON.parse(body), ...members }),
      });
      assert.equal(status, 200);
      const last = gateway.sandbox.requests.findLast(({ method }) => method === "POST");
      const { prompt_cache_key: key, prompt_cache_retention: kept } = JSON.parse(last?.bodyText ?? "");
      return { key, kept };
    };
    const [one, again, other] = [await sent("one", {}), await sent("one", {}), await sent("two", {})];
    assert.match(one.key, /^[0-9a-f]{32}$/);
    assert.deepEqual(one, again);
    assert.notEqual(one.key, other.key);
    assert.equal(one.kept, "24h");
    const own = await sent("one", { prompt_cache_key: "mine", prompt_cache_retention: "extended" });
    assert.deepEqual(own, { key: "mine", kept: "extended" });
    await gateway.clients.setLimits(gateway.client.id, { isCachedLong: false });
    assert.deepEqual(await sent("one", {}), { key: one.key, kept: undefined });
  }
});

test("a model that lists no price for cached tokens, or one for writing them, is not asked for a longer cache", async (t) => {
  const price = { usd: 0.02 };
  for (const pricing of [{}, { cache_input: price, cache_write: price }]) {
    const model_spec = {
      availableContextTokens: 32_768,
      maxCompletionTokens: 1000,
      pricing: { input: price, output: price, ...pricing },
    };
    const models = [{ id: "echo", type: "text", model_spec }];
    const gateway = await openGateway(t, { isCachedLong: true }, {}, { models });
    assert.equal((await sendRaw(gateway, { body })).status, 200);
    const sent = JSON.parse(gateway.sandbox.requests.at(-1)?.bodyText ?? "");
    assert.deepEqual([typeof sent.prompt_cache_key, sent.prompt_cache_retention], ["string", undefined]);
  }
});
