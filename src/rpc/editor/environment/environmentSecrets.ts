import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import { addToGitignore, ignoreState } from "../../../platform/files/envFile.ts";
import { commands } from "../../../shared/names/ids.ts";
import { secretKind } from "../../language/encode/secretValue.ts";
import { envFileEnding, parseEnv, type Variable } from "../../language/environment/envFile.ts";
import type { EnvironmentFiles } from "./environmentFiles.ts";

const selector: vscode.DocumentSelector = { scheme: "file", pattern: `**/*${envFileEnding}` };
const code = "secret-not-ignored";
/** Debounce while typing (ms). */
const settleMs = 300;

/** Warnings about secrets in files of environments that git does not ignore. */
export interface EnvironmentSecrets extends vscode.Disposable {
  /** Adds a file to the .gitignore of its folder. */
  ignore(target: unknown): Promise<void>;
}

export function createEnvironmentSecrets({
  onDidRead,
}: Pick<EnvironmentFiles, "onDidRead">): EnvironmentSecrets {
  const collection = vscode.languages.createDiagnosticCollection("inference-rpc-secrets");
  const timers = new Map<string, NodeJS.Timeout>();
  const versions = new Map<string, number>();
  const check = async (uri: vscode.Uri, variables: readonly Variable[]) => {
    const key = uri.toString();
    const version = (versions.get(key) ?? 0) + 1;
    versions.set(key, version);
    const found = await diagnosticsFor(uri, variables);
    // A newer check has started.
    if (versions.get(key) !== version) return;
    // Setting the same warnings again would close an open menu of their quick fixes.
    if (textOf(collection.get(uri) ?? []) !== textOf(found)) collection.set(uri, found);
  };
  const checkDocument = (document: vscode.TextDocument) =>
    check(document.uri, [...parseEnv(document.getText()).values()]);
  const schedule = (document: vscode.TextDocument) => {
    if (vscode.languages.match(selector, document) === 0) return;
    const key = document.uri.toString();
    clearTimeout(timers.get(key));
    timers.set(
      key,
      setTimeout(() => void checkDocument(document), settleMs),
    );
  };
  const checkAll = () => vscode.workspace.textDocuments.forEach(schedule);
  const ignoreFiles = vscode.workspace.createFileSystemWatcher("**/.gitignore");
  const files = vscode.workspace.createFileSystemWatcher(`**/*${envFileEnding}`, true, true);
  checkAll();
  const subscriptions = vscode.Disposable.from(
    collection,
    ignoreFiles,
    files,
    files.onDidDelete((uri) => collection.delete(uri)),
    ...[ignoreFiles.onDidChange, ignoreFiles.onDidCreate, ignoreFiles.onDidDelete].map((event) =>
      event(checkAll),
    ),
    vscode.workspace.onDidGrantWorkspaceTrust(checkAll),
    vscode.workspace.onDidOpenTextDocument(schedule),
    vscode.workspace.onDidChangeTextDocument(({ document }) => schedule(document)),
    onDidRead((file) => {
      if (!("uri" in file) || file.uri === undefined) return;
      const uri = vscode.Uri.parse(file.uri);
      // An open document may have changes.
      if (!openDocument(uri)) void check(uri, [...file.variables.values()]);
    }),
    vscode.languages.registerCodeActionsProvider(selector, { provideCodeActions }),
    { dispose: () => timers.forEach((timer) => void clearTimeout(timer)) },
  );
  return {
    async ignore(target) {
      if (!(target instanceof vscode.Uri) || target.scheme !== "file" || !vscode.workspace.isTrusted) return;
      const { fsPath } = target;
      await addToGitignore(dirname(fsPath), basename(fsPath));
      const document = openDocument(target);
      if (document) await checkDocument(document);
      else collection.delete(target);
      if ((await ignoreState(dirname(fsPath), basename(fsPath))) === "ignored") return;
      const name = basename(fsPath);
      void vscode.window.showWarningMessage(
        `Git still tracks ${name}, because it was added before. Run "git rm --cached ${name}", and replace the secrets if they were pushed.`,
      );
    },
    dispose: () => subscriptions.dispose(),
  };
}

function textOf(diagnostics: readonly vscode.Diagnostic[]): string {
  return diagnostics.map(({ range, message }) => `${range.start.line} ${message}`).join("\n");
}

function openDocument({ fsPath }: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "file" && uri.fsPath === fsPath);
}

/** Warns about secrets that git does not ignore. Empty without git, outside a repository, and in an untrusted folder. */
async function diagnosticsFor(uri: vscode.Uri, variables: readonly Variable[]): Promise<vscode.Diagnostic[]> {
  const found = variables.flatMap(({ name, value, line }) => {
    const kind = secretKind(name, value);
    return kind === undefined ? [] : [{ name, line, kind }];
  });
  // A repository can name a program that git runs.
  if (found.length === 0 || uri.scheme !== "file" || !vscode.workspace.isTrusted) return [];
  if ((await ignoreState(dirname(uri.fsPath), basename(uri.fsPath))) !== "not-ignored") return [];
  return found.map(({ name, line, kind }) => {
    const message = `${name} looks like ${kind}, and git does not ignore this file. A commit would contain it.`;
    const range = new vscode.Range(line, 0, line, 1_000);
    const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Warning);
    diagnostic.source = "Inference RPC";
    diagnostic.code = code;
    return diagnostic;
  });
}

function provideCodeActions(
  { uri }: vscode.TextDocument,
  _: vscode.Range,
  { diagnostics }: vscode.CodeActionContext,
): vscode.CodeAction[] {
  const own = diagnostics.filter((one) => one.code === code);
  if (own.length === 0) return [];
  const action = new vscode.CodeAction("Add to .gitignore", vscode.CodeActionKind.QuickFix);
  action.command = { command: commands.rpcIgnoreEnvironment, title: "Add to .gitignore", arguments: [uri] };
  action.diagnostics = own;
  action.isPreferred = true;
  return [action];
}
