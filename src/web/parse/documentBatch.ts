import { createHash } from "node:crypto";
import * as vscode from "vscode";
import { statusText } from "../../api/endpoint.ts";
import { augment } from "../../api/endpoints/augment.ts";
import { ApiError } from "../../api/errors/errors.ts";
import { augmentation } from "../../api/money/price.ts";
import { readSettings } from "../../platform/settings.ts";
import { maySend } from "../../session/sandbox/readiness.ts";
import type { Client } from "../../session/session.ts";
import { messageOf } from "../../shared/messageOf.ts";
import { looksSecret } from "../../shared/secretFiles.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import { type Batch, type BatchDeps, mostOpened } from "../bulk/batch.ts";
import type { StoredResult } from "../results/storedResult.ts";
import type { Parser } from "./chooseParser.ts";
import { mostDocumentBytes, tooBig } from "./documentKind.ts";
import { documentProblem, incomingFolder, nameOfFile, openDocument } from "./openDocument.ts";
import { readUnlocked } from "./readUnlocked.ts";
import { withParsed, withText } from "./tempFiles.ts";

/** Documents to read as text. Undefined if the user does not want to send a file that may contain secrets. */
export async function documentBatch(
  deps: BatchDeps,
  files: readonly vscode.Uri[],
  parser: Parser,
  /** Reads a locked file on this machine, which asks for its password. */
  unlock: (file: vscode.Uri) => unknown,
): Promise<Batch<vscode.Uri> | undefined> {
  const checked = await Promise.all(
    files.map(async (uri) => ({ uri, problem: await documentProblem(uri).catch(unreadable(uri)) })),
  );
  const items = checked.flatMap(({ uri, problem }) => (problem === undefined ? [uri] : []));
  const [first] = items;
  const secret = items.find((uri) => looksSecret(uri.path));
  if (secret && parser === "service" && !(await maySend(nameOfFile(secret), "Its text"))) return undefined;
  return {
    items,
    nameOf: nameOfFile,
    rejected: checked.flatMap(({ uri, problem }) =>
      problem === undefined
        ? []
        : [
            {
              name: nameOfFile(uri),
              reason: `${parser === "service" ? "Not sent" : "Not read"}: ${problem}`,
            },
          ],
    ),
    showRejected: ({ reason }) => vscode.window.showWarningMessage(withoutLinks(reason)),
    price: parser === "service" ? priceOf(items) : undefined,
    title: items.length === 1 && first ? `Reading ${nameOfFile(first)}` : `Reading ${items.length} documents`,
    failedTitle: "Documents not read",
    unlock,
    plural: "documents",
    call: async (uri, client, signal, atMs) =>
      parser === "service"
        ? parseDocument(deps, uri, await client(), { signal, atMs })
        : readHere(deps, uri, { asks: items.length === 1, signal, atMs }),
  };
}

/** Opens stored results of files that did not change, which costs nothing. */
export async function openUnchanged(
  { store, results }: BatchDeps,
  files: readonly vscode.Uri[],
): Promise<{ readonly changed: readonly vscode.Uri[]; readonly unchanged: readonly vscode.Uri[] }> {
  const stored = await store.list();
  const isText = readSettings().parseFormat === "text";
  const found = await Promise.all(
    files.map(async (uri) => {
      const hash = await hashOf(uri).catch(() => undefined);
      const same = stored.find(
        (result) =>
          result.kind === "document" && result.hash === hash && (result.tokens === undefined) === isText,
      );
      const isStored = hash !== undefined && same && (await store.text(same.id)) !== undefined;
      return { uri, result: isStored ? same : undefined };
    }),
  );
  const earlier = found.flatMap(({ result }) => result ?? []);
  for (const result of earlier.slice(0, mostOpened)) await results.open({ type: "result", result });
  return {
    changed: found.flatMap(({ uri, result }) => (result ? [] : [uri])),
    unchanged: found.flatMap(({ uri, result }) => (result ? [uri] : [])),
  };
}

/** Says that stored results were opened, and offers to read the files again. */
export async function offerAgain(files: readonly vscode.Uri[], read: () => unknown): Promise<void> {
  const [only] = files;
  const subject = files.length === 1 && only ? `${nameOfFile(only)} has` : `${files.length} documents have`;
  const again = "Read Again";
  const sentence = `${subject} not changed. The stored text was opened, and nothing was charged.`;
  const chosen = await vscode.window.showInformationMessage(withoutLinks(sentence), again);
  if (chosen === again) await read();
}

/** `Read report.pdf`, `Read 3 documents`. */
export function readingTitle(files: readonly vscode.Uri[]): string {
  const [only] = files;
  return files.length === 1 && only ? `Read ${nameOfFile(only)}` : `Read ${files.length} documents`;
}

export function askFiles(): Thenable<vscode.Uri[] | undefined> {
  return vscode.window.showOpenDialog({
    title: `Read Documents${statusText(augment.parse)}`,
    openLabel: "Read",
    canSelectMany: true,
    filters: { Documents: ["pdf", "docx", "pptx", "xlsx", "txt", "md", "csv"], "All files": ["*"] },
  });
}

interface Call {
  readonly signal: AbortSignal;
  /** The time to store the result with; by default now. */
  readonly atMs: number | undefined;
}

async function parseDocument(
  deps: BatchDeps,
  uri: vscode.Uri,
  client: Client,
  { signal, atMs }: Call,
): Promise<StoredResult> {
  const opened = await openDocument(uri);
  if ("problem" in opened) throw new ApiError("invalid-request", opened.problem, { mayHaveArrived: false });
  const hash = await hashOf(uri);
  const into = { folder: incomingFolder(deps), client, format: readSettings().parseFormat, signal };
  const document = { kind: "document", name: nameOfFile(uri), uri: uri.toString(), hash } as const;
  return withParsed(into, opened.upload, ({ path, ...tokens }) =>
    deps.store.add({ ...document, ...tokens }, { path }, atMs),
  );
}

/** `asks`: for the password of a locked PDF. */
async function readHere(
  deps: BatchDeps,
  uri: vscode.Uri,
  { asks, signal, atMs }: Call & { readonly asks: boolean },
): Promise<StoredResult> {
  const hash = await hashOf(uri);
  const name = nameOfFile(uri);
  const read = await readUnlocked(deps.session, uri, { asks, signal });
  const into = { folder: incomingFolder(deps), format: readSettings().parseFormat };
  const document = { kind: "document", name, uri: uri.toString(), hash } as const;
  return withText(into, read, ({ path, ...tokens }) =>
    deps.store.add({ ...document, ...tokens }, { path }, atMs),
  );
}

function priceOf(files: readonly vscode.Uri[]) {
  const detail = "The service reads files in memory and does not store them.";
  const { status } = augment.parse;
  const common = {
    action: "parse" as const,
    button: "Read",
    usd: augmentation.usd,
    count: files.length,
    detail,
    status,
  };
  // A list is long to stop, also with play money.
  return { ...common, title: readingTitle(files), alwaysAsks: files.length > mostOpened };
}

/** SHA-256 of a file in hex. Rejects if the file can't be read or is too large to send. */
async function hashOf(uri: vscode.Uri): Promise<string> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > mostDocumentBytes) throw new Error(tooBig(nameOfFile(uri), size));
  return createHash("sha256")
    .update(await vscode.workspace.fs.readFile(uri))
    .digest("hex");
}

function unreadable(uri: vscode.Uri) {
  return (error: unknown) => `${nameOfFile(uri)} can't be read: ${messageOf(error)}`;
}
