import { randomUUID } from "node:crypto";
import { imageSize } from "../../../api/imageSize.ts";
import { uploadFromBytes } from "../../../api/upload.ts";
import { explain } from "../../../platform/errorMessage.ts";
import type { Session } from "../../../session/session.ts";
import {
  type Attachment,
  type AttachmentKind,
  type AttachRequest,
  type DocumentWay,
  formatBytes,
  maxDocumentBytes,
  maxImageBytes,
  maxImagePixels,
} from "../../../shared/chatAttachments.ts";
import { looksSecret } from "../../../shared/secretFiles.ts";
import { estimateImageTokens, estimateTokens } from "../../../shared/tokenEstimate.ts";
import type { LiveChat } from "../liveChat.ts";
import type { BlobStore } from "./blobStore.ts";
import { fileTypeOf } from "./fileType.ts";
import type { EditorSources, FoundText, SourceFile } from "./sources.ts";
import { cutText } from "./textContent.ts";

export interface AttachmentDraftDeps {
  readonly chat: Pick<LiveChat, "state" | "set" | "tree">;
  readonly session: Pick<Session, "active" | "client">;
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
  setWay(id: string, way: DocumentWay): Promise<void>;
  /** A view has scaled an image down. */
  scaled(id: string, bytes: Uint8Array): Promise<void>;
  suggest(query: string): Promise<void>;
  /** An attachment of the draft or of a sent question. */
  find(id: string): Attachment | undefined;
  dispose(): void;
}

const maxAttachments = 20;
/** The reason why a file can't be attached. */
class Refused extends Error {}

export function createAttachmentDraft(deps: AttachmentDraftDeps): AttachmentDraft {
  const { chat, session, blobs, editor, report } = deps;
  const ended = new AbortController();
  let suggesting = new AbortController();

  const explained = (error: unknown): string => {
    report(error);
    return explain(error, { service: session.active?.name ?? "The service" }).sentence;
  };
  const notify = (attachmentNotice: string | null) => chat.set({ attachmentNotice });
  const get = (id: string) => chat.state.attachments.find((one) => one.id === id);
  const remove = (id: string) => {
    if (get(id)) chat.set({ attachments: chat.state.attachments.filter((one) => one.id !== id) });
  };
  /** Replaces the attachment of the same id; does nothing if it was removed meanwhile. */
  const replace = (next: Attachment) => {
    if (get(next.id))
      chat.set({ attachments: chat.state.attachments.map((one) => (one.id === next.id ? next : one)) });
  };
  /** Shows a placeholder at once, then the attachment or the reason of the failure. */
  const add = async (kind: AttachmentKind, name: string, read: (id: string) => Promise<Attachment>) => {
    const { attachments } = chat.state;
    if (attachments.length >= maxAttachments)
      return notify(`A question can have ${maxAttachments} attachments. Remove one to add another.`);
    const id = randomUUID();
    const coming = { id, kind, name, mediaType: "", bytes: 0, tokens: null, blob: "" };
    chat.set({ attachments: [...attachments, { ...coming, pending: "reading" }], attachmentNotice: null });
    try {
      const attachment = await read(id);
      if (isThere(attachment)) remove(id);
      else replace(attachment);
    } catch (error) {
      remove(id);
      if (!ended.signal.aborted) notify(error instanceof Refused ? error.message : explained(error));
    }
  };
  const isThere = ({ id, blob, name }: Attachment) =>
    chat.state.attachments.some((one) => one.id !== id && one.blob === blob && one.name === name);
  const allow = async (path: string) => {
    if (!looksSecret(path)) return;
    const name = path.slice(path.lastIndexOf("/") + 1);
    const looks = `${name} looks like a file of keys or passwords`;
    const who = chat.state.service?.name ?? "the service";
    const isAllowed = await editor.confirm(
      `${looks}. If you attach it, it is sent to ${who}.`,
      "Attach Anyway",
    );
    if (!isAllowed) throw new Refused(`${looks} and was not attached.`);
  };
  const fromText = async (id: string, { text, ...found }: FoundText): Promise<Attachment> => {
    const cut = cutText(text);
    const details = [found.detail, cut.detail].filter((detail) => detail !== undefined);
    return {
      ...found,
      id,
      ...(details.length > 0 ? { detail: details.join(", ") } : {}),
      mediaType: "text/plain",
      bytes: Buffer.byteLength(cut.text),
      tokens: estimateTokens(cut.text),
      blob: await blobs.put(cut.text, "txt"),
    };
  };
  const fromImage = async (id: string, name: string, uri: string | undefined, bytes: Uint8Array) => {
    const { mediaType, extension } = fileTypeOf(name, bytes);
    const size = imageSize(bytes);
    if (!size) throw new Refused(`${name} can't be read as an image.`);
    const fits = size.width * size.height <= maxImagePixels && bytes.byteLength <= maxImageBytes;
    const image: Attachment = {
      id,
      kind: "image",
      name,
      detail: sizeWords(size),
      mediaType,
      bytes: bytes.byteLength,
      tokens: estimateImageTokens(size.width, size.height),
      blob: await blobs.put(bytes, extension),
      ...size,
      ...(uri === undefined ? {} : { uri }),
      ...(fits ? {} : { pending: "scaling" }),
    };
    return image;
  };
  const fromFile = async (
    id: string,
    found: Omit<SourceFile, "uri"> & { uri?: string },
  ): Promise<Attachment> => {
    const { name, uri, bytes, size, languageId } = found;
    const { kind, mediaType, extension } = fileTypeOf(name, bytes);
    const place = uri === undefined ? {} : { uri };
    if (kind === "binary")
      throw new Refused(
        `${name} can't be attached: it is neither text, nor an image, nor a supported document.`,
      );
    if (kind === "text") {
      const language = languageId === undefined ? {} : { languageId };
      const text = Buffer.from(bytes).toString("utf8");
      const made = await fromText(id, { kind: "file", name, ...place, ...language, text });
      return size > bytes.byteLength ? { ...made, detail: `the beginning of ${formatBytes(size)}` } : made;
    }
    if (size > bytes.byteLength) throw new Refused(`${name} is too large: ${formatBytes(size)}.`);
    if (kind === "image") return fromImage(id, name, uri, bytes);
    if (size > maxDocumentBytes)
      throw new Refused(
        `${name} has ${formatBytes(size)}; a document can have at most ${formatBytes(maxDocumentBytes)}.`,
      );
    const blob = await blobs.put(bytes, extension);
    return { id, kind, name, ...place, mediaType, bytes: size, tokens: null, blob, way: "file" };
  };
  const attach = (request: AttachRequest) => {
    const isUri = request.kind === "uri";
    const name = isUri ? editor.nameOf(request.uri) : names[request.kind];
    return add(isUri ? "file" : request.kind === "code" ? "editor" : request.kind, name, async (id) => {
      if (isUri) await allow(pathOf(request.uri));
      const found = await editor.find(request, ended.signal);
      if (typeof found === "string") throw new Refused(found);
      if (!isUri && found.uri !== undefined) await allow(pathOf(found.uri));
      // The link's target looks like a secret, but its own name does not, so nobody has confirmed it.
      if (found.kind === "bytes" && found.realPath !== undefined && !looksSecret(pathOf(found.uri)))
        await allow(found.realPath);
      return found.kind === "bytes" ? fromFile(id, found) : fromText(id, found);
    });
  };
  return {
    attach,
    addFile: (name, bytes) =>
      add("file", name, async (id) => {
        await allow(name);
        return fromFile(id, { kind: "bytes", name, bytes, size: bytes.byteLength });
      }),
    find: (id) =>
      [{ attachments: chat.state.attachments }, ...[...chat.tree.nodes].filter(({ role }) => role === "user")]
        .flatMap((one) => ("attachments" in one ? (one.attachments ?? []) : []))
        .find((one) => one.id === id),
    make: (found) => fromText(randomUUID(), found),
    addText: (found) => add(found.kind, found.name, (id) => fromText(id, found)),
    remove,
    async setWay(id, way) {
      const document = get(id);
      if (document?.kind !== "document" || document.pending) return;
      if (way === "file" || document.textBlob !== undefined) return replace({ ...document, way });
      replace({ ...document, pending: "parsing" });
      try {
        const bytes = await blobs.read(document.blob);
        if (!bytes) throw new Error(`the content of ${document.name} is missing`);
        const file = { name: document.name, type: document.mediaType, bytes };
        const { api } = await session.client();
        const upload = uploadFromBytes(file.name, file.type, file.bytes);
        // spec E9
        const { text, tokens } = await api.augment.parse({ file: upload }, { signal: ended.signal });
        const textBlob = await blobs.put(text, "txt");
        replace({ ...document, way: "text", textBlob, tokens: Math.max(tokens, estimateTokens(text)) });
      } catch (error) {
        replace(document);
        if (!ended.signal.aborted) notify(explained(error));
      }
    },
    async scaled(id, bytes) {
      const image = get(id);
      if (image?.pending !== "scaling") return;
      const small = await fromImage(id, image.name, image.uri, bytes).catch(() => undefined);
      if (!small || small.pending) {
        remove(id);
        return notify(`${image.name} was not attached: it is too large and could not be scaled down.`);
      }
      replace({ ...small, detail: `${small.detail}, scaled down from ${image.detail}` });
    },
    async suggest(query) {
      suggesting.abort();
      suggesting = new AbortController();
      const { signal } = suggesting;
      const items = await editor.suggest(query, signal).catch(() => []);
      if (!signal.aborted) chat.set({ mentions: { query, items } });
    },
    dispose() {
      ended.abort();
      suggesting.abort();
    },
  };
}

const names = {
  selection: "Selection",
  editor: "Active editor",
  code: "Active editor",
  problems: "Problems",
  terminal: "Terminal selection",
} as const;

function sizeWords({ width, height }: { readonly width: number; readonly height: number }): string {
  return `${width} × ${height}`;
}

function pathOf(uri: string): string {
  try {
    return decodeURIComponent(new URL(uri).pathname);
  } catch {
    return uri;
  }
}
