import { relative } from "node:path/posix";
import * as vscode from "vscode";
import type { FileBuffers } from "../../api/call/body/upload.ts";
import { augment } from "../../api/endpoints/augment.ts";
import { ApiError } from "../../api/errors/errors.ts";
import { augmentation } from "../../api/money/price.ts";
import { withProgress } from "../../platform/editor/dialogs/progress.ts";
import { filesBelow } from "../../platform/files/bounded/filesBelow.ts";
import { createTemporaryFiles, temporaryListsIn } from "../../platform/files/durable/temporaryFiles.ts";
import { readSettings } from "../../platform/settings.ts";
import { hasService } from "../../session/sandbox/readiness.ts";
import type { Client } from "../../session/session.ts";
import type { PriceQuestion } from "../../session/spend/confirmPrice.ts";
import { messageOf } from "../../shared/messageOf.ts";
import { formatUsd } from "../../shared/money/formatUsd.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import { untilAborted } from "../../shared/untilAborted.ts";
import type { Batch, BatchDeps } from "../bulk/batch.ts";
import type { FailedRow } from "../bulk/failureTable.ts";
import type { ManyDone } from "../bulk/runMany.ts";
import { chooseParser, type Parser } from "./chooseParser.ts";
import { documentProblem, incomingFolder, nameOfFile, openDocument } from "./openDocument.ts";
import { openParseManifest, type ParseManifest, type ReadFile } from "./parseManifest.ts";
import { readUnlocked } from "./readUnlocked.ts";
import { isTaken, isTakenError, liesInside, writeBeside } from "./siblingText.ts";
import { type ParsedText, withParsed, withText } from "./tempFiles.ts";

interface Found extends ReadFile {
  readonly uri: vscode.Uri;
  readonly output: vscode.Uri;
}

interface Survey {
  readonly due: readonly Found[];
  readonly doneBefore: number;
  readonly rejected: readonly FailedRow[];
  /** `6 TXT files`: documents that are not read. Empty without any. */
  readonly leftOut: string;
}

const extensions = ["pdf", "docx", "pptx", "xlsx"];
/** Text, which needs no parser, and formats that the parsers do not know: they are counted. */
const others = ["txt", "md", "csv", "rtf", "doc", "xls", "ppt", "odt", "ods", "odp", "epub"];

/** How a folder is read: what the user has chosen counts for what is left of it, too. */
export interface FolderRun {
  readonly isAgreed: boolean;
  parser?: Parser;
}
const mostFiles = 5_000;

/**
 * Documents in a folder, with the text of each written beside it. Undefined, after a message, if there is nothing to
 * read, or if the user cancels the search for documents.
 */
export async function folderBatch(
  deps: BatchDeps,
  folder: vscode.Uri,
  run: FolderRun,
): Promise<Batch<Found> | undefined> {
  const manifest = await openParseManifest(
    `${deps.globalStorageUri.fsPath}/parsed-folders`,
    folder.toString(),
  );
  const name = nameOfFile(folder);
  const found = await withProgress(`Looking for documents in ${name}`, (signal) =>
    survey(folder, manifest, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    }),
  );
  if (!found) return undefined;
  const { due, doneBefore, rejected, leftOut } = found;
  if (due.length === 0 && rejected.length === 0) {
    const message =
      doneBefore > 0
        ? `All ${doneBefore} documents in ${name} were read before.`
        : `There is no PDF, DOCX, PPTX or XLSX file in ${name}.`;
    void vscode.window.showInformationMessage(withoutLinks(message));
    return undefined;
  }
  const parser = await parserOf(deps, found, name, run);
  if (parser === undefined || (parser === "service" && !(await hasService(deps)))) return undefined;
  run.parser = parser;
  const buffers: FileBuffers = [];
  return {
    items: due,
    nameOf: ({ path }) => path,
    rejected,
    price: parser === "service" ? priceOf(found, name) : undefined,
    title: `Reading ${due.length} documents`,
    failedTitle: "Documents not read",
    call: async (file, client, signal) => {
      if (parser === "service") await parseBeside(deps, { file, client: await client(), signal, buffers });
      else await readBeside(deps, file, { asks: due.length === 1, signal });
      await manifest.add(file);
      return undefined;
    },
    onEnd: (ended, goOn) => {
      const isPlayMoney = deps.session.active?.kind === "sandbox";
      const usd = parser === "service" ? ended.done.length * augmentation.usd : 0;
      const spent = usd > 0 ? ` for ${formatUsd(usd, isPlayMoney)}` : "";
      void showSummary(ended, { count: due.length, spent, leftOut }, goOn);
    },
  };
}

/** A misplaced click must not write many files, so this asks, unless a program has done so. */
async function parserOf(
  { session }: BatchDeps,
  found: Survey,
  name: string,
  { isAgreed, parser }: FolderRun,
): Promise<Parser | undefined> {
  if (parser !== undefined || found.due.length === 0) return parser ?? "machine";
  if (isAgreed) return readSettings().parser === "machine" ? "machine" : "service";
  const work = { title: folderTitle(found, name), count: found.due.length, detail: folderDetail(found) };
  return chooseParser(session, { ...work, alwaysAsks: true });
}

function folderTitle({ due }: Survey, name: string): string {
  return due.length === 1 ? `Read 1 document in ${name}` : `Read ${due.length} documents in ${name}`;
}

function folderDetail({ doneBefore, leftOut }: Survey): string {
  const before = doneBefore > 0 ? `${doneBefore} were read before and are left out. ` : "";
  const other = leftOut === "" ? "" : `Left out: ${leftOut}. `;
  return `${before}${other}Each text is written beside its document.`;
}

function priceOf(found: Survey, name: string): PriceQuestion {
  return {
    action: "parse" as const,
    title: folderTitle(found, name),
    button: "Read",
    usd: augmentation.usd,
    count: found.due.length,
    status: augment.parse.status,
    detail: `${folderDetail(found)} A run that you stop can be continued later.`,
  };
}

interface Summary {
  readonly count: number;
  /** ` for $0.24`; empty if it was free. */
  readonly spent: string;
  readonly leftOut: string;
}

async function showSummary(
  { done, failed, left }: ManyDone<Found>,
  { count, spent, leftOut }: Summary,
  goOn: () => unknown,
): Promise<void> {
  const failures = failed.length > 0 ? ` ${failed.length} failed.` : "";
  const other = leftOut === "" ? "" : ` Left out: ${leftOut}.`;
  const open = "Open…";
  const buttons = [
    ...(left.length > 0 ? [`Continue (${left.length} left)`] : []),
    ...(done.length > 0 ? [open] : []),
  ];
  const chosen = await vscode.window.showInformationMessage(
    withoutLinks(
      `${done.length} of ${count} documents read${spent}, the text beside each.${failures}${other}`,
    ),
    ...buttons,
  );
  if (chosen === open) await openTexts(done);
  else if (chosen !== undefined) await goOn();
}

/** Lets the user choose which of the texts to open. */
async function openTexts(done: readonly Found[]): Promise<void> {
  const rows = done.map(({ path, output }) => ({ label: path, iconPath: vscode.ThemeIcon.File, output }));
  const chosen = await vscode.window.showQuickPick(rows, { title: "Open Texts", canPickMany: true });
  for (const { output } of chosen ?? []) await vscode.window.showTextDocument(output, { preview: false });
}

/** `6 TXT files, 1 RTF file`. */
function countedKinds(files: readonly vscode.Uri[]): string {
  const kinds = Map.groupBy(files, ({ path }) => path.slice(path.lastIndexOf(".") + 1).toUpperCase());
  return [...kinds]
    .map(([kind, all]) => `${all.length} ${kind} ${all.length === 1 ? "file" : "files"}`)
    .toSorted()
    .join(", ");
}

/** Checks each file of a folder, in order, before anything is sent. Rejects with the signal's reason. */
async function survey(folder: vscode.Uri, manifest: ParseManifest, signal: AbortSignal): Promise<Survey> {
  const { parseFormat } = readSettings();
  const files = await filesBelow(folder, { extensions, most: mostFiles, signal });
  const other = await filesBelow(folder, { extensions: others, most: mostFiles, signal });
  // The texts that a run has written beside documents are no documents of the folder.
  const written = new Set(files.flatMap(({ path }) => [`${path}.md`, `${path}.txt`]));
  const leftOut = countedKinds(other.filter(({ path }) => !written.has(path)));
  const survey = { due: [] as Found[], rejected: [] as FailedRow[], doneBefore: 0, leftOut };
  for (const uri of files.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const path = relative(folder.path, uri.path);
    const output = uri.with({ path: `${uri.path}.${parseFormat === "text" ? "txt" : "md"}` });
    const checked = check({ folder, manifest, uri, path, output }).catch((error: unknown) => {
      const why = messageOf(error);
      return `the file can't be read, or its text can't be written: ${why}`;
    });
    const found = await untilAborted(checked, signal);
    if (found === "done") survey.doneBefore += 1;
    else if (typeof found === "string") survey.rejected.push({ name: path, reason: `Not sent: ${found}` });
    else survey.due.push(found);
  }
  return survey;
}

interface Candidate extends Pick<Found, "uri" | "path" | "output"> {
  readonly folder: vscode.Uri;
  readonly manifest: ParseManifest;
}

/** The file if it must be read, "done" if it was read before, or why it can't be sent. */
async function check({ folder, manifest, uri, path, output }: Candidate): Promise<Found | string> {
  if (!(await liesInside(folder, uri))) return "a link leads out of this folder.";
  const { mtime: changedMs, size } = await vscode.workspace.fs.stat(uri);
  const file = { uri, output, path, changedMs, size };
  if (await isTaken(output)) return manifest.has(file) ? "done" : `${nameOfFile(output)} already exists.`;
  return (await documentProblem(uri)) ?? file;
}

interface Reading {
  readonly file: Found;
  readonly client: Client;
  readonly signal: AbortSignal;
  /** Shared by the documents of a run. */
  readonly buffers: FileBuffers;
}

async function parseBeside(deps: BatchDeps, { file, client, signal, buffers }: Reading): Promise<void> {
  const opened = await openDocument(file.uri, buffers);
  if ("problem" in opened) throw new ApiError("invalid-request", opened.problem, { mayHaveArrived: false });
  const into = { folder: incomingFolder(deps), client, format: readSettings().parseFormat, signal };
  await withParsed(into, opened.upload, (parsed) => saveBeside(deps, file, parsed));
}

async function readBeside(
  deps: BatchDeps,
  file: Found,
  { asks, signal }: { readonly asks: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const read = await readUnlocked(deps.session, file.uri, { asks, signal });
  const into = { folder: incomingFolder(deps), format: readSettings().parseFormat };
  await withText(into, read, (parsed) => saveBeside(deps, file, parsed));
}

async function saveBeside(
  { store, log, globalStorageUri }: BatchDeps,
  file: Found,
  parsed: ParsedText,
): Promise<void> {
  const name = nameOfFile(file.uri);
  const temporary = createTemporaryFiles(temporaryListsIn(globalStorageUri.fsPath));
  try {
    await writeBeside(file.output, parsed, name, temporary);
  } catch (error) {
    // The text may be paid for: store it if its file can't be written.
    const { path, ...tokens } = parsed;
    await store.add({ kind: "document", name, uri: file.uri.toString(), ...tokens }, { path });
    log.error(`${file.output.path} could not be written; its text is in the results view`, String(error));
    const problem = isTakenError(error) ? "exists now and was not replaced" : "could not be written";
    throw new Error(`${nameOfFile(file.output)} ${problem}: its text is in the results view`);
  } finally {
    temporary.dispose();
  }
}

export async function askFolder(): Promise<vscode.Uri | undefined> {
  const options = {
    title: "Read All Documents of a Folder",
    openLabel: "Read",
    canSelectFolders: true,
    canSelectFiles: false,
  };
  return (await vscode.window.showOpenDialog(options))?.[0];
}
