// Pending hunks for tests of the review: accepting removes them, rejecting restores their lines.
import * as vscode from "vscode";
import type { ChangedFile } from "../../../src/changes/engine/changedFile.ts";
import type { PendingHunk } from "../../../src/changes/engine/hunkList.ts";
import type { PendingChanges } from "../../../src/changes/engine/pendingChanges.ts";
import { StagedChanges } from "../../../src/changes/engine/staged/stagedChanges.ts";

type FakeFile = Pick<ChangedFile, "uri" | "kind" | "hunks"> & { readonly original?: string };

export interface FakeChanges extends PendingChanges {
  /** `accept a.ts 1` for each decision. */
  readonly decisions: readonly string[];
  set(files: readonly FakeFile[]): void;
}

export function createFakeChanges(): FakeChanges {
  const changed = new vscode.EventEmitter<void>();
  const decisions: string[] = [];
  const originals = new Map<string, string | undefined>();
  let files: readonly ChangedFile[] = [];
  const decide = (verb: string) => async (uri: vscode.Uri, hunkId?: string) => {
    const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
    decisions.push(`${verb} ${name} ${hunkId ?? "file"}`);
    if (verb === "reject") await restore(uri, (id) => hunkId === undefined || id === hunkId);
    files = files
      .map((file) => (isSame(file, uri) ? { ...file, hunks: without(file.hunks, hunkId) } : file))
      .filter((file) => !isSame(file, uri) || file.hunks.length > 0);
    changed.fire();
  };
  const restore = async (uri: vscode.Uri, isRejected: (id: string) => boolean) => {
    const hunks = files.find((file) => isSame(file, uri))?.hunks ?? [];
    const edit = new vscode.WorkspaceEdit();
    for (const { id, startLine, lineCount, before } of hunks)
      if (isRejected(id))
        edit.replace(uri, new vscode.Range(startLine, 0, startLine + lineCount, 0), before.join(""));
    await vscode.workspace.applyEdit(edit);
  };
  const reject = decide("reject");
  const staged = new StagedChanges();
  const never = (): never => {
    throw new Error("not part of the fake");
  };
  return {
    decisions,
    set(given) {
      files = given.map((file) => ({
        ...file,
        path: vscode.workspace.asRelativePath(file.uri),
        added: 0,
        removed: 0,
      }));
      originals.clear();
      for (const { uri, original } of given) originals.set(uri.toString(), original);
      changed.fire();
    },
    get files() {
      return files;
    },
    onDidChange: changed.event,
    get isPending() {
      return files.length > 0;
    },
    staged,
    fileOf: (uri) => files.find((file) => isSame(file, uri)),
    async originalOf(uri) {
      const text = originals.get(uri.toString());
      return text === undefined ? undefined : Buffer.from(text);
    },
    accept: decide("accept"),
    reject,
    connectedWith: () => [],
    async rejectTogether(uris) {
      for (const uri of uris) await reject(uri);
    },
    writer: {
      ...{ edit: never, write: never, editCells: never, move: never, remove: never },
      ...{ writeBytes: never, setProgram: never },
    },
    programs: { isRunning: false, warm() {}, begin: never },
    rewind: never,
    lastRewind: undefined,
    dispose: () => vscode.Disposable.from(changed, staged).dispose(),
  };
}

const isSame = (file: ChangedFile, uri: vscode.Uri) => file.uri.toString() === uri.toString();

function without(hunks: readonly PendingHunk[], hunkId: string | undefined): readonly PendingHunk[] {
  return hunkId === undefined ? [] : hunks.filter(({ id }) => id !== hunkId);
}
