import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { type BlobStore, blobNameOf, createBlobStore } from "../../platform/blobStore.ts";
import { ToolRefusal } from "../tools/serviceTool.ts";
import { changeableUri, checkChangeable } from "./changeablePlace.ts";
import {
  type ChangeRecord,
  type ChangeRecords,
  type ChangeRecordsDeps,
  createChangeRecords,
} from "./changeRecords.ts";
import {
  type Content,
  changeOpen,
  contentText,
  documentOf,
  moveFile,
  readContent,
  removeFile,
  replaceFile,
} from "./contents.ts";
import { afterAgentEdit, originalText, rejectedHunk } from "./hunkList.ts";
import type {
  AgentWriter,
  AskAboutOthers,
  ChangedFile,
  FileChange,
  PendingChanges,
  Rewound,
} from "./pendingChanges.ts";
import { inFormOf, replaceText } from "./replaceText.ts";

export interface EditorChangesDeps extends ChangeRecordsDeps {
  /** Absolute path of the folder with the contents that conversations refer to. */
  readonly blobs: string;
}

export function createEditorChanges(deps: EditorChangesDeps): PendingChanges {
  return new EditorChanges(deps);
}

const extension = "file";

class EditorChanges implements PendingChanges {
  readonly #contents: BlobStore;
  readonly #records: ChangeRecords;
  #last: Promise<unknown> = Promise.resolve();
  readonly writer: AgentWriter;

  constructor(deps: EditorChangesDeps) {
    this.#contents = createBlobStore(deps.blobs);
    this.#records = createChangeRecords(deps);
    this.writer = {
      edit: (path, replacements, signal) =>
        this.#inTurn(signal, () =>
          this.#put(path, (text) => replaceText(path, needed(text, path), replacements)),
        ),
      write: (path, text, signal) =>
        this.#inTurn(signal, () => this.#put(path, (former) => inFormOf(former, text))),
      move: (from, to, signal) => this.#inTurn(signal, () => this.#move(from, to)),
      remove: (path, signal) => this.#inTurn(signal, () => this.#remove(path)),
    };
  }

  get files(): readonly ChangedFile[] {
    return this.#records.files;
  }

  get onDidChange(): vscode.Event<void> {
    return this.#records.onDidChange;
  }

  fileOf(uri: vscode.Uri): ChangedFile | undefined {
    const key = uri.toString();
    return this.#records.files.find((file) => file.uri.toString() === key);
  }

  async originalOf(uri: vscode.Uri): Promise<Uint8Array | undefined> {
    const record = this.#records.get(uri);
    if (record?.kind === "created") return undefined;
    if (record?.kind === "deleted") return this.#content(record.original);
    const content = await readContent(uri, uri.path);
    if (!content || !record) return content?.bytes;
    return new TextEncoder().encode(originalText(contentText(content, record.path), record.hunks));
  }

  accept(uri: vscode.Uri, hunkId?: string): Promise<void> {
    return this.#inTurn(undefined, async () => {
      const record = this.#records.get(uri);
      if (!record) return;
      const hunks = hunkId === undefined ? [] : record.hunks.filter(({ id }) => id !== hunkId);
      this.#records.set({ ...record, hunks, ...(hunks.length === 0 ? { kind: "changed" } : {}) });
    });
  }

  reject(uri: vscode.Uri, hunkId?: string): Promise<void> {
    return this.#inTurn(undefined, async () => {
      const record = await this.#records.synced(uri);
      if (!record) return;
      await checkChangeable(uri, record.path);
      if (record.kind === "created") {
        await removeFile(uri, record.path);
        return this.#records.forget(uri);
      }
      if (record.kind === "deleted") {
        if (await readContent(uri, record.path))
          throw new ToolRefusal(`${record.path} exists again, so the deleted file was not restored.`);
        await replaceFile(uri, record.path, await this.#content(record.original));
        return this.#records.forget(uri);
      }
      const content = await readContent(uri, record.path);
      if (!content) return this.#records.forget(uri);
      const text = contentText(content, record.path);
      const left =
        hunkId === undefined
          ? { text: originalText(text, record.hunks), hunks: [] }
          : rejectedHunk(text, record.hunks, hunkId);
      if (!left) return;
      await this.#records.quietly(uri, () => this.#writeText(uri, record.path, content, left.text));
      if (hunkId === undefined && record.movedFrom !== undefined) await this.#moveBack(record);
      else this.#records.set({ ...record, hunks: left.hunks }, left.text);
    });
  }

  rewind(changes: readonly FileChange[], ask: AskAboutOthers): Promise<Rewound | undefined> {
    return this.#inTurn(undefined, () => this.#rewind(changes, ask));
  }

  dispose(): void {
    this.#records.dispose();
  }

  /** One change at a time: each reads what the one before wrote. */
  #inTurn<Value>(signal: AbortSignal | undefined, work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(async () => {
      signal?.throwIfAborted();
      await this.#records.loaded;
      return work();
    });
    this.#last = done.catch(() => {});
    return done;
  }

  async #put(path: string, change: (text: string | undefined) => string): Promise<FileChange> {
    const uri = await changeableUri(path);
    const content = await readContent(uri, path);
    const before = content && contentText(content, path);
    const after = change(before);
    const record = await this.#records.synced(uri);
    const name = content ? await this.#store(content.bytes) : null;
    if (content && before === after) return { uri: uri.toString(), before: name, after: name };
    await this.#records.quietly(uri, async () => {
      if (content) await this.#writeText(uri, path, content, after);
      else await replaceFile(uri, path, new TextEncoder().encode(after));
    });
    const now = await readContent(uri, path);
    const text = now ? contentText(now, path) : after;
    // A deleted file that is written again has changed; its text before the deletion is what a rejection restores.
    const former = record?.kind === "deleted" ? decoded(await this.#content(record.original)) : before;
    const kind =
      former === undefined ? "created" : record?.kind === "deleted" ? "changed" : (record?.kind ?? "changed");
    const hunks = afterAgentEdit(
      record?.kind === "deleted" ? [] : (record?.hunks ?? []),
      former ?? "",
      text,
      randomUUID,
    );
    this.#records.set({ ...record, uri, path, kind, hunks }, text);
    return { uri: uri.toString(), before: name, after: await this.#store(now?.bytes ?? new Uint8Array()) };
  }

  async #writeText(uri: vscode.Uri, path: string, { document }: Content, text: string): Promise<void> {
    if (document) await changeOpen(document, text);
    else await replaceFile(uri, path, new TextEncoder().encode(text));
  }

  async #remove(path: string): Promise<FileChange> {
    const uri = await changeableUri(path);
    const content = await readContent(uri, path);
    if (!content) throw new ToolRefusal(`There is no file ${path}.`);
    if (content.document?.isDirty)
      throw new ToolRefusal(`${path} was not deleted, because it has unsaved changes of the user.`);
    const record = await this.#records.synced(uri);
    const before = await this.#store(content.bytes);
    const original = record ? await this.originalOf(uri) : content.bytes;
    await removeFile(uri, path);
    if (original === undefined) this.#records.forget(uri);
    else this.#records.set({ uri, path, kind: "deleted", hunks: [], original: await this.#store(original) });
    return { uri: uri.toString(), before, after: null };
  }

  async #move(from: string, to: string): Promise<readonly FileChange[]> {
    const [source, target] = [await changeableUri(from), await changeableUri(to)];
    const content = await readContent(source, from);
    if (!content) throw new ToolRefusal(`There is no file ${from}.`);
    if (await readContent(target, to)) throw new ToolRefusal(`${to} exists, so ${from} was not moved.`);
    const record = await this.#records.synced(source);
    const name = await this.#store(content.bytes);
    await this.#records.quietly(source, () =>
      moveFile(source, target, `${from} could not be moved to ${to}`),
    );
    const moved: ChangeRecord = record
      ? { ...record, uri: target, path: to, kind: record.kind === "created" ? "created" : "moved" }
      : { uri: target, path: to, kind: "moved", hunks: [] };
    this.#records.forget(source);
    this.#records.set(
      moved.kind === "created" ? moved : { ...moved, movedFrom: record?.movedFrom ?? from },
      content.document?.getText(),
    );
    return [
      { uri: source.toString(), before: name, after: null },
      { uri: target.toString(), before: null, after: name },
    ];
  }

  async #moveBack({ uri, path, movedFrom = "" }: ChangeRecord): Promise<void> {
    const target = await changeableUri(movedFrom);
    await this.#records.quietly(uri, () =>
      moveFile(uri, target, `${path} could not be moved back to ${movedFrom}`),
    );
    this.#records.forget(uri);
  }

  async #rewind(changes: readonly FileChange[], ask: AskAboutOthers): Promise<Rewound | undefined> {
    const plan = new Map<string, { readonly before: string | null; readonly after: string | null }>();
    for (const { uri, before, after } of changes)
      plan.set(uri, { before: plan.has(uri) ? (plan.get(uri)?.before ?? null) : before, after });
    const steps = await Promise.all(
      [...plan].map(async ([key, { before, after }]) => {
        const uri = vscode.Uri.parse(key, true);
        const path = vscode.workspace.asRelativePath(uri);
        await checkChangeable(uri, path);
        const content = await readContent(uri, path);
        const now = content ? blobNameOf(content.bytes, extension) : null;
        // Read before anything is changed, so that a missing content stops the rewind as a whole.
        const bytes = before === null ? undefined : await this.#content(before);
        return { uri, path, before, now, bytes, isOther: now !== after && now !== before };
      }),
    );
    const others = steps.filter(({ isOther }) => isOther).map(({ path }) => path);
    const answer = others.length > 0 ? await ask(others) : "overwrite";
    if (answer === undefined) return undefined;
    const wanted = steps.filter(({ isOther }) => !isOther || answer === "overwrite");
    const done: FileChange[] = [];
    const kept = answer === "keep" ? others : [];
    for (const { uri, path, before, now, bytes } of wanted) {
      if (now === before) continue;
      try {
        const content = await readContent(uri, path);
        if ((content ? blobNameOf(content.bytes, extension) : null) !== now)
          throw new ToolRefusal(`${path} was changed during the rewind.`);
        if (content) await this.#store(content.bytes);
        await this.#records.quietly(uri, () => this.#restore(uri, path, content, bytes));
      } catch (error) {
        return { changes: done, kept, failure: error instanceof Error ? error.message : String(error) };
      }
      this.#records.forget(uri);
      done.push({ uri: uri.toString(), before: now, after: before });
    }
    return { changes: done, kept };
  }

  /** Byte for byte: a document takes the text first, so that its editor does not show a conflict. */
  async #restore(
    uri: vscode.Uri,
    path: string,
    content: Content | undefined,
    bytes: Uint8Array | undefined,
  ): Promise<void> {
    if (bytes === undefined) return content && (await removeFile(uri, path));
    const document = documentOf(uri);
    if (document && content) {
      await changeOpen(document, decoded(bytes).replace(/^\ufeff/, ""));
      if (document.isDirty) await document.save();
    }
    const now = await readContent(uri, path);
    if (!now || blobNameOf(now.bytes, extension) !== blobNameOf(bytes, extension))
      await replaceFile(uri, path, bytes);
  }

  #store(bytes: Uint8Array): Promise<string> {
    return this.#contents.put(bytes, extension);
  }

  async #content(name: string | undefined): Promise<Uint8Array> {
    const bytes = name === undefined ? undefined : await this.#contents.read(name);
    if (bytes) return bytes;
    throw new ToolRefusal("The former content of a file is no longer stored, so nothing was changed.");
  }
}

function needed(text: string | undefined, path: string): string {
  if (text === undefined) throw new ToolRefusal(`There is no file ${path}. Write it with write_file.`);
  return text;
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
