import { basename } from "node:path";
import * as vscode from "vscode";
import { isCancelled } from "../../../api/errors/errors.ts";
import { choose, pickedFrom } from "../../../platform/editor/dialogs/ask.ts";
import { withProgress } from "../../../platform/editor/dialogs/progress.ts";
import { showExplanation } from "../../../platform/editor/dialogs/showExplanation.ts";
import { explain } from "../../../platform/errors/errorMessage.ts";
import { readBudgets } from "../../../platform/settings.ts";
import type { Session } from "../../../session/session.ts";
import { withoutLinks } from "../../../shared/text/html/withoutLinks.ts";
import { dayMs, dayText, monthOf } from "../../../shared/time/days.ts";
import { recordsText } from "../usage/unitsText.ts";
import { comparedMonths } from "./comparison.ts";
import { monthText, toMonthReport } from "./monthReport.ts";
import { type ReportAccount, readPeriod } from "./periodSums.ts";
import type { MonthReport } from "./reportShape.ts";
import { reportCsv, reportMarkdown } from "./reportText.ts";

const title = "Monthly Report";
const offeredMonths = 12;

/** Asks for month and form, reads both months, and opens the document or writes the file. */
export async function reportCommand(of: ReportAccount, session: Session): Promise<void> {
  const nowMs = of.data.now();
  const atMs = await askMonth(of.connection.name, nowMs);
  const form = atMs === undefined ? undefined : await askForm();
  if (atMs === undefined || form === undefined) return;
  const path = form === "csv" ? await askPath(of.connection.name, atMs) : undefined;
  if (form === "csv" && !path) return;
  try {
    const reading = `Reading the bill for the report of ${monthText(monthOf(atMs))}`;
    const report = await withProgress(reading, (signal, progress) =>
      readReport(of, session, atMs, signal, (message) => progress({ message })),
    );
    await (path ? saveCsv(report, path) : openDocument(report));
  } catch (error) {
    if (isCancelled(error) || (error instanceof Error && error.name === "AbortError")) return;
    const explained = explain(error, { service: of.connection.name, kind: of.connection.kind });
    void showExplanation(explained, () => reportCommand(of, session));
  }
}

/** Reads the month that contains a time and the one before it, one after the other. */
async function readReport(
  of: ReportAccount,
  session: Pick<Session, "spend">,
  atMs: number,
  signal: AbortSignal,
  tell: (text: string) => void,
): Promise<MonthReport> {
  const nowMs = of.data.now();
  const months = comparedMonths(atMs, nowMs);
  const spend = await session.spend();
  const calls = await spend.entries(of.connection, months.before.from * dayMs);
  const read = (range: typeof months.now, hasTop: boolean) =>
    readPeriod({
      ...{ of, range, calls, hasTop, signal },
      onProgress: (count, total) => tell(`${monthText(range)}: ${recordsText(count, total)}`),
    });
  const now = await read(months.now, true);
  const before = await read(months.before, true);
  const { name: service, kind } = of.connection;
  return toMonthReport({
    ...{ service, months, now, before, nowMs },
    isPlayMoney: kind === "sandbox",
    budgets: readBudgets(),
  });
}

/** The last complete month is the first choice. */
async function askMonth(service: string, nowMs: number): Promise<number | undefined> {
  const current = monthOf(nowMs);
  const months: number[] = [];
  for (let at = current.from * dayMs - 1; months.length < offeredMonths; at = monthOf(at).from * dayMs - 1)
    months.push(at);
  const items = months.map((value) => ({ label: monthText(monthOf(value)), value }));
  const [last, ...older] = items;
  const running = {
    label: `${monthText(current)} so far`,
    description: "compared with the same days of the month before",
    value: nowMs,
  };
  return pickedFrom(
    await choose({
      title: `${title} of ${service}`,
      step: 1,
      totalSteps: 2,
      placeholder: "Select the month (UTC)",
      items: [...(last ? [{ ...last, description: "the last complete month" }] : []), running, ...older],
    }),
  );
}

async function askForm(): Promise<"document" | "csv" | undefined> {
  return pickedFrom(
    await choose<"document" | "csv">({
      title,
      placeholder: "Select the form",
      items: [
        {
          label: "Document",
          detail: "Opens as Markdown with its preview. Save it like any file.",
          value: "document",
        },
        {
          label: "CSV",
          detail: "One row per line of the report. Safe to open in a spreadsheet.",
          value: "csv",
        },
      ],
    }),
  );
}

async function askPath(service: string, atMs: number): Promise<vscode.Uri | undefined> {
  const month = dayText(monthOf(atMs).from).slice(0, 7);
  const name = `usage-report-${service.replace(/[^\w-]+/g, "-").slice(0, 40)}-${month}.csv`;
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri;
  return vscode.window.showSaveDialog({
    title,
    filters: { CSV: ["csv"] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
  });
}

async function openDocument(report: MonthReport): Promise<void> {
  const content = reportMarkdown(report);
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content });
  await vscode.window.showTextDocument(document);
  // Without the editor's Markdown extension the document stays open as text.
  await vscode.commands.executeCommand("markdown.showPreviewToSide", document.uri).then(undefined, () => {});
}

async function saveCsv(report: MonthReport, uri: vscode.Uri): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, Buffer.from(reportCsv(report)));
  const open = "Open";
  const saved = withoutLinks(`${basename(uri.path)} contains the report of ${report.nowHead}.`);
  const answer = await vscode.window.showInformationMessage(saved, open);
  if (answer === open) await vscode.commands.executeCommand("vscode.open", uri);
}
