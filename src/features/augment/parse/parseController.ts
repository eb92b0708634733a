import { createHash } from "node:crypto";
import * as vscode from "vscode";
import { ApiError } from "../../../api/errors.ts";
import { augmentation } from "../../../api/price.ts";
import { readSettings } from "../../../platform/settings.ts";
import { hasService, maySend, sayFailure } from "../../../session/readiness.ts";
import type { Client } from "../../../session/session.ts";
import { looksSecret } from "../../../shared/secretFiles.ts";
import { withoutLinks } from "../../../shared/withoutLinks.ts";
import { type BatchDeps, runBatch } from "../batch.ts";
import type { StoredResult } from "../storedResult.ts";
import { mostDocumentBytes, tooBig } from "./documentKind.ts";
import { documentProblem, nameOfFile, openDocument, spoolFolder } from "./openDocument.ts";
import { withParsed } from "./tempFiles.ts";

export interface ParseController {
  /** Reads these files; asks which where there are none. */
  parse(files: readonly vscode.Uri[]): Promise<void>;
}

const failedTitle = "Documents not read";
/** More than these are found in the view alone. */
const mostOpened = 3;

export function createParseController(deps: BatchDeps): ParseController {
  const { store, failures, results } = deps;
  const call = async (uri: vscode.Uri, client: Client, signal: AbortSignal) => {
    const opened = await openDocument(uri);
    if ("problem" in opened) throw new ApiError("invalid-request", opened.problem, { mayHaveArrived: false });
    const hash = await hashOf(uri);
    const into = { folder: spoolFolder(deps), client, format: readSettings().parseFormat, signal };
    return withParsed(into, opened.upload, ({ path, ...tokens }) =>
      store.add({ kind: "document", name: nameOfFile(uri), uri: uri.toString(), hash, ...tokens }, { path }),
    );
  };
  const judge = async (files: readonly vscode.Uri[]) => {
    const judged = await Promise.all(
      files.map(async (uri) => ({ uri, problem: await documentProblem(uri).catch(unreadable(uri)) })),
    );
    return {
      good: judged.flatMap(({ uri, problem }) => (problem === undefined ? [uri] : [])),
      refused: judged.flatMap(({ uri, problem }) =>
        problem === undefined ? [] : [{ name: nameOfFile(uri), reason: `Not sent: ${problem}` }],
      ),
    };
  };
  /** The stored result for the same bytes in the same format, if it exists. */
  const earlierOf = async (uri: vscode.Uri): Promise<StoredResult | undefined> => {
    const hash = await hashOf(uri).catch(() => undefined);
    const isText = readSettings().parseFormat === "text";
    const same = (await store.list()).find(
      (one) => one.kind === "document" && one.hash === hash && (one.tokens === undefined) === isText,
    );
    return hash !== undefined && same && (await store.text(same.id)) !== undefined ? same : undefined;
  };
  /** Opens what need not be paid for again; the files that are left. */
  const withoutRead = async (files: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> => {
    const judged = await Promise.all(files.map(async (uri) => ({ uri, kept: await earlierOf(uri) })));
    const known = judged.flatMap(({ uri, kept: stored }) => (stored ? [{ uri, kept: stored }] : []));
    for (const { kept: stored } of known.slice(0, mostOpened))
      await results.open({ type: "kept", kept: stored });
    if (known.length > 0) void sayUnchanged(known.map(({ uri }) => uri));
    return judged.flatMap(({ uri, kept: stored }) => (stored ? [] : [uri]));
  };
  const sayUnchanged = async (files: readonly vscode.Uri[]) => {
    const [only] = files;
    const what = files.length === 1 && only ? `${nameOfFile(only)} is` : `${files.length} documents are`;
    const again = "Read Again";
    const sentence = `${what} unchanged: what was read before was opened, and nothing was charged.`;
    const chosen = await vscode.window.showInformationMessage(withoutLinks(sentence), again);
    if (chosen === again) await parse(files, true);
  };
  const run = async (given: readonly vscode.Uri[], isForced: boolean): Promise<void> => {
    const files = isForced ? given : await withoutRead(given);
    if (files.length === 0) return;
    const { good, refused } = await judge(files);
    const [only] = refused;
    if (only && files.length === 1) return void vscode.window.showWarningMessage(withoutLinks(only.reason));
    if (good.length === 0) return failures.show({ title: failedTitle, rows: refused });
    const secret = good.find((uri) => looksSecret(uri.path));
    if (secret && !(await maySend(nameOfFile(secret), "Its text"))) return;
    await runBatch(deps, {
      items: good,
      nameOf: nameOfFile,
      refused,
      price: priceOf(good),
      title:
        good.length === 1 && good[0] ? `Reading ${nameOfFile(good[0])}` : `Reading ${good.length} documents`,
      failedTitle,
      call,
      retry: (items) => parse(items),
    });
  };
  const parse = async (files: readonly vscode.Uri[], isForced = false): Promise<void> => {
    try {
      await run(files, isForced);
    } catch (error) {
      sayFailure(deps, error, () => parse(files, isForced));
    }
  };
  return {
    async parse(files) {
      if (!(await hasService(deps))) return;
      const chosen = files.length > 0 ? files : await askFiles();
      if (chosen && chosen.length > 0) await parse(chosen);
    },
  };
}

function priceOf(files: readonly vscode.Uri[]) {
  const detail = "Files are read in the service's memory and not kept there.";
  const common = { action: "parse", button: "Read", usd: augmentation.usd, count: files.length, detail };
  const [only] = files;
  if (files.length === 1 && only) return { ...common, title: `Read ${nameOfFile(only)}` };
  return { ...common, title: `Read ${files.length} documents` };
}

function askFiles(): Thenable<vscode.Uri[] | undefined> {
  return vscode.window.showOpenDialog({
    title: "Read Documents",
    openLabel: "Read",
    canSelectMany: true,
    filters: { Documents: ["pdf", "docx", "pptx", "xlsx", "txt", "md", "csv"], "All files": ["*"] },
  });
}

/** Hash of a file's content. Rejects if the file can't be read or is too large to send. */
async function hashOf(uri: vscode.Uri): Promise<string> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > mostDocumentBytes) throw new Error(tooBig(nameOfFile(uri), size));
  return createHash("sha256")
    .update(await vscode.workspace.fs.readFile(uri))
    .digest("hex");
}

function unreadable(uri: vscode.Uri) {
  return (error: unknown) =>
    `${nameOfFile(uri)} can't be read here: ${error instanceof Error ? error.message : error}`;
}
