import { imageSize } from "../../../../api/imageSize.ts";
import { withoutMetadata } from "../../../../api/withoutMetadata.ts";
import type { BlobStore } from "../../../../platform/files/blobStore.ts";
import {
  type Attachment,
  formatBytes,
  maxDocumentBytes,
  maxImageBytes,
  maxImagePixels,
} from "../../../../shared/chat/chatAttachments.ts";
import { estimateImageTokens, estimateTokens } from "../../../../shared/chat/tokenEstimate.ts";
import { otherDocument } from "../../../../shared/documents/otherDocument.ts";
import { pictureProblem } from "../../../../shared/images/imageBounds.ts";
import { imageFormatOf } from "../../../../shared/images/imageFormats.ts";
import { checkDocument } from "../../../../web/parse/documentKind.ts";
import type { FoundText, SourceFile } from "../sources/sources.ts";
import { fileTypeOf } from "./fileType.ts";
import { cutText, utf8Text } from "./textContent.ts";

/** The reason why a file can't be attached. */
export class AttachmentRefused extends Error {}

/** A file from the editor, or one that was pasted or dropped, which has no URI. */
type FoundFile = Omit<SourceFile, "uri"> & { readonly uri?: string };

/** Makes attachments from found contents. Contents are stored as blobs. */
export interface AttachmentReader {
  fromText(id: string, found: FoundText): Promise<Attachment>;
  /** A text, image or document, by its bytes. Throws AttachmentRefused for other types and sizes. */
  fromFile(id: string, found: FoundFile): Promise<Attachment>;
  /** Throws AttachmentRefused if the size of the image can't be read. An image that is too large or turned is still to be drawn anew. */
  fromImage(id: string, found: Pick<FoundFile, "name" | "uri" | "bytes">): Promise<Attachment>;
}

export function createAttachmentReader(blobs: BlobStore): AttachmentReader {
  const fromText: AttachmentReader["fromText"] = async (id, { text, ...found }) => {
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
  const fromImage: AttachmentReader["fromImage"] = async (id, { name, uri, bytes: written }) => {
    const bytes = withoutMetadata(written);
    const { mediaType, extension } = fileTypeOf(name, bytes);
    const size = imageSize(bytes);
    if (!size) throw new AttachmentRefused(`${name} can't be read as an image.`);
    const { width, height, isTurned, rare } = size;
    // Services may show turned pictures as they are stored, and may not read rare kinds at all.
    const isPlain = !isTurned && !rare;
    const fits = isPlain && width * height <= maxImagePixels && bytes.byteLength <= maxImageBytes;
    return {
      id,
      kind: "image",
      name,
      detail: `${width} × ${height}`,
      mediaType,
      bytes: bytes.byteLength,
      tokens: estimateImageTokens(width, height),
      blob: await blobs.put(bytes, extension),
      width,
      height,
      ...(uri === undefined ? {} : { uri }),
      ...(fits ? {} : { pending: "scaling" }),
    };
  };
  const fromTextFile: AttachmentReader["fromFile"] = async (id, found) => {
    const { name, uri, bytes, size, languageId } = found;
    // RTF has the bytes of a text.
    const other = otherDocument(bytes);
    if (other !== undefined) throw new AttachmentRefused(`${name} can't be attached: it is ${other}.`);
    const text = utf8Text(bytes, size);
    if (text === undefined)
      throw new AttachmentRefused(
        `${name} can't be attached: it is no text in UTF-8. Open it in the editor in its encoding, and attach it from there.`,
      );
    const place = uri === undefined ? {} : { uri };
    const language = languageId === undefined ? {} : { languageId };
    const made = await fromText(id, { kind: "file", name, ...place, ...language, text });
    return size > bytes.byteLength ? { ...made, detail: `the beginning of ${formatBytes(size)}` } : made;
  };
  const fromFile: AttachmentReader["fromFile"] = async (id, found) => {
    const { name, uri, bytes, size } = found;
    const { kind, mediaType, extension } = fileTypeOf(name, bytes);
    if (kind === "binary") return fromOtherImage(blobs, id, found);
    if (kind === "text") return fromTextFile(id, found);
    if (size > bytes.byteLength) throw new AttachmentRefused(`${name} is too large: ${formatBytes(size)}.`);
    if (kind === "image") return fromImage(id, found);
    if (size > maxDocumentBytes)
      throw new AttachmentRefused(
        `${name} has ${formatBytes(size)}; a document can have at most ${formatBytes(maxDocumentBytes)}.`,
      );
    // Nobody sends, or pays for, an archive that has the name of a document.
    const checked = checkDocument(name, size, bytes);
    if ("problem" in checked) throw new AttachmentRefused(`${checked.problem} It was not attached.`);
    const place = uri === undefined ? {} : { uri };
    const blob = await blobs.put(bytes, extension);
    return { id, kind, name, ...place, mediaType, bytes: size, tokens: null, blob, way: "file" };
  };
  return { fromText, fromFile, fromImage };
}

/** A picture in a format that no service takes. The view converts it to PNG if the browser can draw it. */
async function fromOtherImage(
  blobs: BlobStore,
  id: string,
  { name, uri, bytes, size }: FoundFile,
): Promise<Attachment> {
  const format = imageFormatOf(bytes);
  if (!format) {
    const other = otherDocument(bytes) ?? "neither text, nor an image, nor a supported document";
    throw new AttachmentRefused(`${name} can't be attached: it is ${other}.`);
  }
  if (!format.isDrawn)
    throw new AttachmentRefused(`${name} can't be attached. ${pictureProblem(undefined, size, format)}`);
  if (size > bytes.byteLength) throw new AttachmentRefused(`${name} is too large: ${formatBytes(size)}.`);
  return {
    id,
    kind: "image",
    name,
    detail: format.name,
    mediaType: format.mediaType,
    bytes: size,
    tokens: null,
    blob: await blobs.put(bytes, format.extensions[0]),
    ...(uri === undefined ? {} : { uri }),
    pending: "scaling",
  };
}
