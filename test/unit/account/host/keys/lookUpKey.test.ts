import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Account } from "../../../../../src/account/host/accountOf.ts";
import { keyNodes } from "../../../../../src/account/host/keys/keyNodes.ts";
import { replace } from "../../../vscodeDouble.ts";
import { accountDataOf, connection, createKeys, rowOf } from "../accountRows.ts";
import { openBooks } from "../bookkeeping.ts";

/** An input box whose texts a test enters. */
class Box {
  value = "";
  prompt = "";
  validationMessage: string | undefined;
  isOpen = true;
  #accept: () => unknown = () => {};
  #hide: () => unknown = () => {};
  onDidAccept = (listener: () => unknown) => {
    this.#accept = listener;
  };
  onDidHide = (listener: () => unknown) => {
    this.#hide = listener;
  };
  onDidChangeValue = () => {};
  onDidTriggerButton = () => {};
  show = () => {};
  dispose = () => {
    this.isOpen = false;
  };

  /** The sentence that rejects the text. */
  async enter(text: string): Promise<string | undefined> {
    this.value = text;
    this.validationMessage = undefined;
    await this.#accept();
    return this.validationMessage;
  }

  hide(): void {
    this.#hide();
  }
}

async function open(t: TestContext, as: "admin" | "inference" = "admin") {
  const books = await openBooks(t);
  const [id = ""] = await createKeys(books, 1);
  const data = accountDataOf(books, as);
  const box = new Box();
  replace("window", { createInputBox: () => box }, t);
  const shown: string[] = [];
  const { showKeyById } = await import("../../../../../src/account/host/keys/lookUpKey.ts");
  const account = { connection, admin: connection, data } as unknown as Account;
  const done = showKeyById(account, async (of) => void shown.push(of));
  return { books, id, data, box, shown, done };
}

test("a key in no list is read by its id and shown", async (t) => {
  const { books, id, data, box, shown, done } = await open(t);
  assert.deepEqual(await keyNodes(data), []);
  const before = books.requests.length;
  assert.match((await box.enter("sandbox-inference-secret")) ?? "", /The secret of a key is not its id/);
  assert.equal(books.requests.length, before, "nothing was sent");
  assert.equal(await box.enter(` ${id.toUpperCase()} `), undefined);
  await done;
  assert.deepEqual([box.isOpen, shown], [false, [id]]);
  assert.equal(rowOf(await keyNodes(data), "key 0").keyId, id);
});

test("an unknown id is named, and the box stays open for another", async (t) => {
  const { id, data, box, shown, done } = await open(t);
  const unknown = "00000000-0000-4000-8000-000000000000";
  assert.equal(
    await box.enter(unknown),
    `C has no key with the id ${unknown}. It may be revoked, or belong to another account.`,
  );
  assert.ok(box.isOpen);
  assert.equal(await box.enter(id), undefined);
  await done;
  assert.deepEqual([shown, [...data.lookedUpKeys]], [[id], [id]]);
});

test("without the right to read keys it says which key can", async (t) => {
  const { id, data, box, shown, done } = await open(t, "inference");
  assert.match((await box.enter(id)) ?? "", /ADMIN/);
  box.hide();
  await done;
  assert.deepEqual([shown, data.lookedUpKeys.size], [[], 0]);
});
