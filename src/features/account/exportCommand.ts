import { basename } from "node:path";
import * as vscode from "vscode";
import { choose } from "../../platform/ask.ts";
import { explain } from "../../platform/errorMessage.ts";
import { askModally } from "../../platform/modal.ts";
import { dayMs, dayText } from "../../shared/days.ts";
import { toExact } from "../../shared/money/exact.ts";
import { spendText } from "../../shared/money/moneyText.ts";
import { withoutLinks } from "../../shared/withoutLinks.ts";
import type { Account } from "./accountOf.ts";
import type { AccountTools } from "./addAdmin.ts";
import { lookbackRange } from "./dashboardState.ts";
import { type ExportFormat, type ExportJob, type ExportState, unfinished } from "./exportFile.ts";
import { type Exported, exportUsage } from "./exportUsage.ts";
import type { DayRange } from "./usageStore.ts";

const title = "Export Usage";

/** Asks for range, format and file, and streams the records into it; one that broke off goes on where it was. */
export async function exportCommand(account: Account, shown: DayRange, tools: AccountTools): Promise<void> {
  const range = await askRange(shown);
  const format = range && (await askFormat());
  const job = format && (await askFile(range, format));
  if (!job) return;
  const from = await askResume(job);
  if (from === "away") return;
  await run(account, job, from, tools);
}

async function askRange(shown: DayRange): Promise<DayRange | undefined> {
  const nowMs = Date.now();
  const items = [
    { label: "As in the dashboard", description: textOf(shown), value: shown },
    ...[7, 30, 90, 365].map((days) => {
      const value = lookbackRange(days, nowMs);
      return { label: `Last ${days} days`, description: textOf(value), value };
    }),
  ];
  return pickedFrom(await choose({ title, step: 1, totalSteps: 2, placeholder: "Which days? (UTC)", items }));
}

async function askFormat(): Promise<ExportFormat | undefined> {
  return pickedFrom(
    await choose<ExportFormat>({
      title,
      placeholder: "Which form?",
      items: [
        { label: "CSV", detail: "One record a row; safe to open in a spreadsheet.", value: "csv" },
        { label: "JSON", detail: "One array of records.", value: "json" },
        {
          label: "The service's own CSV",
          detail: "Its bytes as they come, looked at by nobody.",
          value: "service",
        },
      ],
    }),
  );
}

async function askFile(range: DayRange, format: ExportFormat): Promise<ExportJob | undefined> {
  const extension = format === "json" ? "json" : "csv";
  const name = `usage-${textOf(range).replace(" to ", "-to-")}.${extension}`;
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri;
  const uri = await vscode.window.showSaveDialog({
    title,
    filters: { [extension.toUpperCase()]: [extension] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
  });
  if (!uri) return undefined;
  const iso = (day: number) => new Date(day * dayMs).toISOString();
  return { range: { start: iso(range.from), end: iso(range.to + 1) }, format, path: uri.fsPath };
}

async function askResume(job: ExportJob): Promise<ExportState | undefined | "away"> {
  const state = await unfinished(job);
  if (!state) return undefined;
  const [resume, anew] = ["Go On", "Start Anew"];
  const answer = await askModally(
    "This export broke off earlier.",
    {
      detail: `${state.records.toLocaleString("en-US")} records are in ${basename(job.path)}.part already.`,
    },
    resume,
    anew,
  );
  if (answer === resume) return state;
  return answer === anew ? undefined : "away";
}

async function run(
  account: Account,
  job: ExportJob,
  from: ExportState | undefined,
  tools: AccountTools,
): Promise<void> {
  try {
    const exported = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: withoutLinks(`Exporting to ${basename(job.path)}`),
        cancellable: true,
      },
      async (progress, token) => {
        const cancel = new AbortController();
        token.onCancellationRequested(() => cancel.abort());
        const { api } = await tools.session.clientOf(account.admin);
        const onProgress = (records: number, total: number | undefined) =>
          progress.report({
            message: `${records.toLocaleString("en-US")}${total === undefined ? "" : ` of ${total.toLocaleString("en-US")}`} records`,
          });
        return exportUsage(api, job, { signal: cancel.signal, onProgress, ...(from ? { from } : {}) });
      },
    );
    await tellDone(job, exported);
  } catch (error) {
    tools.log.error("the export broke off", error instanceof Error ? error : String(error));
    const { sentence } = explain(error, { service: account.admin.name, kind: account.admin.kind });
    const again = "Go On";
    const answer = await vscode.window.showWarningMessage(
      `The export broke off. ${sentence} What came is kept.`,
      again,
    );
    if (answer === again) await run(account, job, await unfinished(job), tools);
  }
}

async function tellDone(
  { path, format }: ExportJob,
  { records, spend, warningMessage }: Exported,
): Promise<void> {
  const sums = spendText(new Map([...spend].map(([currency, text]) => [currency, toExact(text)])));
  const what =
    format === "service" ? "the service's CSV" : `${records.toLocaleString("en-US")} records, ${sums}`;
  const open = "Open";
  const warning = warningMessage ? ` ${warningMessage}` : "";
  const answer = await vscode.window.showInformationMessage(
    withoutLinks(`${basename(path)} holds ${what}.${warning}`),
    open,
  );
  if (answer === open) await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(path));
}

function textOf({ from, to }: DayRange): string {
  return `${dayText(from)} to ${dayText(to)}`;
}

function pickedFrom<Value>(answer: { readonly value: Value } | "back" | undefined): Value | undefined {
  return typeof answer === "object" ? answer.value : undefined;
}
