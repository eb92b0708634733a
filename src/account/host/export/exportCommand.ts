import { basename } from "node:path";
import * as vscode from "vscode";
import { choose, pickedFrom } from "../../../platform/editor/dialogs/ask.ts";
import { askModally } from "../../../platform/editor/dialogs/modal.ts";
import { explain } from "../../../platform/errors/errorMessage.ts";
import { spendText } from "../../../shared/money/moneyText.ts";
import { withoutLinks } from "../../../shared/text/html/withoutLinks.ts";
import { dayStart, daysText } from "../../../shared/time/days.ts";
import type { Account } from "../accountOf.ts";
import { lookbackRange } from "../dashboard/dashboardState.ts";
import type { AccountTools } from "../keys/addAdmin.ts";
import { reportCommand } from "../report/reportCommand.ts";
import type { RecordView } from "../usage/recordTable.ts";
import { recordsText } from "../usage/unitsText.ts";
import type { StoredDays } from "../usage/usageStore.ts";
import { type ExportFormat, type ExportJob, type ExportState, unfinished } from "./exportFile.ts";
import { type Exported, exportRecords, exportUsage } from "./exportUsage.ts";

const title = "Export Usage";

/** Range and records of the dashboard. */
export interface Shown {
  readonly range: StoredDays;
  /** Undefined if it shows no records of the account. Read again after the dialogs, because they stay open for long. */
  readonly shown: () => RecordView | undefined;
}

/**
 * Asks for range, format and file, and streams the records into it. An interrupted export resumes at its last page. The
 * records of the dashboard are written with its filter and order.
 */
export async function exportCommand(account: Account, shown: Shown, tools: AccountTools): Promise<void> {
  const seen = shown.shown();
  const range = await askRange(account, shown.range, seen);
  if (!range) return;
  if (range === "report") return reportCommand(account, tools.session);
  const view = range === "shown" ? seen : undefined;
  const days = range === "shown" ? shown.range : range;
  const format = await askFormat(view !== undefined);
  const job = format && (await askFile(days, format));
  if (!job) return;
  const { format: form } = job;
  if (view && form !== "service") {
    if (view !== shown.shown()) return tellChanged();
    return runShown(view, { ...job, format: form }, account, tools);
  }
  const from = await askResume(job);
  if (from === "away") return;
  await run(account, job, from, tools);
}

/** Days of records, those of the dashboard, or sums in place of records. */
type Asked = StoredDays | "shown" | "report";

async function tellChanged(): Promise<void> {
  await vscode.window.showWarningMessage(
    "Nothing was exported: the dashboard has other records now. Export them again.",
  );
}

async function askRange(
  { connection }: Account,
  range: StoredDays,
  shown: RecordView | undefined,
): Promise<Asked | undefined> {
  const nowMs = Date.now();
  const count = shown?.size.toLocaleString("en-US");
  const detail =
    count === undefined ? {} : { detail: `${count} records with the filter and order of the dashboard` };
  const items: { label: string; description: string; detail?: string; value: Asked }[] = [
    { label: "As in the dashboard", description: daysText(range), ...detail, value: "shown" },
    ...[7, 30, 90, 365].map((days) => {
      const value = lookbackRange(days, nowMs);
      return { label: `Last ${days} days`, description: daysText(value), value };
    }),
    {
      label: "Monthly report",
      description: "Markdown or CSV",
      detail: "Sums of a month by currency, model, key, folder and client, compared with the month before",
      value: "report",
    },
  ];
  return pickedFrom(
    await choose({
      title: `${title} of ${connection.name}`,
      step: 1,
      totalSteps: 2,
      placeholder: "Select the days (UTC)",
      items,
    }),
  );
}

/** The service exports all its records of a range, not only those in the dashboard. */
async function askFormat(isShown: boolean): Promise<ExportFormat | undefined> {
  return pickedFrom(
    await choose<ExportFormat>({
      title,
      placeholder: "Select the format",
      items: [
        { label: "CSV", detail: "One record per row. Safe to open in a spreadsheet.", value: "csv" },
        { label: "JSON", detail: "One array of records.", value: "json" },
        ...(isShown ? [] : [serviceFormat]),
      ],
    }),
  );
}

const serviceFormat = {
  label: "The service's own CSV",
  detail: "Written as the service sends it, without checks.",
  value: "service",
} as const;

async function askFile(range: StoredDays, format: ExportFormat): Promise<ExportJob | undefined> {
  const extension = format === "json" ? "json" : "csv";
  const name = `usage-${daysText(range).replace(" to ", "-to-")}.${extension}`;
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri;
  const uri = await vscode.window.showSaveDialog({
    title,
    filters: { [extension.toUpperCase()]: [extension] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
  });
  if (!uri) return undefined;
  return { range: { start: dayStart(range.from), end: dayStart(range.to + 1) }, format, path: uri.fsPath };
}

async function askResume(job: ExportJob): Promise<ExportState | undefined | "away"> {
  const state = await unfinished(job);
  if (!state) return undefined;
  const [resume, restart] = ["Resume", "Start Over"];
  const answer = await askModally(
    "An earlier export was interrupted.",
    {
      detail: `${basename(job.path)}.part already contains ${state.records.toLocaleString("en-US")} records.`,
    },
    resume,
    restart,
  );
  if (answer === resume) return state;
  return answer === restart ? undefined : "away";
}

async function runShown(
  view: RecordView,
  job: ExportJob & { readonly format: "csv" | "json" },
  account: Account,
  { log }: AccountTools,
): Promise<void> {
  try {
    const { signal } = new AbortController();
    const calls = await view.join(await account.callsSince(Date.parse(job.range.start)));
    await reportDone(job, await exportRecords(view, job, { signal, calls }));
  } catch (error) {
    log.error("the export was interrupted", error instanceof Error ? error : String(error));
    const { sentence } = explain(error, { service: account.admin.name, kind: account.admin.kind });
    await vscode.window.showErrorMessage(`Nothing was exported. ${sentence}`);
  }
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
        const { api } = await tools.session.clientOf(account.admin, { kind: "account" });
        const onProgress = (records: number, total: number | undefined) =>
          progress.report({ message: recordsText(records, total) });
        const calls = await account.callsSince(Date.parse(job.range.start));
        const options = { signal: cancel.signal, calls, onProgress };
        return exportUsage(api, job, { ...options, ...(from ? { from } : {}) });
      },
    );
    await reportDone(job, exported);
  } catch (error) {
    tools.log.error("the export was interrupted", error instanceof Error ? error : String(error));
    const { sentence } = explain(error, { service: account.admin.name, kind: account.admin.kind });
    const again = "Resume";
    const answer = await vscode.window.showWarningMessage(
      `The export was interrupted. ${sentence} The records received so far are saved.`,
      again,
    );
    if (answer === again) await run(account, job, await unfinished(job), tools);
  }
}

async function reportDone(
  { path, format }: ExportJob,
  { records, spend, warningMessage }: Exported,
): Promise<void> {
  const sums = spendText(spend);
  const what =
    format === "service" ? "the service's CSV" : `${records.toLocaleString("en-US")} records, ${sums}`;
  const open = "Open";
  const warning = warningMessage ? ` ${warningMessage}` : "";
  const answer = await vscode.window.showInformationMessage(
    withoutLinks(`${basename(path)} contains ${what}.${warning}`),
    open,
  );
  if (answer === open) await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(path));
}
