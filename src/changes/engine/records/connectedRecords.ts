import type * as vscode from "vscode";
import { workspaceUri } from "../../../platform/editor/workspaceUri.ts";
import type { ChangedFile } from "../changedFile.ts";
import type { ChangeRecord, ChangeRecords } from "./changeRecord.ts";

export type MovedRecord = ChangeRecord & { readonly movedFrom: string };

export function isMoved(record: ChangeRecord): record is MovedRecord {
  return record.movedFrom !== undefined && record.kind !== "created" && record.kind !== "deleted";
}

/**
 * Finds the records that must be rejected together: a record, those that must make way for it, for those, and so on. The
 * files are those of now, and their records those of the time of each call.
 */
export function connectedRecords(
  records: Pick<ChangeRecords, "files" | "get">,
): (record: ChangeRecord) => readonly ChangeRecord[] {
  const inWayOf = filesInWay(records.files);
  return (record) => {
    const group = new Map([[String(record.uri), record]]);
    for (const one of group.values()) {
      const place = formerPlaceOf(one);
      for (const uri of place ? inWayOf(place) : []) {
        const other = records.get(uri);
        if (other && makesWay(other) && !group.has(String(uri))) group.set(String(uri), other);
      }
    }
    return [...group.values()];
  };
}

/** The place that must be free before a file can be restored. */
function formerPlaceOf(record: ChangeRecord): vscode.Uri | undefined {
  if (record.kind === "deleted") return record.uri;
  try {
    return isMoved(record) ? workspaceUri(record.movedFrom) : undefined;
  } catch {
    return undefined; // its folder is no longer open
  }
}

/** True if nothing is left at the place of a file after its rejection. */
function makesWay(record: ChangeRecord): boolean {
  return (
    record.replaced === undefined &&
    (record.kind === "created" || record.kind === "linked" || isMoved(record))
  );
}

/** A file also is in the way if it has the place of a folder, and if it is in a folder that has the place of a file. */
export function isInWay(uri: vscode.Uri, place: vscode.Uri): boolean {
  const [one, other] = [`${uri}/`, `${place}/`];
  return one.startsWith(other) || other.startsWith(one);
}

/** Finds those of these files that are in the way of a place, without a look at each of them. */
function filesInWay(files: readonly ChangedFile[]): (place: vscode.Uri) => readonly vscode.Uri[] {
  const atPlace = new Map(files.map(({ uri }) => [String(uri), uri]));
  const inFolder = new Map<string, vscode.Uri[]>();
  for (const [key, uri] of atPlace)
    for (const folder of foldersAbove(key)) {
      const inside = inFolder.get(folder);
      if (inside) inside.push(uri);
      else inFolder.set(folder, [uri]);
    }
  return (place) => {
    const key = String(place);
    const instead = [key, ...foldersAbove(key)].flatMap((one) => atPlace.get(one) ?? []);
    return [...instead, ...(inFolder.get(key) ?? [])];
  };
}

function foldersAbove(key: string): readonly string[] {
  const folders: string[] = [];
  for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1))
    folders.push(key.slice(0, end));
  return folders;
}
