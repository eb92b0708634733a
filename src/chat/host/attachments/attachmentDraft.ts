import { randomUUID } from "node:crypto";
import { uploadFromBytes } from "../../../api/call/body/upload.ts";
import { isApiError } from "../../../api/errors/errors.ts";
import { documentWords, isLockedDocument } from "../../../platform/documentWords.ts";
import { explain } from "../../../platform/errors/errorMessage.ts";
import type { BlobStore } from "../../../platform/files/blobStore.ts";
import { type DocumentText, readDocument, withPassword } from "../../../session/documents/readDocument.ts";
import type { Session } from "../../../session/session.ts";
import {
  type Attachment,
  type AttachmentKind,
  type AttachRequest,
  type DocumentMode,
  maxImageBytes,
  maxImagePixels,
} from "../../../shared/chat/chatAttachments.ts";
import { estimateTokens } from "../../../shared/chat/tokenEstimate.ts";
import { looksSecret } from "../../../shared/secretFiles.ts";
import { fileName } from "../../../shared/text/fileName.ts";
import { isLocalModel } from "../../../shared/web/modelServer.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import {
  type AttachmentReader,
  AttachmentRefused,
  createAttachmentReader,
} from "./content/readAttachment.ts";
import type { EditorSources, FoundText } from "./sources/sources.ts";

export interface AttachmentDraftDeps {
  readonly chat: Pick<LiveChat, "state" | "set" | "tree">;
  readonly session: Pick<Session, "active" | "client" | "documents">;
  readonly blobs: BlobStore;
  readonly editor: EditorSources;
  readonly report: (error: unknown) => void;
}

/** Attachments of the question that is being written. */
export interface AttachmentDraft {
  attach(request: AttachRequest): Promise<void>;
  /** Adds a file that was pasted or dropped. */
  addFile(name: string, bytes: Uint8Array): Promise<void>;
  /** Makes an attachment that is not added to the draft. */
  make(found: FoundText): Promise<Attachment>;
  /** Adds a text from another feature. */
  addText(found: FoundText): Promise<void>;
  remove(id: string): void;
  /** Sends a document unchanged, or has the service extract its text first, which is billed. */
  setMode(id: string, mode: DocumentMode): Promise<void>;
  /** Has the text of all documents extracted. Resolves to false if one can't be read; a notice says why. */
  allAsText(): Promise<boolean>;
  /** A view has scaled an image down, or turned it upright; empty if it could not. */
  scaled(id: string, bytes: Uint8Array): Promise<void>;
  suggest(query: string): Promise<void>;
  /** An attachment of the draft or of a sent question. */
  find(id: string): Attachment | undefined;
  dispose(): void;
}

const maxAttachments = 20;

export function createAttachmentDraft(deps: AttachmentDraftDeps): AttachmentDraft {
  return new QuestionAttachments(deps);
}

class QuestionAttachments implements AttachmentDraft {
  readonly #deps: AttachmentDraftDeps;
  readonly #chat: AttachmentDraftDeps["chat"];
  readonly #reader: AttachmentReader;
  readonly #disposed = new AbortController();
  #suggesting = new AbortController();
  /** Documents that this machine can't read, by id. The service may, such as scanned pages. */
  readonly #unreadHere = new Set<string>();

  constructor(deps: AttachmentDraftDeps) {
    this.#deps = deps;
    this.#chat = deps.chat;
    this.#reader = createAttachmentReader(deps.blobs);
  }

  attach(request: AttachRequest): Promise<void> {
    const { editor } = this.#deps;
    if (request.kind === "uri")
      return this.#add("file", editor.nameOf(request.uri), async (id) => {
        await this.#confirmSecret(pathOf(request.uri));
        return this.#read(id, request);
      });
    const kind = request.kind === "code" ? "editor" : request.kind;
    return this.#add(kind, names[request.kind], (id) => this.#read(id, request));
  }

  addFile(name: string, bytes: Uint8Array): Promise<void> {
    return this.#add("file", name, async (id) => {
      await this.#confirmSecret(name);
      return this.#fromFile(id, { kind: "bytes", name, bytes, size: bytes.byteLength });
    });
  }

  find(id: string): Attachment | undefined {
    const questions = [...this.#chat.tree.nodes].flatMap((node) => (node.role === "user" ? [node] : []));
    return [this.#chat.state, ...questions]
      .flatMap(({ attachments = [] }) => attachments)
      .find((one) => one.id === id);
  }

  make(found: FoundText): Promise<Attachment> {
    return this.#reader.fromText(randomUUID(), found);
  }

  addText(found: FoundText): Promise<void> {
    return this.#add(found.kind, found.name, (id) => this.#reader.fromText(id, found));
  }

  remove(id: string): void {
    if (this.#get(id))
      this.#chat.set({ attachments: this.#chat.state.attachments.filter((one) => one.id !== id) });
  }

  async setMode(id: string, way: DocumentMode): Promise<void> {
    const document = this.#get(id);
    if (document?.kind !== "document" || document.pending) return;
    if (way === "file" || document.textBlob !== undefined) return this.#replace({ ...document, way });
    this.#replace({ ...document, pending: "parsing" });
    try {
      this.#replace(await this.#parse(document));
    } catch (error) {
      this.#replace(document);
      if (!this.#disposed.signal.aborted) this.#notify(this.#documentProblem(document.name, error));
    }
  }

  async allAsText(): Promise<boolean> {
    const documents = () => this.#chat.state.attachments.filter(({ kind }) => kind === "document");
    for (const { id } of documents()) await this.setMode(id, "text");
    return documents().every(({ way, pending }) => way === "text" && pending === undefined);
  }

  async scaled(id: string, bytes: Uint8Array): Promise<void> {
    const image = this.#get(id);
    if (image?.pending !== "scaling") return;
    const { name, uri } = image;
    const found = { name, bytes, ...(uri === undefined ? {} : { uri }) };
    const small = await this.#reader.fromImage(id, found).catch(() => undefined);
    if (small && !small.pending) {
      const isScaled = small.width !== image.width || small.height !== image.height;
      const scaled =
        isScaled && image.width !== undefined
          ? { detail: `${small.detail}, scaled down from ${image.detail}` }
          : {};
      return this.#replace({ ...small, ...scaled });
    }
    this.remove(id);
    const isTooLarge =
      (image.width ?? 0) * (image.height ?? 0) > maxImagePixels || image.bytes > maxImageBytes;
    const reason = isTooLarge
      ? "it is too large and could not be scaled down."
      : image.mediaType === "image/jpeg"
        ? "it is a rare kind of JPEG that can't be drawn here. Save it as a usual JPEG (RGB, 8 bits) or as PNG."
        : "it can't be drawn here; it may be damaged. Save it as JPEG or PNG.";
    this.#notify(`${name} was not attached: ${reason}`);
  }

  async suggest(query: string): Promise<void> {
    this.#suggesting.abort();
    this.#suggesting = new AbortController();
    const { signal } = this.#suggesting;
    const items = await this.#deps.editor.suggest(query, signal).catch(() => []);
    if (!signal.aborted) this.#chat.set({ mentions: { query, items } });
  }

  dispose(): void {
    this.#disposed.abort();
    this.#suggesting.abort();
  }

  /** Shows a placeholder at once, then the attachment or the reason of the failure. */
  async #add(kind: AttachmentKind, name: string, read: (id: string) => Promise<Attachment>): Promise<void> {
    const { attachments } = this.#chat.state;
    if (attachments.length >= maxAttachments)
      return this.#notify(`A question can have ${maxAttachments} attachments. Remove one to add another.`);
    const id = randomUUID();
    const placeholder = { id, kind, name, mediaType: "", bytes: 0, tokens: null, blob: "" };
    this.#chat.set({
      attachments: [...attachments, { ...placeholder, pending: "reading" }],
      attachmentNotice: null,
    });
    try {
      const attachment = await read(id);
      if (this.#isDuplicate(attachment)) this.remove(id);
      else this.#replace(attachment);
    } catch (error) {
      this.remove(id);
      if (!this.#disposed.signal.aborted)
        this.#notify(error instanceof AttachmentRefused ? error.message : this.#explain(error));
    }
  }

  /** Reads a source in the editor. */
  async #read(id: string, request: AttachRequest): Promise<Attachment> {
    const found = await this.#deps.editor.find(request, this.#disposed.signal);
    if (typeof found === "string") throw new AttachmentRefused(found);
    if (request.kind !== "uri" && found.uri !== undefined) await this.#confirmSecret(pathOf(found.uri));
    if (found.kind !== "bytes") return this.#reader.fromText(id, found);
    // The link's target looks like a secret, but its own name does not, so nobody has confirmed it.
    if (found.realPath !== undefined && !looksSecret(pathOf(found.uri)))
      await this.#confirmSecret(found.realPath);
    return this.#fromFile(id, found);
  }

  /**
   * A document becomes text at once if it is for a model on this machine, of which none takes files. Otherwise its text is
   * at hand if it costs nothing, and the number of its tokens is known.
   */
  async #fromFile(id: string, found: Parameters<AttachmentReader["fromFile"]>[1]): Promise<Attachment> {
    const made = await this.#reader.fromFile(id, found);
    const isFree = this.#deps.editor.readsDocumentsHere();
    if (made.kind !== "document" || !(this.#isForLocalModel || isFree)) return made;
    this.#replace({ ...made, pending: "parsing" });
    try {
      const parsed = await this.#parse(made);
      return this.#isForLocalModel ? parsed : { ...parsed, way: "file" };
    } catch (error) {
      this.#deps.report(error);
      const unreadable = isApiError(error) ? documentWords(made.name, error) : undefined;
      if (unreadable !== undefined && (this.#isForLocalModel || isLockedDocument(error)))
        throw new AttachmentRefused(`${unreadable} It was not attached.`);
      this.#unreadHere.add(id);
      // The sandbox reads a file that is sent.
      return made;
    }
  }

  get #isForLocalModel(): boolean {
    const { modelId, compareIds } = this.#chat.state;
    const isSandbox = this.#deps.session.active?.kind === "sandbox";
    return isSandbox && [modelId ?? "", ...compareIds].some(isLocalModel);
  }

  /** Throws AttachmentRefused if the file looks like a secret and the user does not confirm it. */
  async #confirmSecret(path: string): Promise<void> {
    if (!looksSecret(path)) return;
    const name = fileName(path);
    const reason = `${name} looks like a file of keys or passwords`;
    const service = this.#chat.state.service?.name ?? "the service";
    const isConfirmed = await this.#deps.editor.confirm(
      `${reason}. If you attach it, it is sent to ${service}.`,
      "Attach Anyway",
    );
    if (!isConfirmed) throw new AttachmentRefused(`${reason} and was not attached.`);
  }

  /** The document with its text: from this machine, or from the service (spec E9) if the settings say so. */
  async #parse(document: Attachment): Promise<Attachment> {
    const { blobs } = this.#deps;
    const bytes = await blobs.read(document.blob);
    if (!bytes) throw new Error(`the content of ${document.name} is missing`);
    const isForService = !this.#deps.editor.readsDocumentsHere() || this.#unreadHere.has(document.id);
    const { text, tokens } = await (isForService
      ? this.#parsedByService(document, bytes)
      : this.#readHere(document.name, bytes));
    const textBlob = await blobs.put(text, "txt");
    return { ...document, way: "text", textBlob, tokens: Math.max(tokens, estimateTokens(text)) };
  }

  /** A locked file is read on this machine, because its password goes nowhere. */
  async #parsedByService({ name, mediaType }: Attachment, bytes: Uint8Array): Promise<DocumentText> {
    const { api } = await this.#deps.session.client({ kind: "chat" });
    const file = uploadFromBytes(name, mediaType, bytes);
    try {
      return await api.augment.parse({ file }, { signal: this.#disposed.signal });
    } catch (error) {
      if (!isLockedDocument(error)) throw error;
      return this.#readHere(name, bytes);
    }
  }

  /** Asks for the password of a locked PDF, until one opens it or the user gives up. */
  async #readHere(name: string, bytes: Uint8Array): Promise<DocumentText> {
    const { signal } = this.#disposed;
    return withPassword(
      (password) =>
        readDocument(this.#deps.session, { bytes, ...(password === undefined ? {} : { password }) }, signal),
      (isWrong) => this.#deps.editor.askPassword(name, isWrong),
    );
  }

  #get(id: string): Attachment | undefined {
    return this.#chat.state.attachments.find((one) => one.id === id);
  }

  /** Replaces the attachment of the same id; does nothing if it was removed meanwhile. */
  #replace(next: Attachment): void {
    if (this.#get(next.id))
      this.#chat.set({
        attachments: this.#chat.state.attachments.map((one) => (one.id === next.id ? next : one)),
      });
  }

  #isDuplicate({ id, blob, name }: Attachment): boolean {
    return this.#chat.state.attachments.some(
      (one) => one.id !== id && one.blob === blob && one.name === name,
    );
  }

  #notify(attachmentNotice: string): void {
    this.#chat.set({ attachmentNotice });
  }

  #documentProblem(name: string, error: unknown): string {
    const known = isApiError(error) ? documentWords(name, error) : undefined;
    return known ?? this.#explain(error);
  }

  #explain(error: unknown): string {
    this.#deps.report(error);
    return explain(error, { service: this.#deps.session.active?.name ?? "The service" }).sentence;
  }
}

const names = {
  selection: "Selection",
  editor: "Active editor",
  code: "Active editor",
  problems: "Problems",
  terminal: "Terminal selection",
} as const;

function pathOf(uri: string): string {
  try {
    return decodeURIComponent(new URL(uri).pathname);
  } catch {
    return uri;
  }
}
