import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { KeyList } from "../../../../../src/account/host/accountData.ts";
import { type Account, accountMemory } from "../../../../../src/account/host/accountOf.ts";
import type { AccountTools } from "../../../../../src/account/host/keys/addAdmin.ts";
import type { KeyRow } from "../../../../../src/account/host/keys/keyRow.ts";
import { ApiError } from "../../../../../src/api/errors/errors.ts";
import { memento } from "../../../memento.ts";
import { shown } from "../../../vscodeDouble.ts";
import { connection } from "../accountRows.ts";
import { dayMs, keyRow, nowMs } from "./keyRows.ts";

beforeEach(() => {
  shown.length = 0;
});

/** Windows of one user: they share the memory. `revoke` is what the service does. */
async function openWindows(revoke: (id: string) => void = () => {}) {
  const { KeyNotices } = await import("../../../../../src/account/host/keys/keyNotices.ts");
  const memory = accountMemory(memento() as Parameters<typeof accountMemory>[0]);
  const revoked: string[] = [];
  const api = {
    keys: {
      async revoke({ id }: { readonly id: string }) {
        revoke(id);
        revoked.push(id);
      },
    },
  };
  const session = { clientOf: async () => ({ api }) };
  const tools = { memory, session } as unknown as AccountTools;
  const open = () => {
    const notices = new KeyNotices({ tools, edit() {}, show() {}, onRevoked() {} });
    return (keys: readonly KeyRow[], of: Partial<Account> = {}, list: Partial<KeyList> = {}) => {
      const account = { connection, admin: connection, data: { now: () => nowMs }, ...of };
      return notices.seen(account as unknown as Account, { keys, isListed: true, ...list });
    };
  };
  return { memory, revoked, open };
}

test("keys that expire soon are told once, in all windows, and not those of the sandbox", async () => {
  const { open } = await openWindows();
  const [first, second] = [open(), open()];
  const keys = ["a", "b", "c", "d"].map((name) => keyRow(name, { expiresAtMs: nowMs + dayMs }));
  await first(keys, { connection: { ...connection, kind: "sandbox" } });
  await first(keys, {}, { isListed: false });
  assert.equal(shown.length, 0);
  await first(keys);
  await first(keys);
  await second(keys);
  const text = "4 keys of C expire within 7 days: a (…abc123), b (…abc123), c (…abc123) and 1 more.";
  assert.deepEqual(
    shown.filter((one) => one.includes("expire")),
    [text],
  );
  await first([keyRow("a", { expiresAtMs: nowMs + 2 * dayMs })]);
  assert.equal(
    shown.filter((one) => one.includes("expires within")).length,
    1,
    "another end of the same key",
  );
});

const rotation = { oldId: "id-old", newId: "id-new" };
const used = [keyRow("old", { lastUsedAtMs: nowMs - 3 * dayMs }), keyRow("new", { lastUsedAtMs: nowMs - 1 })];

test("an old key is revoked once, after the new one was used and it was not for a day", async () => {
  const { memory, revoked, open } = await openWindows();
  const seen = open();
  await memory.addRotation(connection.id, rotation);
  await seen([keyRow("old"), keyRow("new")]);
  assert.deepEqual(revoked, []);
  await seen(used);
  await seen(used);
  assert.deepEqual(revoked, ["id-old"]);
  assert.ok(
    shown.includes("old (…abc123) was revoked: the key that replaces it is in use."),
    shown.join("\n"),
  );
  assert.deepEqual(memory.rotationsOf(connection.id), []);
});

test("a revocation that fails is said once in a window, and the next window tries again", async () => {
  let isDown = true;
  const { memory, revoked, open } = await openWindows(() => {
    if (isDown) throw new ApiError("unavailable", "down", { status: 503 });
  });
  const seen = open();
  await memory.addRotation(connection.id, rotation);
  await seen(used);
  await seen(used);
  const said = shown.filter((text) =>
    text.startsWith("old (…abc123) was replaced, but could not be revoked."),
  );
  assert.deepEqual([revoked.length, said.length], [0, 1]);
  isDown = false;
  await open()(used);
  assert.deepEqual(revoked, ["id-old"]);
});

test("a rotation whose key someone revoked is over", async () => {
  const { memory, revoked, open } = await openWindows();
  await memory.addRotation(connection.id, rotation);
  await open()([keyRow("new")]);
  assert.deepEqual([revoked, memory.rotationsOf(connection.id)], [[], []]);
});

test("a key that was created is shown, although its id can't be stored", async () => {
  const full = new Error("ENOSPC");
  const state = { ...memento(), update: () => Promise.reject(full) };
  const reported: unknown[] = [];
  const memory = accountMemory(state as unknown as Parameters<typeof accountMemory>[0], (error) =>
    reported.push(error),
  );
  await memory.addCreated(connection.id, "new");
  assert.deepEqual(reported, [full]);
});
