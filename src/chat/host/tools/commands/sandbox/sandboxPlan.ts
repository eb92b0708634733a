import type { PlannedFolder } from "./shownFolders.ts";

/** What a command in the sandbox may do beside reading files and writing those of the workspace. */
export interface SandboxAccess {
  readonly network: boolean;
  /** It may write the repository of a workspace folder, apart from what makes Git run programs. */
  readonly repository: boolean;
}

/** What a sandbox lets through. Paths are absolute, without links. */
export interface SandboxPlan extends SandboxAccess {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  /** Folders that it writes too, and that can be neither moved nor removed: parts of them are only read. */
  readonly fixed: readonly string[];
  /** Folders that it reads at other places. Not on macOS. */
  readonly shown: readonly PlannedFolder[];
  /** Folders that it does not see. */
  readonly hidden: readonly string[];
  /** The folder that it has as `/tmp`. */
  readonly temporary: string;
  /** In which it runs. */
  readonly folder: string;
  /** Environment variables. */
  readonly unset: readonly string[];
  readonly set: Readonly<Record<string, string>>;
}
