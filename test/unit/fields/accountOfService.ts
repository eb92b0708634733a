import assert from "node:assert/strict";
import { type AccountData, createAccountData } from "../../../src/account/host/accountData.ts";
import { noDayFiles } from "../../../src/account/host/usage/days/dayFiles.ts";
import type { Api } from "../../../src/api/call/client.ts";
import type { Table } from "../../../src/api/table.ts";

/** The time in the views of an account. */
export const nowMs = Date.UTC(2031, 2, 14, 12);

/** The account of a key that may do everything. */
export function dataOf(api: Api<Table>): AccountData {
  return createAccountData({
    api: async () => api,
    admin: async () => api,
    files: noDayFiles,
    createdKeys: () => [],
    now: () => nowMs,
    onChange: () => {},
    report: (error) => assert.fail(String(error)),
  });
}
