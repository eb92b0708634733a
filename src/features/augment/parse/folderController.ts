import { relative } from "node:path/posix";
import * as vscode from "vscode";
import { ApiError } from "../../../api/errors.ts";
import { augmentation } from "../../../api/price.ts";
import type { FileBuffers } from "../../../api/upload.ts";
import { filesBelow } from "../../../platform/filesBelow.ts";
import { withProgress } from "../../../platform/progress.ts";
import { readSettings } from "../../../platform/settings.ts";
import { untilAborted } from "../../../platform/untilAborted.ts";
import { hasService, sayFailure } from "../../../session/readiness.ts";
import type { Client } from "../../../session/session.ts";
import { formatUsd } from "../../../shared/formatUsd.ts";
import { withoutLinks } from "../../../shared/withoutLinks.ts";
import { type BatchDeps, runQuietBatch } from "../batch.ts";
import type { FailedRow } from "../failureTable.ts";
import { documentProblem, nameOfFile, openDocument, spoolFolder } from "./openDocument.ts";
import { openParseManifest, type ParseManifest, type ReadFile } from "./parseManifest.ts";
import { isTaken, liesInside, saysTaken, writeBeside } from "./siblingText.ts";
import { type ParsedText, withParsed } from "./tempFiles.ts";

export interface FolderController {
  /** Reads all documents below a folder and writes their text beside each. Asks which folder where none is given. */
  parse(folder: vscode.Uri | undefined, isAgreed: boolean): Promise<void>;
}

interface Found extends ReadFile {
  readonly uri: vscode.Uri;
  readonly output: vscode.Uri;
}

interface Survey {
  readonly due: readonly Found[];
  readonly doneBefore: number;
  readonly refused: readonly FailedRow[];
}

/** Plain text needs no parser. */
const extensions = ["pdf", "docx", "pptx", "xlsx"];
const mostFiles = 5_000;
const failedTitle = "Documents not read";

export function createFolderController(deps: BatchDeps): FolderController {
  const storage = `${deps.globalStorageUri.fsPath}/parsed-folders`;
  const run = async (folder: vscode.Uri, isAgreed: boolean): Promise<void> => {
    const ledger = await openParseManifest(storage, folder.toString());
    const name = nameOfFile(folder);
    const found = await withProgress(`Looking for documents in ${name}`, (signal) =>
      survey(folder, ledger, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      }),
    );
    if (!found) return;
    const { due, doneBefore, refused } = found;
    if (due.length === 0 && refused.length === 0) {
      const none = doneBefore > 0 ? `All ${doneBefore} documents in ${name} were read before.` : undefined;
      const message = none ?? `There is no PDF, DOCX, PPTX or XLSX file in ${name}.`;
      return void vscode.window.showInformationMessage(withoutLinks(message));
    }
    if (due.length === 0) return deps.failures.show({ title: failedTitle, rows: refused });
    const before = doneBefore > 0 ? `${doneBefore} were read before and are left out. ` : "";
    const where = "The text of each is written beside it; a run that is stopped goes on where it was.";
    const buffers: FileBuffers = [];
    const ended = await runQuietBatch(deps, {
      items: due,
      nameOf: ({ path }) => path,
      refused,
      price: {
        action: "parse",
        title: due.length === 1 ? `Read 1 document in ${name}` : `Read ${due.length} documents in ${name}`,
        button: "Read",
        usd: augmentation.usd,
        count: due.length,
        // So many files are not written into a folder by one click that went astray.
        alwaysAsks: !isAgreed,
        detail: `${before}${where}`,
      },
      title: `Reading ${due.length} documents`,
      failedTitle,
      call: async (file, client, signal) => {
        await parseBeside(deps, { file, client, signal, buffers });
        await ledger.add(file);
      },
      retry: () => parse(folder, isAgreed),
    });
    if (!ended) return;
    const count = ended.done.length;
    const spent = formatUsd(count * augmentation.usd, deps.session.active?.kind === "sandbox");
    const failed = ended.failed.length > 0 ? ` ${ended.failed.length} failed.` : "";
    const stopped = ended.left.length > 0 ? ` ${ended.left.length} are left: run it again to go on.` : "";
    void vscode.window.showInformationMessage(
      `${count} of ${due.length} documents read for ${spent}, the text beside each.${failed}${stopped}`,
    );
  };
  const parse = async (folder: vscode.Uri, isAgreed: boolean): Promise<void> => {
    try {
      await run(folder, isAgreed);
    } catch (error) {
      sayFailure(deps, error, () => parse(folder, isAgreed));
    }
  };
  return {
    async parse(folder, isAgreed) {
      if (!(await hasService(deps))) return;
      const chosen = folder ?? (await askFolder());
      if (chosen) await parse(chosen, isAgreed);
    },
  };
}

/**
 * What there is to do in a folder: each file looked at, one after the other, before anything is sent. Rejects with the
 * signal's reason.
 */
async function survey(folder: vscode.Uri, ledger: ParseManifest, signal: AbortSignal): Promise<Survey> {
  const { parseFormat } = readSettings();
  const files = await filesBelow(folder, { extensions, most: mostFiles, signal });
  const survey = { due: [] as Found[], refused: [] as FailedRow[], doneBefore: 0 };
  for (const uri of files.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const path = relative(folder.path, uri.path);
    const output = uri.with({ path: `${uri.path}.${parseFormat === "text" ? "txt" : "md"}` });
    const judged = judge({ folder, ledger, uri, path, output }).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : error;
      return `it can't be read here, or its text not be written: ${why}`;
    });
    const found = await untilAborted(judged, signal);
    if (found === "done") survey.doneBefore += 1;
    else if (typeof found === "string") survey.refused.push({ name: path, reason: `Not sent: ${found}` });
    else survey.due.push(found);
  }
  return survey;
}

interface Candidate extends Pick<Found, "uri" | "path" | "output"> {
  readonly folder: vscode.Uri;
  readonly ledger: ParseManifest;
}

/** What is to be read, "done" of what was read before, or a sentence that says why not. */
async function judge({ folder, ledger, uri, path, output }: Candidate): Promise<Found | string> {
  if (!(await liesInside(folder, uri))) return "a link leads to it, out of this folder.";
  const { mtime: changedMs, size } = await vscode.workspace.fs.stat(uri);
  const file = { uri, output, path, changedMs, size };
  if (await isTaken(output)) return ledger.has(file) ? "done" : `${nameOfFile(output)} is there already.`;
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
  const into = { folder: spoolFolder(deps), client, format: readSettings().parseFormat, signal };
  await withParsed(into, opened.upload, (parsed) => saveBeside(deps, file, parsed));
}

async function saveBeside({ store, log }: BatchDeps, file: Found, parsed: ParsedText): Promise<void> {
  const name = nameOfFile(file.uri);
  try {
    await writeBeside(file.output, parsed, name);
  } catch (error) {
    // It is paid for: it must not be lost with the file that could not be written.
    const { path, ...tokens } = parsed;
    await store.add({ kind: "document", name, uri: file.uri.toString(), ...tokens }, { path });
    log.error(`${file.output.path} could not be written; its text is among the results`, String(error));
    const what = saysTaken(error) ? "is there by now, and was left alone" : "could not be written";
    throw new Error(`${nameOfFile(file.output)} ${what}: its text is in the results view`);
  }
}

async function askFolder(): Promise<vscode.Uri | undefined> {
  const options = {
    title: "Read All Documents of a Folder",
    openLabel: "Read",
    canSelectFolders: true,
    canSelectFiles: false,
  };
  return (await vscode.window.showOpenDialog(options))?.[0];
}
