import * as vscode from "vscode";
import { encodingOf } from "./files/contents.ts";
import { documentOf } from "./files/openEditors.ts";
import { afterUserEdit, toLineChange } from "./hunkList.ts";
import { type ChangeRecord, settledKind, shownIn, withoutReplaced } from "./records/changeRecord.ts";

/** The records that follow what the user does in the editor. */
export interface FollowedRecords {
  get(uri: vscode.Uri): ChangeRecord | undefined;
  /** The records of a file, or of all files in a folder. */
  below(place: vscode.Uri): readonly ChangeRecord[];
  /** True while an agent changes the file. */
  isQuiet(uri: vscode.Uri): boolean;
  /** True while a program of an agent runs: what it changes in files is not the user's. */
  hasProgram(): boolean;
  synced(uri: vscode.Uri): Promise<unknown>;
  forget(uri: vscode.Uri): void;
  set(record: ChangeRecord, text?: string): void;
  /** The same, but written some time later. */
  put(record: ChangeRecord): void;
  /** The same hunks in another form of their text. */
  refer(record: ChangeRecord): void;
  /** Others have changed the text of a record, whose hunks refer to `before`. */
  followText(record: ChangeRecord, before: string, text: string): void;
  /** The stored text is another one, below the same hunks. */
  textChanged(uri: vscode.Uri): void;
}

/** Tells records what the user types, saves, opens and closes. */
export class FollowedDocuments implements vscode.Disposable {
  readonly #records: FollowedRecords;
  /** The texts of open files with records as long as they are saved. */
  readonly #saved = new WeakMap<vscode.TextDocument, string>();
  readonly #subscriptions: vscode.Disposable;

  constructor(records: FollowedRecords, report: (error: unknown) => void) {
    this.#records = records;
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#close(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.#save(document)),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        if (records.get(uri) && !records.hasProgram())
          void records.synced(uri).then(() => this.noteSaved(uri), report);
      }),
      vscode.workspace.onDidDeleteFiles(({ files }) => {
        for (const { uri, kind } of files.flatMap((place) => records.below(place)))
          if (kind !== "deleted" && !records.isQuiet(uri)) records.forget(uri);
      }),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.#rename(oldUri, newUri);
      }),
    );
  }

  /** Notes the text of an open file if it is saved. */
  noteSaved(uri: vscode.Uri): void {
    const document = documentOf(uri);
    if (document?.isDirty) this.#saved.delete(document);
    else if (document) this.#saved.set(document, document.getText());
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const records = this.#records;
    const record = this.#textRecord(document);
    if (!record || records.isQuiet(document.uri) || contentChanges.length === 0) return;
    const before = record.known ?? (document.isDirty ? undefined : this.#saved.get(document));
    // The editor reads a file that a program has changed. Its change is recorded when the program has ended.
    if (before !== undefined && !document.isDirty && records.hasProgram()) {
      records.refer({ ...record, known: before });
      return;
    }
    if (before !== undefined) {
      const isBehind = record.known !== undefined || record.encoding !== encodingOf(document);
      if (!document.isDirty && isBehind) this.#readAgain({ ...record, known: before });
      // The editor reads a changed file as one edit from its first to its last difference, which may span hunks.
      else records.followText(record, before, document.getText());
      return;
    }
    this.#saved.delete(document);
    const changes = contentChanges.map(({ range, text }) => toLineChange(range, text));
    const hunks = afterUserEdit(record.hunks, changes);
    const kind = settledKind(record);
    if (hunks !== record.hunks || kind !== record.kind) records.put({ ...record, kind, hunks });
    else records.textChanged(document.uri);
  }

  /**
   * Compares the record with the file, because the document may show another text. The editor reads a file some time after each
   * change, so the document may be older than the last change. In another encoding, it shows the same bytes as another text.
   */
  #readAgain(record: ChangeRecord): void {
    this.#records.refer(record);
    void this.#records.synced(record.uri).catch(() => {}); // checked again by the next use
  }

  /** An editor shows the file to which a link leads, and no change of the link. */
  #textRecord({ uri }: vscode.TextDocument): ChangeRecord | undefined {
    const record = this.#records.get(uri);
    return record?.kind === "linked" ? undefined : record;
  }

  /** The user may have chosen another encoding for the file. */
  #save(document: vscode.TextDocument): void {
    const record = this.#textRecord(document);
    if (!record) return;
    const isOther = record.known === undefined && record.encoding !== encodingOf(document);
    if (isOther) this.#records.refer(shownIn(record, document));
    this.noteSaved(document.uri);
  }

  /** From now on, changes are found by comparing texts. */
  #close(document: vscode.TextDocument): void {
    const record = this.#textRecord(document);
    if (record && record.known === undefined)
      this.#records.refer({ ...shownIn(record, document), known: document.getText() });
  }

  #rename(from: vscode.Uri, to: vscode.Uri): void {
    const records = this.#records;
    for (const record of records.below(from)) {
      if (records.isQuiet(record.uri)) continue;
      // The renamed file was another one than the deleted one.
      if (record.kind === "deleted" && record.uri.toString() === from.toString()) continue;
      const uri = to.with({ path: to.path + record.uri.path.slice(from.path.length) });
      const known = record.known ?? documentOf(record.uri)?.getText();
      records.forget(record.uri);
      records.set({ ...withoutReplaced(record), uri, path: vscode.workspace.asRelativePath(uri) }, known);
    }
  }
}
