// Account data of a sandbox, and its rows in the trees of the side bar.

import assert from "node:assert/strict";
import { type AccountData, createAccountData } from "../../../../src/account/host/accountData.ts";
import type { AccountNode } from "../../../../src/account/host/tree/treeNode.ts";
import { noDayFiles } from "../../../../src/account/host/usage/days/dayFiles.ts";
import type { UsageNodesDeps } from "../../../../src/account/host/usage/usageNodes.ts";
import type { Connection } from "../../../../src/session/connection/connection.ts";
import type { SpendTotals } from "../../../../src/session/spend/spendBook.ts";
import { nothing } from "../../../../src/shared/money/amounts.ts";
import type { Books } from "./bookkeeping.ts";
import { noTotals } from "./money.ts";

export const noOwnSpend = noTotals;

/** The rows of the view Usage. */
export const usageOf = (data: AccountData, own: SpendTotals = noTotals): UsageNodesDeps => ({
  data,
  own,
  explain: (error) => (error instanceof Error ? `It failed: ${error.message}` : "It failed."),
});

export const connection: Connection = {
  id: "c",
  name: "C",
  kind: "live",
  baseUrl: "https://c.example",
  dialect: "auto",
};
export const noChainSpend = { chainSpend: async () => ({ credits: 0, spent: nothing, unstated: 0 }) };

export function accountDataOf(
  books: Books,
  as: "admin" | "inference" = "admin",
  createdKeys: readonly string[] = [],
) {
  return createAccountData({
    api: async () => books[as],
    admin: async () => books[as],
    files: noDayFiles,
    createdKeys: () => createdKeys,
    now: books.clock.now,
    onChange: () => {},
    report: (error) => assert.fail(String(error)),
  });
}

export const rowOf = (nodes: readonly AccountNode[], label: string): AccountNode => {
  const node = nodes.find((one) => one.label === label);
  assert.ok(node, `no row "${label}" among ${nodes.map((one) => one.label).join(", ")}`);
  return node;
};
export const childrenOf = async (node: AccountNode): Promise<readonly AccountNode[]> =>
  (await node.children?.()) ?? [];
export const pathOf = ({ path }: { readonly path: string }) => path.replace("/api/v1", "");

export async function createKeys(
  books: Books,
  count: number,
  name = (index: number) => `key ${index}`,
): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const { data } = await books.admin.keys.create({ apiKeyType: "INFERENCE", description: name(index) });
    ids.push(data.id);
  }
  return ids;
}
