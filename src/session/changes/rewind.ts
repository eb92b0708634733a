import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { type BlobStore, blobNameOf } from "../../platform/blobStore.ts";
import { ToolRefusal } from "../tools/serviceTool.ts";
import { checkChangeable } from "./changeablePlace.ts";
import type { ChangeRecord, ChangeRecords } from "./changeRecord.ts";
import {
  type Content,
  changeOpen,
  decoded,
  documentOf,
  hasSameLines,
  readContent,
  shownText,
  textIn,
} from "./contents.ts";
import { modeOf, removeEmptyFolder, removeFile, replaceFile, statOf } from "./fileAccess.ts";
import { afterAgentEdit, originalText } from "./hunkList.ts";
import type { AskAboutOthers, FileChange, Rewound } from "./pendingChanges.ts";

/** The contents of files, by name. */
export interface StoredContents {
  put(bytes: Uint8Array): Promise<string>;
  /** Throws a ToolRefusal if it is no longer stored. */
  get(name: string | undefined): Promise<Uint8Array>;
}

export function createStoredContents(blobs: BlobStore): StoredContents {
  return {
    put: (bytes) => blobs.put(bytes, extension),
    async get(name) {
      const bytes = name === undefined ? undefined : await blobs.read(name);
      if (bytes) return bytes;
      throw new ToolRefusal("The former content of a file is no longer stored, so it was not changed.");
    },
  };
}

const extension = "file";

/** A file at one time: the name of its content, and of the file behind unsaved text. */
export interface FileState {
  readonly content: string | null;
  readonly saved?: string | null;
  /** Of a file to remove. */
  readonly mode?: number | undefined;
}

/** Stores the contents of a file. */
export async function storedState(
  contents: StoredContents,
  content: Content | undefined,
): Promise<FileState> {
  if (!content) return { content: null };
  const { bytes, saved } = content;
  const state = { content: await contents.put(bytes) };
  return saved === undefined ? state : { ...state, saved: saved && (await contents.put(saved)) };
}

export function toFileChange(uri: vscode.Uri, from: FileState, to: FileState): FileChange {
  return {
    uri: uri.toString(),
    before: from.content,
    ...(from.saved === undefined ? {} : { savedBefore: from.saved }),
    ...(from.mode === undefined ? {} : { modeBefore: from.mode }),
    after: to.content,
    ...(to.saved === undefined ? {} : { savedAfter: to.saved }),
  };
}

interface Step {
  readonly uri: vscode.Uri;
  readonly path: string;
  readonly now: FileState;
  readonly target: FileState;
  /** The contents of `target`; undefined for a file that does not exist. */
  readonly bytes: Uint8Array | undefined;
  readonly saved: Uint8Array | null | undefined;
  readonly isOther: boolean;
  /** True if a folder has the file's place. The file can be restored if the folder is empty. */
  readonly isFolder: boolean;
  /** The text was unsaved, so that it is stored in UTF-8 whatever the encoding of the file. */
  readonly isUnsavedText: boolean;
  readonly mode: number | undefined;
  readonly rewound: FilePlan["rewound"];
}

interface RewindDeps {
  readonly contents: StoredContents;
  /** For the contents that an undo restores. */
  readonly apart: StoredContents;
  readonly records: ChangeRecords;
}

/** The changes of one file. */
interface FilePlan {
  readonly first: FileChange;
  readonly last: FileChange;
  /** The mode before the last removal. */
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
  const contents: Pick<StoredContents, "get"> = {
    get: (name) => deps.apart.get(name).catch(() => deps.contents.get(name)),
  };
  const plan = new Map<string, FilePlan>();
  for (const change of changes) {
    const { first = change, mode, rewound = [] } = plan.get(change.uri) ?? {};
    const last = { last: change, mode: change.modeBefore ?? mode };
    plan.set(change.uri, { first, ...last, rewound: [...rewound, change.before] });
  }
  // All contents are read before anything is changed. A file that can't be rewound does not stop the others.
  const read = await Promise.all(
    [...plan].map(([key, one]) => stepOf(key, one, contents).catch((error: unknown) => ({ key, error }))),
  );
  const steps = read.filter((one) => "target" in one);
  const failed = read.filter((one) => "error" in one);
  if (failed[0] && steps.length === 0) throw failed[0].error;
  const others = steps.filter(({ isOther }) => isOther).map(({ path }) => path);
  const answer = others.length > 0 ? await ask(others) : "overwrite";
  if (answer === undefined) return undefined;
  const done: FileChange[] = [];
  const kept = failed.map(({ key }) => vscode.workspace.asRelativePath(vscode.Uri.parse(key)));
  if (answer === "keep") kept.push(...others);
  const chosen = steps.filter(({ isOther }) => answer !== "keep" || !isOther);
  // A file to remove may stand in the place of a folder, or be the one to restore under another spelling of its name.
  for (const step of chosen.toSorted((a, b) => Number(!!a.bytes) - Number(!!b.bytes))) {
    try {
      if (step.isFolder && !(await removeEmptyFolder(step.uri))) kept.push(step.path);
      else done.push(...(await carryOut(step, deps)));
    } catch (error) {
      return { changes: done, kept, failure: error instanceof Error ? error.message : String(error) };
    }
  }
  return { changes: done, kept };
}

/** The change that this step has made. None if the file already is in its former state. */
async function carryOut(step: Step, deps: RewindDeps): Promise<readonly FileChange[]> {
  const { contents, apart, records } = deps;
  const { uri, path, target, bytes } = step;
  const content = await readContent(uri, path, records.get(uri));
  const now = namesOf(content);
  if (isSameState(now, target)) return [];
  // A removal before this step may have removed it.
  if (content && isSameState(step.now, target)) return [];
  if (content && !isSameState(now, step.now)) throw new ToolRefusal(`${path} was changed during the rewind.`);
  await storedState(apart, content);
  const mode = target.content === null ? await modeOf(uri) : undefined;
  const record = records.syncedWith(uri, content);
  // An open document has another text afterwards.
  const before = content && textIn(content, path);
  await records.quietly(uri, async () => {
    await restore({ ...step, now });
    const { encoding } = content ?? {};
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
  return [toFileChange(uri, { ...now, mode }, await reached(step))];
}

/**
 * True if pending hunks are of changes before the rewound ones, and their original text is still known: nobody has accepted
 * or typed anything since the first of them. Then the restored text is one that the agent wrote over the same original.
 */
async function hasEarlierHunks(
  { isOther, rewound, target }: Step,
  { kind, hunks, original }: ChangeRecord,
  { encoding, before }: { readonly encoding: string | undefined; readonly before: string },
  contents: StoredContents,
): Promise<boolean> {
  if (isOther || kind !== "changed" || original === undefined || target.content === null) return false;
  if (rewound.includes(original)) return false;
  const bytes = await contents.get(original).catch(() => undefined);
  const text = bytes && (await shownText(encoding, bytes));
  return text !== undefined && hasSameLines(text, originalText(before, hunks));
}

async function stepOf(
  key: string,
  { first, last, mode, rewound }: FilePlan,
  contents: Pick<StoredContents, "get">,
): Promise<Step> {
  const uri = vscode.Uri.parse(key, true);
  const path = vscode.workspace.asRelativePath(uri);
  await checkChangeable(uri, path);
  const found = first.before === null ? undefined : await statOf(uri, path);
  const isFolder = found !== undefined && (found.type & vscode.FileType.Directory) > 0;
  const now = namesOf(isFolder ? undefined : await readContent(uri, path));
  const isOther = now.content !== last.after && now.content !== first.before;
  // Text that was unsaved is unsaved again, unless the user has saved it since.
  const wasSaved = fileOf(now) !== fileOf({ content: last.after, saved: last.savedAfter });
  const target: FileState =
    first.savedBefore === undefined || wasSaved
      ? { content: first.before }
      : { content: first.before, saved: first.savedBefore };
  const bytes = target.content === null ? undefined : await contents.get(target.content);
  const saved = typeof target.saved === "string" ? await contents.get(target.saved) : target.saved;
  const isUnsavedText = first.savedBefore !== undefined;
  return { uri, path, now, target, bytes, saved, isOther, isFolder, isUnsavedText, mode, rewound };
}

/** The state after a step. An editor gives restored unsaved text its own line ends and byte order mark. */
async function reached({ uri, path, target, bytes }: Step): Promise<FileState> {
  if (target.saved === undefined || !bytes) return target;
  const content = await readContent(uri, path).catch(() => undefined);
  const isSame = content?.saved !== undefined && hasSameLines(decoded(content.bytes), decoded(bytes));
  // Text that the user has typed since is not part of it.
  return isSame ? { ...target, content: nameOf(content.bytes) } : target;
}

export function nameOf(bytes: Uint8Array): string {
  return blobNameOf(bytes, extension);
}

/** The names of the contents of a file. */
export function namesOf(content: Content | undefined): FileState {
  if (!content) return { content: null };
  const { bytes, saved } = content;
  const state = { content: nameOf(bytes) };
  return saved === undefined ? state : { ...state, saved: saved && nameOf(saved) };
}

/** The name of the file on disk. */
function fileOf({ content, saved }: { content: string | null; saved?: string | null | undefined }) {
  return saved === undefined ? content : saved;
}

function isSameState(one: FileState, other: FileState): boolean {
  return one.content === other.content && one.saved === other.saved;
}

async function restore(step: Step): Promise<void> {
  const { uri, path, now, target, bytes, saved, isUnsavedText, mode } = step;
  const file = saved === undefined ? bytes : saved;
  if (fileOf(now) !== fileOf(target) || saved === undefined)
    await restoreFile(uri, path, file ?? undefined, {
      isUnsavedText: saved === undefined && isUnsavedText,
      mode,
    });
  if (saved === undefined || !bytes) return;
  if (saved === null && !documentOf(uri)) return replaceFile(uri, path, bytes);
  const document = documentOf(uri) ?? (await vscode.workspace.openTextDocument(uri));
  await changeUnlessTyped(document, path, decoded(bytes));
}

/**
 * Restores a file byte for byte, or deletes it without a content. An open document takes the text first, so that its
 * editor does not show a conflict.
 */
export async function restoreFile(
  uri: vscode.Uri,
  path: string,
  bytes: Uint8Array | undefined,
  {
    isUnsavedText = false,
    mode,
  }: { readonly isUnsavedText?: boolean; readonly mode?: number | undefined } = {},
): Promise<void> {
  const content = await readContent(uri, path);
  const isText = !bytes || content?.encoding !== undefined || isUtf8(bytes);
  // An open document that shows other bytes as text would write others. Without unsaved text, it follows the file.
  const document = isText || content?.saved !== undefined ? content?.document : undefined;
  const stored = bytes ?? content?.saved;
  const text = stored && (isUnsavedText ? decoded(stored) : await shownText(content?.encoding, stored));
  if (document && (bytes || document.isDirty)) {
    const before = document.getText();
    if (text !== undefined && text !== null) await changeUnlessTyped(document, path, text);
    else if (bytes && document.isDirty)
      throw new ToolRefusal(
        `${path} has unsaved text, and its former content is no text in ${document.encoding}.`,
      );
    if (document.isDirty && !(await document.save())) {
      await changeOpen(document, document.getText(), before);
      throw new ToolRefusal(`${path} could not be saved: its file is newer than the text in the editor.`);
    }
  }
  // The editor has written the text in its encoding.
  if (isUnsavedText && content?.encoding !== undefined) return;
  const found = await statOf(uri, path);
  if (!bytes) return found && (await removeFile(uri, path));
  const now = found && (await vscode.workspace.fs.readFile(uri));
  if (!now || Buffer.compare(now, bytes) !== 0) await replaceFile(uri, path, bytes, { mode });
}

async function changeUnlessTyped(document: vscode.TextDocument, path: string, text: string): Promise<void> {
  if (!(await changeOpen(document, document.getText(), text)))
    throw new ToolRefusal(`${path} was changed during the rewind.`);
}
