import type { AnswerSource } from "../../../../shared/chat/answerSource.ts";
import type { AttachmentKind, AttachRequest, Mention } from "../../../../shared/chat/chatAttachments.ts";
import type { WorkspaceFacts } from "../../start/starters.ts";

/** A text from the editor. */
export interface FoundText {
  readonly kind: Exclude<AttachmentKind, "image" | "document">;
  /** Path in the workspace, or another name for display. */
  readonly name: string;
  readonly detail?: string;
  readonly uri?: string;
  /** Its first line in the file, counted from 1. */
  readonly line?: number;
  readonly languageId?: string;
  readonly text: string;
  readonly source?: AnswerSource;
}

/** A file's bytes; for a large file only the beginning, which is enough to detect its type. */
export interface SourceFile {
  readonly kind: "bytes";
  readonly name: string;
  readonly uri: string;
  /** The path after links are resolved; undefined if it is on no disk. */
  readonly realPath?: string;
  readonly languageId?: string;
  readonly bytes: Uint8Array;
  /** Size of the whole file. */
  readonly size: number;
}

/** Sources of attachments. A failure is a sentence that says what is missing and what to do. */
export interface EditorSources {
  find(request: AttachRequest, signal: AbortSignal): Promise<FoundText | SourceFile | string>;
  /** The display name of a file or folder, before it is read. */
  nameOf(uri: string): string;
  /** Suggestions for the text after `@`, best first. */
  suggest(query: string, signal: AbortSignal): Promise<readonly Mention[]>;
  /** Asks the user what to attach. */
  pick(): Promise<readonly AttachRequest[]>;
  confirm(sentence: string, button: string): Promise<boolean>;
  /** False if the settings say that the service reads documents, which is billed. */
  readsDocumentsHere(): boolean;
  /** The password of a locked document. `isWrong`: the one before did not open it. Undefined if the user gives none. */
  askPassword(name: string, isWrong: boolean): Promise<string | undefined>;
  /** The open file, selection, problems and folder. Reads no file. */
  facts(): WorkspaceFacts;
  onDidChangeFacts(listener: () => void): { dispose(): void };
}
