import type { ContentPart } from "../../../api/endpoints/chatRequest.ts";
import type { Attachment } from "../../../shared/chatAttachments.ts";
import type { Message } from "../../../shared/chatMessages.ts";
import type { ModelCard } from "../../../shared/chatModels.ts";
import { type Fit, fitContext, type Load, promptRoom, requestBytes } from "../../../shared/contextFit.ts";
import { estimateTokens, tokensPerMessage } from "../../../shared/tokenEstimate.ts";
import type { BlobStore } from "./blobStore.ts";
import { toParts } from "./toParts.ts";

/** The part of a path that is sent to a model, with its attachments: the end of the path that fits. */
interface Outgoing {
  readonly path: readonly Message[];
  /** By message id. */
  readonly parts: ReadonlyMap<string, readonly ContentPart[]>;
}

export type OutgoingPath = (path: readonly Message[], model: string) => Promise<Outgoing>;

export interface OutgoingDeps {
  readonly blobs: Pick<BlobStore, "read">;
  readonly cardOf: (model: string) => ModelCard | undefined;
  readonly fitPath: FitPath;
}

export function createOutgoing({ blobs, cardOf, fitPath }: OutgoingDeps): OutgoingPath {
  return async (whole, model) => {
    const card = cardOf(model);
    const { dropped } = fitPath(whole, card);
    const path = whole.slice(dropped);
    const abilities = { images: takesImages(card) };
    const parts = await Promise.all(
      path.map(async (message): Promise<[string, ContentPart[]]> => {
        const attachments = message.role === "user" ? (message.attachments ?? []) : [];
        return [message.id, await toParts(attachments, blobs, abilities)];
      }),
    );
    return { path, parts: new Map(parts) };
  };
}

/** For a model that is not listed, the service decides. */
function takesImages(card: ModelCard | undefined): boolean {
  return !card || card.capabilities.includes("vision");
}

/** Selects the part of a path that fits a model. */
export type FitPath = (path: readonly Message[], card: ModelCard | undefined) => Fit;

const maxCounted = 5000;

/** `systemTokens` precede the path. Counts are cached, because a path is checked on each keystroke. */
export function createFitPath(systemTokens: () => number): FitPath {
  const counted = new Map<string, { readonly length: number; readonly tokens: number }>();
  const count = ({ id, text }: Message): number => {
    const known = counted.get(id);
    if (known?.length === text.length) return known.tokens;
    if (counted.size >= maxCounted) counted.clear();
    const tokens = estimateTokens(text);
    counted.set(id, { length: text.length, tokens });
    return tokens;
  };
  return (path, card) => {
    const room = promptRoom(card?.contextTokens);
    const before = systemTokens();
    const images = takesImages(card);
    const fit = fitContext(
      path.map((message) => loadOf(message, images, count)),
      { tokens: room && Math.max(0, room - before), bytes: requestBytes },
    );
    return { ...fit, tokens: fit.tokens + before };
  };
}

function loadOf(message: Message, images: boolean, count: (message: Message) => number): Load {
  const attachments = (message.role === "user" ? (message.attachments ?? []) : []).map((attachment) =>
    loadOfAttachment(attachment, images),
  );
  return {
    isQuestion: message.role === "user",
    tokens: attachments.reduce((sum, { tokens }) => sum + tokens, count(message) + tokensPerMessage),
    bytes: attachments.reduce((sum, { bytes }) => sum + bytes, message.text.length),
  };
}

/** Base64 encodes three bytes as four characters. */
const encoded = 4 / 3;

function loadOfAttachment(attachment: Attachment, images: boolean): Pick<Load, "tokens" | "bytes"> {
  const { kind, bytes, name, way } = attachment;
  if (kind === "image" && !images) return { tokens: 20, bytes: 100 };
  const isEncoded = kind === "image" || (kind === "document" && way !== "text");
  const tokens = (attachment.tokens ?? 0) + estimateTokens(name) + tokensPerMessage;
  return { tokens, bytes: isEncoded ? Math.ceil(bytes * encoded) : bytes };
}
