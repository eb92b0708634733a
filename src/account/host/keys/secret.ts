import { join } from "node:path";
import * as vscode from "vscode";
import { ask } from "../../../platform/editor/dialogs/ask.ts";
import { warnModally } from "../../../platform/editor/dialogs/modal.ts";
import {
  addToGitignore,
  hasVariable,
  type IgnoreState,
  ignoreState,
  secretProblem,
  variableProblem,
  writeVariable,
} from "../../../platform/files/envFile.ts";
import { isSandboxKey } from "../../../session/connection/sandboxKeys.ts";
import { messageOf } from "../../../shared/messageOf.ts";
import { environment } from "../../../shared/names/ids.ts";
import type { Account } from "../accountOf.ts";
import { type AccountTools, saveConnection } from "./addAdmin.ts";

interface NewSecret {
  readonly secret: string;
  readonly name: string;
  /** Confirmations of what was done with it before. */
  readonly done?: readonly string[];
}

interface Action extends vscode.QuickPickItem {
  /** Resolves to a confirmation; undefined if nothing was done. */
  readonly run?: () => Promise<string | undefined>;
}

/** Shows the secret of a new key once, until the user is done. */
export async function showSecretOnce(made: NewSecret, account: Account, tools: AccountTools): Promise<void> {
  const done = new Set(made.done);
  for (;;) {
    const action = await pickAction(made, done, account, tools);
    if (action?.run) {
      const confirmation = await triedOrSaid(action.run);
      if (confirmation) done.add(confirmation);
      continue;
    }
    if (done.size > 0 || (await confirmsLoss(made))) return;
  }
}

/** A failure is said. The list that asked for it stays, because the secret is lost with it. */
export async function triedOrSaid(run: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await run();
  } catch (error) {
    const detail = messageOf(error);
    await warnModally("Nothing was saved. Try again, or save it in another way.", { detail });
    return undefined;
  }
}

function pickAction(made: NewSecret, done: ReadonlySet<string>, account: Account, tools: AccountTools) {
  const items: Action[] = [
    {
      label: made.secret,
      detail: "The secret. Enter copies it. It is removed from the clipboard after 60 seconds.",
      iconPath: new vscode.ThemeIcon("copy"),
      run: async () => {
        await tools.clipboard.copy(made.secret);
        return "Copied.";
      },
    },
    ...(isOfSandbox(made, account) ? [] : [connectionAction(made, account, tools)]),
    {
      label: "Insert into .env",
      detail: "Written to a file that git ignores, in a folder of this window.",
      iconPath: new vscode.ThemeIcon("file-code"),
      run: () => insert(made.secret, tools),
    },
    { label: "Done", iconPath: new vscode.ThemeIcon("check") },
  ];
  const confirmations = [...done].join(" ");
  const title = `The secret of "${made.name}" is shown this once`;
  return vscode.window.showQuickPick(items, {
    title,
    placeHolder: confirmations || "Save it now. It can't be shown again.",
    ignoreFocusOut: true,
  });
}

function connectionAction(made: NewSecret, account: Account, tools: AccountTools): Action {
  return {
    label: "Save as a Connection",
    detail: "Stored in the secret storage of VS Code. Select it with Switch Service.",
    iconPath: new vscode.ThemeIcon("plug"),
    run: () => save(made, account, tools),
  };
}

/** The sandbox needs no key. As a connection, one would count as real money, and end with the window. */
function isOfSandbox({ secret }: NewSecret, { admin }: Account): boolean {
  return admin.kind === "sandbox" || isSandboxKey(admin.baseUrl, secret);
}

async function confirmsLoss({ name }: NewSecret): Promise<boolean> {
  const button = "Close Without Saving";
  const answer = await warnModally(
    `The secret of "${name}" was neither copied nor saved.`,
    { detail: "It can't be shown again. You can revoke the key and create another one." },
    button,
  );
  return answer === button;
}

async function save(
  { secret, name }: NewSecret,
  { admin }: Account,
  tools: AccountTools,
): Promise<string | undefined> {
  const { root } = await tools.session.clientOf(admin, { kind: "account" });
  const saved = await saveConnection(tools, { ...admin, baseUrl: root }, secret, name);
  return saved && `Saved as "${saved.name}".`;
}

async function insert(secret: string, { temporary }: AccountTools): Promise<string | undefined> {
  const folder = await pickFolder();
  if (!folder) return undefined;
  const answer = await ask({
    title: "Insert into .env",
    prompt: `Name of the variable in ${join(folder.name, ".env")}.`,
    value: environment.key,
    problem: variableProblem,
  });
  if (typeof answer !== "object") return undefined;
  const root = folder.uri.fsPath;
  const path = join(root, ".env");
  const unfit = await secretProblem(path, secret);
  if (unfit) {
    const detail = "Nothing was written. Copy the secret, or save it as a connection.";
    await warnModally(unfit, { detail });
    return undefined;
  }
  if (!(await isSafe(root)) || !(await mayReplace(path, answer.value.trim()))) return undefined;
  await writeVariable(path, answer.value.trim(), secret, temporary);
  return `Inserted into ${join(folder.name, ".env")}.`;
}

async function pickFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  if (!vscode.workspace.isTrusted || folders.length === 0) {
    const why =
      folders.length === 0 ? "No folder is open in this window." : "This window is in Restricted Mode.";
    await warnModally(`${why} Open a folder that you trust, or save the secret in another way.`, {});
    return undefined;
  }
  if (folders.length === 1) return folders[0];
  return vscode.window.showWorkspaceFolderPick({
    placeHolder: "Select the folder of the .env file",
    ignoreFocusOut: true,
  });
}

async function isSafe(root: string): Promise<boolean> {
  const state = await ignoredState(root, ".env");
  if (state === "ignored" || state === "not-ignored") return state === "ignored";
  const button = "Write Anyway";
  const why = state === "no-git" ? "Git could not be run" : "This folder is not in a git repository";
  const answer = await warnModally(`${why}, so git may include this .env in a commit later.`, {}, button);
  return answer === button;
}

/** Git's state of a file for secrets, after the offer to add it to .gitignore. */
export async function ignoredState(folder: string, name: string): Promise<IgnoreState> {
  const state = await ignoreState(folder, name);
  if (state !== "not-ignored") return state;
  const button = `Add ${name} to .gitignore`;
  const answer = await warnModally(
    `Git does not ignore this ${name} file. The secret could be committed.`,
    { detail: "The secret is written only after git ignores the file." },
    button,
  );
  if (answer !== button) return state;
  await addToGitignore(folder, name);
  if ((await ignoreState(folder, name)) === "ignored") return "ignored";
  await warnModally(`Git still tracks this ${name}, so nothing was written.`, {});
  return state;
}

async function mayReplace(path: string, name: string): Promise<boolean> {
  const isDirty = vscode.workspace.textDocuments.some(({ uri, isDirty }) => uri.fsPath === path && isDirty);
  if (isDirty) {
    await warnModally("This .env has unsaved changes. Save it first.", {});
    return false;
  }
  if (!(await hasVariable(path, name))) return true;
  const button = "Replace";
  return (await warnModally(`${name} is in this .env already.`, {}, button)) === button;
}
