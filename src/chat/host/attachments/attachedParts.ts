import type { ContentPart } from "../../../api/endpoints/chat/chatRequest.ts";
import { withoutMetadata } from "../../../api/withoutMetadata.ts";
import type { BlobStore } from "../../../platform/files/blobStore.ts";
import type { Attachment } from "../../../shared/chat/chatAttachments.ts";
import { sourcePart } from "../../../shared/chat/sources/sourcesPrompt.ts";
import { fileName } from "../../../shared/text/fileName.ts";
import type { Message, ToolCallCard } from "../../protocol/chatMessages.ts";
import { toPromptBlock } from "./content/textContent.ts";

/** Input types that the model supports. */
interface Abilities {
  readonly images: boolean;
}

/** Attachments of each question, and pictures of the results of each answer, as content parts, by message id. */
export async function attachedParts(
  path: readonly Message[],
  blobs: Pick<BlobStore, "read">,
  abilities: Abilities,
): Promise<Map<string, readonly ContentPart[]>> {
  const parts = path.map(async (message): Promise<[string, readonly ContentPart[]]> => {
    if (message.role === "assistant")
      return [message.id, abilities.images ? await pictureParts(message.calls ?? [], blobs) : []];
    return [message.id, await toParts(message.attachments ?? [], blobs, abilities)];
  });
  return new Map(await Promise.all(parts));
}

/** Attachments as parts of a user message (wire.md section 5), in order. */
function toParts(
  attachments: readonly Attachment[],
  blobs: Pick<BlobStore, "read">,
  abilities: Abilities,
): Promise<ContentPart[]> {
  const sources = attachments.filter(({ source }) => source);
  return Promise.all(
    attachments.map((attachment) => toPart(attachment, sources.indexOf(attachment) + 1, blobs, abilities)),
  );
}

/** Services take pictures in messages of the user only (wire.md section 5), so these follow after the results. */
async function pictureParts(
  calls: readonly ToolCallCard[],
  blobs: Pick<BlobStore, "read">,
): Promise<readonly ContentPart[]> {
  const pictures = calls.flatMap((call) => (call.pictures ?? []).map((picture) => ({ ...picture, call })));
  const parts = pictures.map(async ({ blob, mediaType, call }): Promise<readonly ContentPart[]> => {
    const content = await blobs.read(blob);
    if (!content) return [note(call.says, "was omitted: its content is no longer stored")];
    const image = { type: "image_url", image_url: { url: pictureUrl(mediaType, content) } } as const;
    return [{ type: "text", text: `${call.says}:` }, image];
  });
  return (await Promise.all(parts)).flat();
}

/** `number` of a source counts from 1. */
async function toPart(
  attachment: Attachment,
  number: number,
  blobs: Pick<BlobStore, "read">,
  abilities: Abilities,
): Promise<ContentPart> {
  const { kind, name, mediaType } = attachment;
  if (kind === "image" && !abilities.images)
    return note(name, "was omitted: this model does not accept images");
  const isFile = kind === "document" && attachment.way !== "text";
  const content = await blobs.read(
    kind === "document" && !isFile ? (attachment.textBlob ?? "") : attachment.blob,
  );
  if (!content) return note(name, "was omitted: its content is no longer stored");
  if (kind === "image") return { type: "image_url", image_url: { url: pictureUrl(mediaType, content) } };
  if (isFile)
    return { type: "file", file: { file_data: dataUrl(mediaType, content), filename: fileName(name) } };
  const text = Buffer.from(content).toString("utf8");
  if (attachment.source) return { type: "text", text: sourcePart(number, attachment.source, text) };
  return { type: "text", text: toPromptBlock(attachment, text) };
}

function note(name: string, words: string): ContentPart {
  return { type: "text", text: `[${name} ${words}.]\n` };
}

/** Pictures of earlier versions and of tools are stored as their files were. */
function pictureUrl(mediaType: string, content: Uint8Array): string {
  return dataUrl(mediaType, withoutMetadata(content));
}

function dataUrl(mediaType: string, content: Uint8Array): string {
  return `data:${mediaType};base64,${Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64")}`;
}
