import type { Uri } from "vscode";
import type { PendingHunk } from "./hunkList.ts";

/** A file with pending hunks. */
export interface ChangedFile {
  /** Of the file as it is now; of the former place if it was deleted. */
  readonly uri: Uri;
  /** Relative to the workspace, with `/`; starts with the folder's name if there are several. */
  readonly path: string;
  /** A created, deleted or moved file is accepted or rejected as a whole, and so is a symbolic link, which is at the place now. */
  readonly kind: "changed" | "created" | "deleted" | "moved" | "linked";
  /** Where the link leads that was at the place before or is there now, as texts that may be hostile. */
  readonly link?: { readonly before?: string; readonly after?: string };
  /** The former path of a moved file. */
  readonly movedFrom?: string;
  readonly hunks: readonly PendingHunk[];
  /** Lines. */
  readonly added: number;
  readonly removed: number;
}
