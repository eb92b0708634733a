import type { AttachmentKind, AttachRequest, Mention } from "../../../shared/chatAttachments.ts";
import type { WorkspaceFacts } from "../starters.ts";

/** A text that the editor has at hand. */
export interface FoundText {
  readonly kind: Exclude<AttachmentKind, "image" | "document">;
  /** Path in the workspace, or what else people know it by. */
  readonly name: string;
  readonly detail?: string;
  readonly uri?: string;
  /** Its first line there, counted from 1. */
  readonly line?: number;
  readonly languageId?: string;
  readonly text: string;
}

/** A file as it is; of a large one just its beginning, enough to tell what it is. */
export interface SourceFile {
  readonly kind: "bytes";
  readonly name: string;
  readonly uri: string;
  /** Where it really lies once links are followed; undefined where it is on no disk. */
  readonly realPath?: string;
  readonly languageId?: string;
  readonly bytes: Uint8Array;
  /** Of the whole file. */
  readonly size: number;
}

/** What an editor can give to a question. What is not there is a sentence that says so, with what to do. */
export interface EditorSources {
  find(request: AttachRequest, signal: AbortSignal): Promise<FoundText | SourceFile | string>;
  /** How a file or folder is called, before it is read. */
  nameOf(uri: string): string;
  /** What could be meant by the text after `@`, best first. */
  suggest(query: string, signal: AbortSignal): Promise<readonly Mention[]>;
  /** Asks the user what to attach. */
  pick(): Promise<readonly AttachRequest[]>;
  confirm(sentence: string, button: string): Promise<boolean>;
  /** The open file, selection, problems and folder. Reads no file. */
  facts(): WorkspaceFacts;
  onDidChangeFacts(listener: () => void): { dispose(): void };
}
