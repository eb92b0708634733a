import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { TemporaryFiles } from "../../../platform/files/durable/temporaryFiles.ts";
import { messageOf } from "../../../shared/messageOf.ts";
import { checkChangeable } from "../files/changeablePlace.ts";
import {
  type Content,
  decoded,
  entryAt,
  hasSameLines,
  readContent,
  shownText,
  textIn,
} from "../files/contents.ts";
import { modeOf, moveFile, placeTaken, replaceFile, statOf } from "../files/fileAccess.ts";
import {
  type FileState,
  fileOf,
  isLinkName,
  isSameState,
  linkNameOf,
  nameOf,
  namesOf,
  type StoredContents,
  storedState,
  toFileChange,
} from "../files/fileState.ts";
import { linkAbove, linkAt } from "../files/linkAt.ts";
import { documentOf } from "../files/openEditors.ts";
import { afterAgentEdit } from "../hunkList.ts";
import {
  type AskAboutOthers,
  type FileChange,
  formerPlaces,
  type KeptFile,
  type Rewound,
} from "../pendingChanges.ts";
import { type ChangeRecords, withoutReplaced } from "../records/changeRecord.ts";
import { type FormerRecords, hasEarlierHunks, keepFormer, placeOf } from "../records/rewoundRecords.ts";
import { changeUnlessTyped, restoreEntry, restoreFile } from "./restoreFile.ts";

interface Step {
  readonly uri: vscode.Uri;
  readonly path: string;
  readonly now: FileState;
  readonly target: FileState;
  /** The contents of `target`; undefined for a file that does not exist. */
  readonly bytes: Uint8Array | undefined;
  readonly saved: Uint8Array | null | undefined;
  readonly isOther: boolean;
  readonly isFolder: boolean;
  /** The text was unsaved, so that it is stored in UTF-8 whatever the encoding of the file. */
  readonly isUnsavedText: boolean;
  /** The mode that the restored file gets; undefined for that which it has. */
  readonly mode: number | undefined;
  readonly rewound: FilePlan["rewound"];
}

interface RewindDeps {
  /** Stores the contents that an undo restores. */
  readonly contents: StoredContents;
  readonly records: ChangeRecords;
  readonly temporary: TemporaryFiles;
  /** Gets the records before the rewind. */
  readonly former: FormerRecords;
}

/** The changes of one file. */
interface FilePlan {
  readonly first: FileChange;
  readonly last: FileChange;
  /** The mode before the first removal. */
  readonly mode: number | undefined;
  /** The contents before each of them. */
  readonly rewound: readonly (string | null)[];
}

/** Brings files back to before these changes, see `PendingChanges`. */
export async function rewind(
  changes: readonly FileChange[],
  ask: AskAboutOthers,
  deps: RewindDeps,
): Promise<Rewound | undefined> {
  const plan = new Map<string, FilePlan>();
  for (const change of changes) {
    const { first = change, mode, rewound = [] } = plan.get(change.uri) ?? {};
    const last = { last: change, mode: mode ?? change.modeBefore };
    plan.set(change.uri, { first, ...last, rewound: [...rewound, change.before] });
  }
  // All contents are read before anything is changed. A file that can't be rewound does not stop the others.
  const read = await Promise.all(
    [...plan].map(([key, one]) =>
      stepOf(key, one, deps.contents).catch((error: unknown) => ({ key, error })),
    ),
  );
  const steps = read.filter((one) => "target" in one);
  const failed = read.filter((one) => "error" in one);
  if (failed[0] && steps.length === 0) throw failed[0].error;
  const others = steps.filter(({ isOther }) => isOther);
  const answer = others.length > 0 ? await ask(others.map(({ path }) => path)) : "overwrite";
  if (answer === undefined) return undefined;
  const kept = failed.map(({ key, error }) => keptFor(key, error));
  if (answer === "keep") kept.push(...others.map(keptByUser));
  const chosen = steps.filter(({ isOther }) => answer !== "keep" || !isOther);
  return carryOutAll(chosen, formerPlaces(changes), kept, deps);
}

async function carryOutAll(
  chosen: readonly Step[],
  places: ReadonlyMap<string, string>,
  kept: KeptFile[],
  deps: RewindDeps,
): Promise<Rewound> {
  const done: FileChange[] = [];
  try {
    const left = new Map(chosen.map((step) => [step.uri.toString(), step]));
    for (const [to, from] of places) {
      const [moved, target] = [left.get(to), left.get(from)];
      const change = moved && target && (await movedBack(moved, target, deps));
      if (!change) continue;
      done.push(...change);
      left.delete(to);
      left.set(from, { ...target, now: moved.now });
    }
    // A file to remove may stand in the place of a folder, or be the one to restore under another spelling of its name.
    for (const step of [...left.values()].toSorted((a, b) => Number(!!a.bytes) - Number(!!b.bytes))) {
      const reason = step.bytes && (await placeTaken(step.uri, step.path));
      if (reason) kept.push({ path: step.path, reason });
      else done.push(...(await carryOut(step, deps)));
    }
    for (const step of chosen) await forgetMove(step, chosen, deps);
  } catch (error) {
    return { changes: done, kept, failure: messageOf(error) };
  }
  return { changes: done, kept };
}

/** A file that has its former content all the time, because its twin was moved to its place, is no longer moved. */
async function forgetMove(
  { uri, path }: Step,
  chosen: readonly Step[],
  { records, former }: RewindDeps,
): Promise<void> {
  const record = records.get(uri);
  if (record?.kind !== "moved" || record.movedFrom === undefined) return;
  const from = placeOf(record.movedFrom);
  if (!chosen.some((step) => step.bytes && step.uri.toString() === from)) return;
  const { content } = await entryAt(uri, path, record);
  keepFormer(former, uri, record, content && textIn(content, path));
  records.forget(uri);
}

function keptFor(key: string, error: unknown): KeptFile {
  const path = vscode.workspace.asRelativePath(vscode.Uri.parse(key));
  const message = messageOf(error);
  return { path, reason: error instanceof Refusal ? message : `${path} can't be read: ${message}.` };
}

function keptByUser({ path, now, isFolder }: Step): KeptFile {
  const onDisk = now.content === null ? "others have deleted it" : "others have changed it";
  const file = now.saved === undefined ? onDisk : "it has unsaved text";
  const reason = isFolder ? "a folder has its place" : file;
  return { path, reason, isChosen: true };
}

/**
 * Moves a file back through the editor, as a rejection does: its editors stay open, and other extensions mend what they
 * changed when it was moved, such as imports. Undefined with nothing changed if it can't be moved, or its text is unsaved.
 */
async function movedBack(
  moved: Step,
  target: Step,
  { contents, records, former }: RewindDeps,
): Promise<readonly FileChange[] | undefined> {
  const isLink = isLinkName(moved.now.content) || linkAt(target.uri) !== undefined || linkAbove(target.uri);
  if (isLink) return undefined;
  const isPlain = moved.target.content === null && !moved.isOther && moved.now.saved === undefined;
  if (!isPlain || target.now.content !== null || !target.bytes || target.target.saved !== undefined)
    return undefined;
  const content = await readContent(moved.uri, moved.path, records.get(moved.uri));
  if (!content || !isSameState(namesOf(content), moved.now) || (await statOf(target.uri, target.path)))
    return undefined;
  await storedState(contents, content);
  const mode = await modeOf(moved.uri);
  const record = records.syncedWith(moved.uri, content);
  keepFormer(former, moved.uri, record, textIn(content, moved.path));
  keepFormer(former, target.uri, records.get(target.uri), undefined);
  const isMoved = await records.quietly(moved.uri, () =>
    records.quietly(target.uri, async () => {
      const failure = `${moved.path} could not be moved back to ${target.path}`;
      const isBack = await moveFile(moved.uri, target.uri, failure).then(
        () => true,
        () => false,
      );
      if (!isBack) return false;
      records.forget(moved.uri);
      // Without an edit among the rewound changes, what is pending is of earlier ones.
      if (record && moved.now.content === target.target.content) {
        records.set({ ...withoutReplaced(record), uri: target.uri, path: target.path });
      }
      return true;
    }),
  );
  if (!isMoved) return undefined;
  const gone: FileState = { content: null };
  return [toFileChange(moved.uri, { ...moved.now, mode }, gone), toFileChange(target.uri, gone, moved.now)];
}

/** The change that this step has made. None if the file already is in its former state. */
async function carryOut(step: Step, deps: RewindDeps): Promise<readonly FileChange[]> {
  const { contents, records, former, temporary } = deps;
  const { uri, path, target, bytes } = step;
  const { link, content } = await entryAt(uri, path, records.get(uri));
  const now = link === undefined ? namesOf(content) : { content: linkNameOf(link) };
  const isThere = now.content !== null;
  const mode = link === undefined && (content || target.content === null) ? await modeOf(uri) : undefined;
  const isChmod = getsMode(step) && mode !== undefined && mode !== step.mode;
  const isBack = isSameState(now, target);
  // A removal before this step may have removed it.
  if (isBack ? !isChmod : isThere && isSameState(step.now, target)) return [];
  if (isThere && !isSameState(now, step.now)) throw new Refusal(`${path} was changed during the rewind.`);
  await (link === undefined ? storedState(contents, content) : contents.putLink(link));
  const record = records.syncedWith(uri, content);
  // An open document has another text afterwards.
  const before = content && textIn(content, path);
  keepFormer(former, uri, record, before);
  await records.quietly(uri, async () => {
    const { encoding } = content ?? {};
    await restore({ ...step, now }, content, temporary);
    const isKept =
      record && before !== undefined && (await hasEarlierHunks(step, record, { encoding, before }, contents));
    const restored = isKept ? await readContent(uri, path, record) : undefined;
    const shown = restored && bytes && (await shownText(restored.encoding, bytes));
    const after = restored && textIn(restored, path);
    // Text that the user has typed meanwhile must not become the agent's.
    if (!isKept || after === undefined || shown === undefined || !hasSameLines(after, shown))
      return records.forget(uri);
    records.set({ ...record, hunks: afterAgentEdit(record.hunks, before, after, randomUUID) }, after);
  });
  const lost = isChmod || target.content === null ? { ...now, mode } : now;
  return [toFileChange(uri, lost, await reached(step, content?.encoding))];
}

function getsMode({ target: { content }, mode }: Step): boolean {
  return content !== null && !isLinkName(content) && mode !== undefined;
}

async function stepOf(
  key: string,
  { first, last, mode, rewound }: FilePlan,
  contents: Pick<StoredContents, "get">,
): Promise<Step> {
  const uri = vscode.Uri.parse(key, true);
  const path = vscode.workspace.asRelativePath(uri);
  await checkChangeable(uri, path);
  const link = linkAt(uri);
  const above = linkAbove(uri);
  const isThere = first.before !== null && link === undefined && !above;
  const found = isThere ? await statOf(uri, path) : undefined;
  // The file can be restored in its place if it is empty.
  const isFolder = found !== undefined && (found.type & vscode.FileType.Directory) > 0;
  const { content } = isFolder ? {} : await entryAt(uri, path);
  if (documentOf(uri)?.isDirty) refuseElsewhere(path, { isLink: link !== undefined, above, isFolder });
  const now = link === undefined ? namesOf(content) : { content: linkNameOf(link) };
  const isOther = now.content !== last.after && now.content !== first.before;
  // Text that was unsaved is unsaved again, unless the user has saved it since.
  const former = [first.savedBefore, fileOf({ content: last.after, saved: last.savedAfter })];
  const wasSaved = !former.includes(fileOf(now));
  const target: FileState =
    first.savedBefore === undefined || wasSaved
      ? { content: first.before }
      : { content: first.before, saved: first.savedBefore };
  const bytes = target.content === null ? undefined : await contents.get(target.content);
  const saved = typeof target.saved === "string" ? await contents.get(target.saved) : target.saved;
  const isUnsavedText = first.savedBefore !== undefined;
  return { uri, path, now, target, bytes, saved, isOther, isFolder, isUnsavedText, mode, rewound };
}

interface Elsewhere {
  readonly isLink: boolean;
  readonly above: ReturnType<typeof linkAbove>;
  readonly isFolder: boolean;
}

/** Refuses unsaved text whose file is no longer there: its editor would show it for the restored file, and write it there. */
function refuseElsewhere(path: string, { isLink, above, isFolder }: Elsewhere): void {
  if (isLink) throw new Refusal(`${path} is a link now, and its editor has unsaved text.`);
  if (isFolder) throw new Refusal(`${path} is a folder now, and its editor has unsaved text.`);
  if (above)
    throw new Refusal(
      `${path} was not restored: ${vscode.workspace.asRelativePath(above)} is a link now, and the editor has unsaved text.`,
    );
}

/** The state after a step. An editor gives restored unsaved text its own line ends, byte order mark and encoding. */
async function reached(
  { uri, path, target, bytes, isUnsavedText }: Step,
  encoding?: string,
): Promise<FileState> {
  if (!isUnsavedText || !bytes) return target;
  const content = await readContent(uri, path).catch(() => undefined);
  if (!content || (content.saved === undefined) !== (target.saved === undefined)) return target;
  const { saved, bytes: now } = content;
  const text = saved === undefined ? await shownText(content.encoding ?? encoding, now) : decoded(now);
  // Text that the user has typed since is not part of it.
  return text !== undefined && hasSameLines(text, decoded(bytes))
    ? { ...target, content: nameOf(now) }
    : target;
}

/** Makes a link again, or what was at the place of one. */
async function restoreLink(step: Step, temporary: TemporaryFiles): Promise<void> {
  const { uri, path, now, target, bytes, saved, mode } = step;
  if (now.saved !== undefined) throw new Refusal(`${path} has unsaved text, so its link was not restored.`);
  const options = { temporary, mode };
  if (saved === undefined)
    return restoreEntry(uri, path, { now: now.content, target: target.content, bytes }, options);
  // The text before was not saved.
  await restoreEntry(uri, path, { now: now.content, target: null, bytes: undefined }, options);
  await restore({ ...step, now: { content: null } }, undefined, temporary);
}

async function restore(step: Step, content: Content | undefined, temporary: TemporaryFiles): Promise<void> {
  const { uri, path, now, target, bytes, saved, isUnsavedText, mode } = step;
  const file = saved === undefined ? bytes : saved;
  if (isLinkName(target.content) || isLinkName(now.content)) return restoreLink(step, temporary);
  if (fileOf(now) !== fileOf(target) || saved === undefined)
    await restoreFile(uri, path, file ?? undefined, {
      temporary,
      isUnsavedText: saved === undefined && isUnsavedText,
      mode,
      content,
    });
  if (saved === undefined || !bytes) return;
  if (saved === null && !documentOf(uri)) return replaceFile(uri, path, bytes, { temporary });
  const document = documentOf(uri) ?? (await vscode.workspace.openTextDocument(uri));
  const text = decoded(bytes);
  // The editor of a deleted file may still show this text, but without an edit it would not be unsaved.
  if (!document.isDirty && hasSameLines(document.getText(), text))
    await changeUnlessTyped(document, path, `${text}\n`);
  await changeUnlessTyped(document, path, text);
}
