import * as vscode from "vscode";

/** The used parts of the API of the built-in git extension, version 1. */
export interface GitApi {
  readonly repositories: readonly Repository[];
  openRepository?(root: vscode.Uri): Promise<Repository | null>;
}

export interface Repository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: {
    /** `ahead` and `behind`: commits that the followed branch lacks, and the reverse. */
    readonly HEAD: { readonly name?: string; readonly ahead?: number; readonly behind?: number } | undefined;
    readonly indexChanges: readonly unknown[];
    /** New files are among them, unless the setting git.untrackedChanges separates or hides those. */
    readonly workingTreeChanges: readonly GitChange[];
    readonly untrackedChanges?: readonly unknown[];
  };
  /** Reads the state again; it may lag behind the files. */
  status(): Promise<void>;
  /** The staged changes, or those of the working tree; untracked files are in neither. */
  diff(cached?: boolean): Promise<string>;
  log(options?: { readonly maxEntries?: number }): Promise<readonly { readonly message: string }[]>;
}

interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

/** `Status.UNTRACKED` of the git extension. */
export const untrackedStatus = 7;

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** The git API; an error sentence if the extension is missing or disabled. */
export async function gitApi(): Promise<GitApi | string> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  if (!extension) return "The git extension is not available. Commit messages need it.";
  const git = await extension.activate();
  return git.enabled ? git.getAPI(1) : "Git is disabled. Enable the setting git.enabled.";
}

/** The git API if the git extension runs already. */
export function activeGitApi(): GitApi | undefined {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  return extension?.isActive && extension.exports?.enabled ? extension.exports.getAPI(1) : undefined;
}

/** The repository of the source control's button, else of the active file, else the only one, else the user picks. */
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
    await vscode.window.showQuickPick(items, { placeHolder: "Select the repository for the commit message" })
  )?.repository;
}

/** A button in the title of a source control passes that source control. */
function rootOf(source: unknown): vscode.Uri | undefined {
  if (typeof source !== "object" || source === null || !("rootUri" in source)) return undefined;
  return source.rootUri instanceof vscode.Uri ? source.rootUri : undefined;
}
