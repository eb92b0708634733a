import * as vscode from "vscode";
import { ApiError } from "../../../api/errors.ts";
import { augmentation } from "../../../api/price.ts";
import { readSettings } from "../../../platform/settings.ts";
import { hasService, maySend, sayFailure } from "../../../session/readiness.ts";
import type { Client } from "../../../session/session.ts";
import { looksSecret } from "../../../shared/secretFiles.ts";
import { withoutLinks } from "../../../shared/withoutLinks.ts";
import { type BatchDeps, runBatch } from "../batch.ts";
import { documentProblem, nameOfFile, openDocument, spoolFolder } from "./openDocument.ts";
import { withParsed } from "./spool.ts";

export interface ParseDesk {
  /** Reads these files; asks which where there are none. */
  parse(files: readonly vscode.Uri[]): Promise<void>;
}

const failedTitle = "Documents not read";

export function createParseDesk(deps: BatchDeps): ParseDesk {
  const { store, failures } = deps;
  const call = async (uri: vscode.Uri, client: Client, signal: AbortSignal) => {
    const opened = await openDocument(uri);
    if ("problem" in opened) throw new ApiError("invalid-request", opened.problem, { mayHaveArrived: false });
    const into = { folder: spoolFolder(deps), client, format: readSettings().parseFormat, signal };
    return withParsed(into, opened.upload, ({ path, ...tokens }) =>
      store.add({ kind: "document", name: nameOfFile(uri), uri: uri.toString(), ...tokens }, { path }),
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
  const run = async (files: readonly vscode.Uri[]): Promise<void> => {
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
      retry: parse,
    });
  };
  const parse = async (files: readonly vscode.Uri[]): Promise<void> => {
    try {
      await run(files);
    } catch (error) {
      sayFailure(deps, error, () => parse(files));
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

function unreadable(uri: vscode.Uri) {
  return (error: unknown) =>
    `${nameOfFile(uri)} can't be read here: ${error instanceof Error ? error.message : error}`;
}
