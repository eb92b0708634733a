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
import type { Client } from "../../session/session.ts";
import type { PriceQuestion } from "../../session/spend/confirmPrice.ts";
import { formatUsd } from "../../shared/money/formatUsd.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import { untilAborted } from "../../shared/untilAborted.ts";
import type { Batch, BatchDeps } from "../bulk/batch.ts";
import type { FailedRow } from "../bulk/failureTable.ts";
import type { ManyDone } from "../bulk/runMany.ts";
import { documentProblem, incomingFolder, nameOfFile, openDocument } from "./openDocument.ts";
import { openParseManifest, type ParseManifest, type ReadFile } from "./parseManifest.ts";
import { isTaken, isTakenError, liesInside, writeBeside } from "./siblingText.ts";
import { type ParsedText, withParsed } from "./tempFiles.ts";

interface Found extends ReadFile {
  readonly uri: vscode.Uri;
  readonly output: vscode.Uri;
}

interface Survey {
  readonly due: readonly Found[];
  readonly doneBefore: number;
  readonly rejected: readonly FailedRow[];
}

/** Plain text needs no parser. */
const extensions = ["pdf", "docx", "pptx", "xlsx"];
const mostFiles = 5_000;

/**
 * Documents in a folder, with the text of each written beside it. Undefined, after a message, if there is nothing to
 * read, or if the user cancels the search for documents.
 */
export async function folderBatch(
  deps: BatchDeps,
  folder: vscode.Uri,
  isAgreed: boolean,
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
  const { due, doneBefore, rejected } = found;
  if (due.length === 0 && rejected.length === 0) {
    const message =
      doneBefore > 0
        ? `All ${doneBefore} documents in ${name} were read before.`
        : `There is no PDF, DOCX, PPTX or XLSX file in ${name}.`;
    void vscode.window.showInformationMessage(withoutLinks(message));
    return undefined;
  }
  const buffers: FileBuffers = [];
  return {
    items: due,
    nameOf: ({ path }) => path,
    rejected,
    price: priceOf(found, name, isAgreed),
    title: `Reading ${due.length} documents`,
    failedTitle: "Documents not read",
    call: async (file, client, signal) => {
      await parseBeside(deps, { file, client, signal, buffers });
      await manifest.add(file);
      return undefined;
    },
    onEnd: (ended) => showSummary(ended, due.length, deps.session.active?.kind === "sandbox"),
  };
}

function priceOf({ due, doneBefore }: Survey, name: string, isAgreed: boolean): PriceQuestion {
  const before = doneBefore > 0 ? `${doneBefore} were read before and are left out. ` : "";
  return {
    action: "parse" as const,
    title: due.length === 1 ? `Read 1 document in ${name}` : `Read ${due.length} documents in ${name}`,
    button: "Read",
    usd: augmentation.usd,
    count: due.length,
    status: augment.parse.status,
    // A misplaced click must not write many files.
    alwaysAsks: !isAgreed,
    detail: `${before}The text of each is written beside it. A run that you stop can be continued later.`,
  };
}

function showSummary({ done, failed, left }: ManyDone<Found>, count: number, isPlayMoney: boolean): void {
  const spent = formatUsd(done.length * augmentation.usd, isPlayMoney);
  const failures = failed.length > 0 ? ` ${failed.length} failed.` : "";
  const stopped = left.length > 0 ? ` ${left.length} are left: run the command again to continue.` : "";
  void vscode.window.showInformationMessage(
    `${done.length} of ${count} documents read for ${spent}, the text beside each.${failures}${stopped}`,
  );
}

/** Checks each file of a folder, in order, before anything is sent. Rejects with the signal's reason. */
async function survey(folder: vscode.Uri, manifest: ParseManifest, signal: AbortSignal): Promise<Survey> {
  const { parseFormat } = readSettings();
  const files = await filesBelow(folder, { extensions, most: mostFiles, signal });
  const survey = { due: [] as Found[], rejected: [] as FailedRow[], doneBefore: 0 };
  for (const uri of files.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const path = relative(folder.path, uri.path);
    const output = uri.with({ path: `${uri.path}.${parseFormat === "text" ? "txt" : "md"}` });
    const checked = check({ folder, manifest, uri, path, output }).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : error;
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
    // The text was paid for: store it if its file can't be written.
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
