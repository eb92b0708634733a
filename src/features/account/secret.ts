import { join } from "node:path";
import * as vscode from "vscode";
import { ask } from "../../platform/ask.ts";
import { warnModally } from "../../platform/modal.ts";
import { environment } from "../../shared/ids.ts";
import type { Account } from "./accountOf.ts";
import { type AccountTools, saveConnection } from "./addAdmin.ts";
import {
  addToGitignore,
  hasVariable,
  ignoreState,
  secretProblem,
  variableProblem,
  writeVariable,
} from "./envFile.ts";

interface NewSecret {
  readonly secret: string;
  readonly name: string;
}

interface Action extends vscode.QuickPickItem {
  /** Says what was done; undefined where nothing was. */
  readonly run?: () => Promise<string | undefined>;
}

/** Shows the secret of a new key, this once, until the user is done with it. */
export async function handOutSecret(made: NewSecret, account: Account, tools: AccountTools): Promise<void> {
  const done = new Set<string>();
  for (;;) {
    const action = await pickAction(made, done, account, tools);
    if (action?.run) {
      const said = await action.run();
      if (said) done.add(said);
      continue;
    }
    if (done.size > 0 || (await isGivenUp(made))) return;
  }
}

function pickAction(made: NewSecret, done: ReadonlySet<string>, account: Account, tools: AccountTools) {
  const items: Action[] = [
    {
      label: made.secret,
      detail: "The secret. Enter copies it; after 60 seconds it leaves the clipboard.",
      iconPath: new vscode.ThemeIcon("copy"),
      run: async () => {
        await tools.clipboard.copy(made.secret);
        return "Copied.";
      },
    },
    {
      label: "Save as a Connection",
      detail: "Kept in the editor's secret storage; choose it with Switch Connection.",
      iconPath: new vscode.ThemeIcon("plug"),
      run: () => save(made, account, tools),
    },
    {
      label: "Insert into .env",
      detail: "Into a file that git ignores, in a folder of this window.",
      iconPath: new vscode.ThemeIcon("file-code"),
      run: () => insert(made.secret),
    },
    { label: "Done", iconPath: new vscode.ThemeIcon("check") },
  ];
  const said = [...done].join(" ");
  const title = `The secret of "${made.name}" is shown this once`;
  return vscode.window.showQuickPick(items, {
    title,
    placeHolder: said || "Keep it now: nobody can show it again.",
    ignoreFocusOut: true,
  });
}

async function isGivenUp({ name }: NewSecret): Promise<boolean> {
  const button = "Close Without It";
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
  const { root } = await tools.session.clientOf(admin);
  const saved = await saveConnection(tools, { ...admin, baseUrl: root }, secret, name);
  return saved && `Saved as "${saved.name}".`;
}

async function insert(secret: string): Promise<string | undefined> {
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
  await writeVariable(path, answer.value.trim(), secret);
  return `Inserted into ${join(folder.name, ".env")}.`;
}

async function pickFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  if (!vscode.workspace.isTrusted || folders.length === 0) {
    const why =
      folders.length === 0 ? "No folder is open in this window." : "This window is in Restricted Mode.";
    await warnModally(`${why} Open a folder that you trust, or keep the secret another way.`, {});
    return undefined;
  }
  if (folders.length === 1) return folders[0];
  return vscode.window.showWorkspaceFolderPick({ placeHolder: "Which folder's .env?", ignoreFocusOut: true });
}

/** Whether git will leave the file alone; offers to tell it so. */
async function isSafe(root: string): Promise<boolean> {
  const state = await ignoreState(root, ".env");
  if (state === "ignored") return true;
  if (state === "not-ignored") {
    const button = "Add .env to .gitignore";
    const answer = await warnModally(
      "Git would take this .env along: the secret could end up in a commit.",
      { detail: "It is written only once git ignores the file." },
      button,
    );
    if (answer !== button) return false;
    await addToGitignore(root, ".env");
    if ((await ignoreState(root, ".env")) === "ignored") return true;
    await warnModally("Git still tracks this .env, so nothing was written.", {});
    return false;
  }
  const button = "Write Anyway";
  const why = state === "no-git" ? "Git could not be asked" : "This folder is in no git repository";
  const answer = await warnModally(`${why}, so nothing keeps this .env out of commits.`, {}, button);
  return answer === button;
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
