import * as vscode from "vscode";
import { askModally } from "../../platform/editor/dialogs/modal.ts";
import { explain } from "../../platform/errors/errorMessage.ts";
import { paidFor, type SpentEntry } from "../../session/spend/spendLines.ts";
import { decimalText } from "../../shared/money/exact.ts";
import { spendText } from "../../shared/money/moneyText.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import { dayOf, spanText } from "../../shared/time/days.ts";
import type { Account } from "./accountOf.ts";
import { callFacts } from "./dashboard/callGroups.ts";
import type { AccountTools } from "./keys/addAdmin.ts";
import { toRequestDetail } from "./usage/recordRow.ts";
import { createRecordTable } from "./usage/recordTable.ts";

/** Finds the records of one call of this extension by its request id. */
export async function whyCommand(
  account: Account,
  requestId: string | undefined,
  tools: AccountTools,
  showInDashboard: (filter: string) => void,
): Promise<void> {
  const money = account.connection.kind === "sandbox" ? " play money" : "";
  const entries = await (await tools.session.spend()).entries(account.connection);
  const entry =
    requestId === undefined
      ? await pickEntry(entries, money)
      : entries.find((one) => one.requestId === requestId);
  const id = requestId ?? entry?.requestId;
  if (entry === undefined && id === undefined) return;
  if (id === undefined)
    return showReason(
      entry,
      money,
      "The service returned no request id for this call, so its record can't be found.",
    );
  const atMs = entry?.atMs ?? Date.now();
  try {
    const { usage } = account.data;
    const day = dayOf(atMs);
    const { days } = await usage.load(
      { from: day - 1, to: Math.min(day + 1, dayOf(Date.now())) },
      { maxAgeMs: 0 },
    );
    const records = createRecordTable(days, usage.words).ofRequest(id);
    if (records.length === 0) {
      return showReason(
        entry,
        money,
        "No record has this request id. Records may be delayed. Records of searches, scraping, documents and chain calls have no request id.",
      );
    }
    const { spend, facts } = toRequestDetail(id, records);
    const lines = records.map(
      ({ sku, units, pricePerUnitUsd }) => `${sku}: ${decimalText(units)} × $${decimalText(pricePerUnitUsd)}`,
    );
    const show = "Show in Dashboard";
    const answer = await askModally(
      `This cost ${spend}${money}.`,
      {
        detail: [
          ...lines,
          "",
          ...facts.map(([name, value]) => `${name}: ${value}`),
          ...(entry ? sourceLines(entry) : []),
        ].join("\n"),
      },
      show,
    );
    if (answer === show) showInDashboard(id);
  } catch (error) {
    await showReason(
      entry,
      money,
      explain(error, { service: account.admin.name, kind: account.admin.kind }).sentence,
    );
  }
}

async function showReason(entry: SpentEntry | undefined, money: string, reason: string): Promise<void> {
  const spend = entry && paidFor(entry);
  const seen = spend ? `This extension recorded ${spendText(spend)}${money} for it. ` : "";
  const facts = entry ? sourceLines(entry).join(", ") : "";
  const from = facts ? `${facts}. ` : "";
  await vscode.window.showInformationMessage(withoutLinks(`${seen}${from}${reason}`));
}

async function pickEntry(entries: readonly SpentEntry[], money: string): Promise<SpentEntry | undefined> {
  if (entries.length === 0) {
    await vscode.window.showInformationMessage(
      "No call of this extension over this connection has cost anything this month.",
    );
    return undefined;
  }
  const items = entries.slice(0, 1000).map((entry) => ({
    label: `${priceText(entry, money)}  ${nameOf(entry.endpoint)}`,
    description: [entry.model, ...placeNames(entry), `${spanText(Date.now() - entry.atMs)} ago`]
      .filter(Boolean)
      .join(", "),
    detail: entry.requestId ?? "no request id",
    entry,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: "Why Did This Cost?",
    placeHolder: "Calls of this month, newest first",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.entry;
}

function priceText(entry: SpentEntry, money: string): string {
  const spend = paidFor(entry);
  return spend ? `${spendText(spend)}${money}` : "price unknown";
}

const names: Readonly<Record<string, string>> = {
  "chat.complete": "Chat",
  "chat.stream": "Chat",
  "augment.search": "Web search",
  "augment.scrape": "Page as text",
  "augment.parse": "Document as text",
  "rpc.call": "Chain call",
  "rpc.batch": "Chain batch",
};

/** Without the source if the name of the call says it. */
function placeNames(entry: SpentEntry): string[] {
  return [...callFacts(entry).values()].filter((value) => value !== nameOf(entry.endpoint));
}

const factNames = {
  ...{ source: "Source", client: "Client", folder: "Workspace folder", branch: "Git branch" },
  ...{ key: "API key", model: "Model" },
};

function sourceLines(entry: SpentEntry): string[] {
  return [...callFacts(entry)].map(([dimension, value]) => `${factNames[dimension]}: ${value}`);
}

function nameOf(endpoint: string): string {
  return Object.hasOwn(names, endpoint) ? (names[endpoint] ?? endpoint) : endpoint;
}
