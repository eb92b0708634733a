import * as vscode from "vscode";

/** The parts of the built-in git extension's API, version 1, that are used here. */
export interface GitApi {
  readonly repositories: readonly Repository[];
  openRepository?(root: vscode.Uri): Promise<Repository | null>;
}

export interface Repository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly HEAD: { readonly name?: string } | undefined;
    readonly indexChanges: readonly unknown[];
    readonly workingTreeChanges: readonly unknown[];
    readonly untrackedChanges?: readonly unknown[];
  };
  /** Of what is staged, or else of the working tree; untracked files are in neither. */
  diff(cached?: boolean): Promise<string>;
  log(options?: { readonly maxEntries?: number }): Promise<readonly { readonly message: string }[]>;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** Git's API; a sentence where the editor has none or git is switched off. */
export async function gitApi(): Promise<GitApi | string> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  if (!extension)
    return "This editor has no git extension, which is where commit messages are read and written.";
  const git = await extension.activate();
  return git.enabled ? git.getAPI(1) : "Git is switched off: turn on the setting git.enabled.";
}

/** The repository of a source control's button, else of the file in front, else the only one, else one that is picked. */
export async function chooseRepository(git: GitApi, source: unknown): Promise<Repository | undefined> {
  const { repositories } = git;
  const rootOfSource = rootOf(source)?.toString();
  const ofSource = repositories.find(({ rootUri }) => rootUri.toString() === rootOfSource);
  if (ofSource) return ofSource;
  const file = vscode.window.activeTextEditor?.document.uri.path ?? "";
  const ofFile = repositories
    .filter(({ rootUri }) => file.startsWith(`${rootUri.path}/`))
    .sort((a, b) => b.rootUri.path.length - a.rootUri.path.length)[0];
  if (ofFile || repositories.length < 2) return ofFile ?? repositories[0];
  const items = repositories.map((repository) => ({ label: repository.rootUri.fsPath, repository }));
  return (
    await vscode.window.showQuickPick(items, { placeHolder: "Write the commit message of which repository?" })
  )?.repository;
}

/** A button in the title of a source control gives that control. */
function rootOf(source: unknown): vscode.Uri | undefined {
  if (typeof source !== "object" || source === null || !("rootUri" in source)) return undefined;
  return source.rootUri instanceof vscode.Uri ? source.rootUri : undefined;
}
