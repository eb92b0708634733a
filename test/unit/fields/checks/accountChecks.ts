import { keyNodes } from "../../../../src/account/host/keys/keyNodes.ts";
import { limitNodes } from "../../../../src/account/host/limits/limitNodes.ts";
import { LimitWatch } from "../../../../src/account/host/limits/limitWatch.ts";
import {
  type AccountNode,
  type RowTooltip,
  tooltipMarkdown,
} from "../../../../src/account/host/tree/treeNode.ts";
import { usageNodes } from "../../../../src/account/host/usage/usageNodes.ts";
import { WalletAccount } from "../../../../src/account/host/usage/walletAccount.ts";
import type { Api } from "../../../../src/api/call/client.ts";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import type { Table } from "../../../../src/api/table.ts";
import { connection, noChainSpend, usageOf } from "../../account/host/accountRows.ts";
import { dataOf, nowMs } from "../accountOfService.ts";
import { answerDialogs } from "../answering.ts";
import type { Check, Values } from "../check.ts";
import { runCreateKey, usualAnswers } from "../commandRuns.ts";
import { sampleOf } from "../sample.ts";
import { rows } from "../service.ts";

const hoverText = (tooltip: RowTooltip) => tooltipMarkdown(tooltip).replaceAll("\\", "");

/** All texts of the rows, with tooltips, without the escapes of Markdown. */
async function treeText(nodes: readonly AccountNode[]): Promise<string> {
  const texts = nodes.map(async ({ label, description, tooltip, icon, children }) => {
    const own = [label, description, tooltip && hoverText(tooltip), icon].filter(Boolean).join(" | ");
    return `${own}\n${children ? await treeText(await children()) : ""}`;
  });
  return (await Promise.all(texts)).join("");
}

const keyValues: Readonly<Record<string, Values>> = {
  "data.id": ["key-1", "key-2"],
  "data.apiKeyType": ["INFERENCE", "ADMIN"],
  "data.consumptionLimits.usd": [900, 800],
  "data.limitPeriod": ["MONTH", "LIFETIME", "its lifetime"],
  "data.expiresAt": ["2031-05-01T12:00:00Z", "2031-06-02T12:00:00Z", "2031-06-02"],
  "data.createdAt": ["2031-01-01T00:00:00Z", "2031-01-02T00:00:00Z", "2031-01-02"],
  "data.lastUsedAt": ["2031-03-13T12:00:00Z", "2031-03-11T12:00:00Z", "3 days ago"],
  "data.usage.trailingSevenDays.usd": ["3.25", "4.75"],
  "data.usage.trailingSevenDays.vcu": ["5.25", "6.75"],
  "data.usage.trailingSevenDays.diem": ["7.25", "8.75"],
  "data.modelPrivacy": ["ALL", "PRIVATE_ONLY", "private models only"],
};

/** Today is asked for apart from the days before, so that each sum is shown twice as large. */
const doubled: Readonly<Record<string, Values>> = Object.fromEntries(
  [
    ...["byDate.USD", "byDate.DIEM", "byModel.totalUsd", "byModel.totalDiem", "byModel.totalUnits"],
    ...["byModel.breakdown.usd", "byModel.breakdown.diem", "byModel.breakdown.units"],
    ...["byKey.totalUsd", "byKey.totalDiem", "byKey.totalUnits"],
  ].map((path, index) => [path, [100 + index, 400 + index, String(800 + 2 * index)]]),
);

const analyticsValues: Readonly<Record<string, Values>> = {
  ...doubled,
  "byDate.date": ["2031-03-13", "2031-03-12"],
  "byModel.modelType": ["LLM", "IMAGE"],
  "byKey.apiKeyId": ["key-1", "key-2"],
};

const analytics = sampleOf(rows["billing.analytics"].output, (path) => analyticsValues[path]?.[0]);
const limits = sampleOf(rows["account.rateLimits"].output, () => undefined);

const keysText = async (api: Api<Table>) => treeText(await keyNodes(dataOf(api)));
const usageText = async (api: Api<Table>) => treeText(await usageNodes(usageOf(dataOf(api))));
const limitsText = async (api: Api<Table>) => {
  const watch = new LimitWatch(() => nowMs);
  return treeText(await limitNodes({ data: dataOf(api), watch, connection, spend: noChainSpend }));
};

const walletText = async (api: Api<Table>) => {
  const account = new WalletAccount(`0x${"1".repeat(40)}`, () => nowMs);
  const client = { api, dialect: dialects.venice, connection };
  await account.read(client, new AbortController().signal);
  return treeText(account.nodes(client));
};

const [walletBalance, walletTransactions] = (["wallet.balance", "wallet.transactions"] as const).map((row) =>
  sampleOf(rows[row].output, () => undefined),
);

export const accountChecks: readonly Check[] = [
  {
    row: "wallet.balance",
    view: "Usage",
    others: { "wallet.transactions": walletTransactions },
    text: walletText,
  },
  {
    row: "wallet.transactions",
    view: "Usage",
    values: { "data.transactions.createdAt": ["2031-03-14T11:00:00Z", "2031-03-14T09:00:00Z", "3 h ago"] },
    others: { "wallet.balance": walletBalance },
    text: walletText,
  },
  {
    row: "keys.list",
    view: "Keys",
    values: keyValues,
    others: { "billing.analytics": analytics },
    text: keysText,
  },
  {
    row: "keys.read",
    view: "Keys",
    values: keyValues,
    others: { "billing.analytics": analytics },
    text: keysText,
  },
  {
    row: "keys.create",
    view: "Keys",
    dialect: "venice",
    others: { "keys.list": { data: [] } },
    text: async (api, t) => {
      const shown = answerDialogs(t, usualAnswers);
      await runCreateKey(api);
      return shown.join("\n");
    },
  },
  { row: "billing.analytics", view: "Usage", values: analyticsValues, text: usageText },
  { row: "billing.balance", view: "Usage", text: usageText },
  {
    row: "account.rateLimits",
    view: "Usage",
    text: usageText,
    names: { "data.balances": "USD" },
    values: { "data.balances.*": [31, 47] },
  },
  {
    row: "account.rateLimits",
    view: "Limits",
    values: {
      "data.keyExpiration": ["2031-05-01T12:00:00Z", "2031-04-13T12:00:00Z", "30 days"],
      "data.nextEpochBegins": ["2031-03-15T00:00:00Z", "2031-03-14T15:00:00Z", "3 h"],
      "data.rateLimits.rateLimits.type": ["RPM", "TPM"],
      "data.accessPermitted": [true, false, "no access"],
      "data.apiTier.isCharged": [true, false, "not charged"],
    },
    text: limitsText,
  },
  {
    row: "account.rateLimitLog",
    view: "Limits",
    values: {
      "data.rateLimitType": ["RPM", "TPM"],
      "data.timestamp": ["2031-03-14T11:00:00Z", "2031-03-14T09:00:00Z"],
    },
    others: { "account.rateLimits": limits },
    text: limitsText,
  },
];
