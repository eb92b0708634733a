import "../../../vscodeDouble.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Account } from "../../../../../src/account/host/accountOf.ts";
import type { AccountTrees } from "../../../../../src/account/host/deps.ts";
import type { AccountViewsDeps } from "../../../../../src/account/host/tree/accountViews.ts";
import type { AccountNode } from "../../../../../src/account/host/tree/treeNode.ts";
import { accountDataOf, connection, createKeys } from "../accountRows.ts";
import { openBooks } from "../bookkeeping.ts";

test("a key is shown also after a change of the account, whose first rows only say that it is read", async (t) => {
  const books = await openBooks(t);
  const [id = ""] = await createKeys(books, 1);
  const accountNamed = (identity: string): Account => {
    const data = accountDataOf(books);
    data.lookedUpKeys.add(id);
    return { identity, connection, admin: connection, data } as unknown as Account;
  };
  let active = accountNamed("a");
  const revealed: string[] = [];
  const tree = () => ({ visible: true, description: "", message: "" });
  const keys = {
    ...tree(),
    // As VS Code does it: it asks for the rows once, and finds the row by its id.
    async reveal({ id: row }: AccountNode) {
      const found = (await views.children("keys", undefined)).find((node) => node.id === row);
      revealed.push(found?.label ?? assert.fail("Cannot resolve tree item"));
    },
  };
  const { createAccountViews } = await import("../../../../../src/account/host/tree/accountViews.ts");
  const views = createAccountViews({
    account: () => active,
    memory: { keyOrder: () => "spend" } as unknown as AccountViewsDeps["memory"],
    trees: { keys, usage: tree(), limits: tree() } as unknown as AccountTrees,
    changed() {},
    onKeys() {},
    report: (error: unknown) => assert.fail(String(error)),
  } as unknown as AccountViewsDeps);
  t.after(() => views.dispose());
  await views.children("keys", undefined);
  active = accountNamed("b");
  await views.showKey(id);
  assert.deepEqual(revealed, ["key 0"]);
});
