import assert from "node:assert/strict";
import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { ClientBook, firstCapUsd, firstDayCapUsd } from "../../../../src/gateway/clients/clientBook.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

test("a client is found by its token, which only its own file has", async () => {
  const folder = temporaryFolder();
  const book = new ClientBook({ folder: folder, now: Date.now });
  const { id } = await book.add("Codex");
  const token = await book.token(id);
  assert.deepEqual(await book.find(token), {
    id,
    name: "Codex",
    isPrivateOnly: false,
    sessionCapUsd: firstCapUsd,
    dayCapUsd: firstDayCapUsd,
  });
  assert.equal(await book.find(`${token}x`), undefined);
  assert.ok(!readFileSync(join(folder, "clients.json"), "utf8").includes(token));
  if (process.platform !== "win32")
    for (const path of [join(folder, "clients.json"), book.tokenFile(id)])
      assert.equal(statSync(path).mode & 0o777, 0o600, path);
});

test("a new token keeps the limits of the client, and its old one is refused", async () => {
  const book = new ClientBook({ folder: temporaryFolder(), now: Date.now });
  const { id } = await book.add("Codex");
  const old = await book.token(id);
  await book.setLimits(id, { sessionCapUsd: 5, dayCapUsd: 7, isPrivateOnly: true });
  const next = await book.add("Codex");
  assert.equal(await book.find(old), undefined);
  const found = await book.find(await book.token(next.id));
  assert.deepEqual([found?.sessionCapUsd, found?.dayCapUsd, found?.isPrivateOnly], [5, 7, true]);
  assert.equal((await book.all()).length, 1);
});

test("all windows see a change at once", async () => {
  const folder = temporaryFolder();
  const [one, other] = [
    new ClientBook({ folder: folder, now: Date.now }),
    new ClientBook({ folder: folder, now: Date.now }),
  ];
  assert.deepEqual(await other.all(), []);
  const { id } = await one.add("Codex");
  const token = await other.token(id);
  assert.equal((await other.find(token))?.id, id);
  await one.setLimits(id, { sessionCapUsd: undefined, dayCapUsd: null, isPrivateOnly: true });
  assert.deepEqual(await other.find(token), {
    id,
    name: "Codex",
    isPrivateOnly: true,
    sessionCapUsd: undefined,
  });
  await one.revoke(id);
  assert.equal(await other.find(token), undefined);
  assert.equal(await one.setLimits(id, { sessionCapUsd: 1, isPrivateOnly: false }), false);
});

test("a write of another window that has not seen a revocation does not bring the token back", async () => {
  const folder = temporaryFolder();
  const [one, other] = [
    new ClientBook({ folder: folder, now: Date.now }),
    new ClientBook({ folder: folder, now: Date.now }),
  ];
  const { id } = await one.add("Codex");
  const token = await one.token(id);
  const before = await other.all();
  await one.revoke(id);
  // As a window that has read the list before, and writes it after.
  const { writeDurably } = await import("../../../../src/platform/files/durable/durableFile.ts");
  await writeDurably(join(folder, "clients.json"), JSON.stringify({ clients: before }));
  assert.equal((await one.all()).length, 1);
  assert.equal(await one.find(token), undefined);
  assert.equal(await other.find(token), undefined);
});

test("the last use is known, and none before the first", async () => {
  let now = 1_700_000_000_000;
  const book = new ClientBook({ folder: temporaryFolder(), now: () => now });
  const client = await book.add("Codex");
  now += 60_000;
  await book.find(await book.token(client.id));
  assert.equal(await book.lastUsedMs(client), now);
  const unused = await new ClientBook({ folder: temporaryFolder(), now: Date.now }).add("Codex");
  assert.equal(await book.lastUsedMs(unused), undefined);
});

test("a list that can't be read has no client, and the next change writes a whole one", async () => {
  const folder = temporaryFolder();
  const book = new ClientBook({ folder: folder, now: Date.now });
  const { writeDurably } = await import("../../../../src/platform/files/durable/durableFile.ts");
  for (const text of ["", "{", '{"clients":[{"id":1}]}', '{"clients":{}}']) {
    await writeDurably(join(folder, "clients.json"), text);
    assert.deepEqual(await book.all(), [], text);
  }
  await book.add("Codex");
  assert.equal((await book.all()).length, 1);
  assert.equal(readdirSync(join(folder, "tokens")).length, 1);
});

test("a client of an older version has a cap per day, and one whose user wants none has none", async () => {
  const folder = temporaryFolder();
  const book = new ClientBook({ folder, now: Date.now });
  const { id } = await book.add("Codex");
  const file = join(folder, "clients.json");
  const { clients } = JSON.parse(readFileSync(file, "utf8"));
  const older = clients.map(({ dayCapUsd: _, ...client }: { readonly dayCapUsd: number }) => client);
  writeFileSync(file, JSON.stringify({ clients: older }));
  assert.equal((await book.find(await book.token(id)))?.dayCapUsd, firstDayCapUsd);
  await book.setLimits(id, { dayCapUsd: null });
  assert.equal((await book.find(await book.token(id)))?.dayCapUsd, undefined);
});

test("a folder has a token of its own, which is the same each time and ends with the client's", async () => {
  const folder = temporaryFolder();
  const book = new ClientBook({ folder, now: Date.now });
  const { id } = await book.add("Codex");
  const [app, lib] = [
    { uri: "file:///app", name: "app" },
    { uri: "file:///lib", name: "lib" },
  ];
  const [ofApp, ofLib] = [await book.tokenIn(id, app), await book.tokenIn(id, lib)];
  assert.match(ofApp, /^gw-[\w-]{43}$/);
  assert.equal(new Set([await book.token(id), ofApp, ofLib]).size, 3);
  assert.equal(await book.tokenIn(id, app), ofApp);
  assert.deepEqual([(await book.find(ofApp))?.folder, (await book.find(ofLib))?.folder], [app, lib]);
  assert.equal((await book.find(await book.token(id)))?.folder, undefined);
  assert.equal((await book.find(ofApp))?.id, id);
  assert.ok(!readFileSync(join(folder, "clients.json"), "utf8").includes(ofApp));
  await book.setLimits(id, { folderCapUsd: 3 });
  const next = await book.add("Codex");
  assert.equal(await book.find(ofApp), undefined);
  const again = await book.tokenIn(next.id, app);
  assert.notEqual(again, ofApp);
  assert.equal((await book.find(again))?.folderCapUsd, 3);
  await book.revoke(next.id);
  assert.equal(await book.find(again), undefined);
  await assert.rejects(book.tokenIn(next.id, app));
});

test("the tokens of the oldest folders make room for others", async () => {
  const folder = temporaryFolder();
  const book = new ClientBook({ folder, now: Date.now });
  const { id } = await book.add("Codex");
  const ofFirst = await book.tokenIn(id, { uri: "file:///first", name: "first" });
  const file = join(folder, "clients.json");
  const { clients } = JSON.parse(readFileSync(file, "utf8"));
  const more = Array.from({ length: 199 }, (_, index) => ({
    uri: `file:///${index}`,
    name: "other",
    digest: index.toString(16).padStart(64, "0"),
  }));
  clients[0].folders.push(...more);
  writeFileSync(file, JSON.stringify({ clients }));
  assert.ok(await book.find(ofFirst));
  const ofLast = await book.tokenIn(id, { uri: "file:///last", name: "last" });
  assert.equal(await book.find(ofFirst), undefined);
  assert.equal((await book.find(ofLast))?.folder?.name, "last");
  assert.equal((await book.all())[0]?.folders.length, 200);
});

test("no token counts that another user could have read or written, and the sentence has the step", async () => {
  if (process.platform === "win32") return;
  const folder = temporaryFolder();
  const book = new ClientBook({ folder, now: Date.now });
  const { id } = await book.add("Codex");
  const token = await book.token(id);
  const file = book.tokenFile(id);
  const refused =
    /^Error: Another user of this machine can read or change \S+ or its folder.*chmod go=.*New Token/;
  for (const path of [join(folder, "clients.json"), file, folder, dirname(file)]) {
    const { mode } = statSync(path);
    for (const more of [0o040, 0o004, 0o020, 0o002]) {
      chmodSync(path, mode | more);
      await assert.rejects(book.find(token), refused, `${path} ${more}`);
    }
    chmodSync(path, mode);
    assert.equal((await book.find(token))?.id, id);
  }
  chmodSync(file, 0o640);
  await assert.rejects(book.token(id), refused);
  await assert.rejects(book.tokenIn(id, { uri: "file:///app", name: "app" }), refused);
  chmodSync(file, 0o600);
  renameSync(file, join(folder, "moved"));
  symlinkSync(join(folder, "moved"), file);
  await assert.rejects(book.find(token), refused, "a link");
  const theirs = new ClientBook({ folder, now: Date.now, user: statSync(folder).uid + 1 });
  await assert.rejects(theirs.find(token), refused, "of another user");
});
