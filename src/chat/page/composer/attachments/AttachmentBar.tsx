import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import {
  type Attachment,
  fitPixels,
  maxImageBytes,
  maxImagePixels,
} from "../../../../shared/chat/chatAttachments.ts";
import { augmentationUsd } from "../../../../shared/money/augmentationUsd.ts";
import { formatUsd } from "../../../../shared/money/formatUsd.ts";
import { chosenCard } from "../../details/chosenCard.ts";
import { IconButton } from "../../icons.ts";
import type { ChatPageDeps } from "../../store/chatDeps.ts";
import { QueuedQuestions } from "../QueuedQuestions.tsx";
import { AttachmentChip } from "./AttachmentChip.tsx";

export interface AttachmentBarProps {
  readonly deps: ChatPageDeps;
  /** A notice of the page itself, with a callback to dismiss it. */
  readonly notice: string | null;
  readonly onDismiss: () => void;
  /** Moves the focus after the last attachment was removed. */
  readonly toBox: () => void;
}

/** Questions that wait and the attachments of the next one, on a line that is scrolled sideways. */
export function AttachmentBar({ deps, notice, onDismiss, toBox }: AttachmentBarProps): JSX.Element {
  const { store } = deps;
  const attachments = store.field("attachments");
  const reported = notice ?? store.field("attachmentNotice");
  const list = useRef<HTMLUListElement>(null);
  useScaling(deps, attachments);
  const newest = attachments.at(-1)?.id;
  useEffect(
    () => list.current?.lastElementChild?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    [newest],
  );
  const dismiss = () => {
    onDismiss();
    deps.bridge.post("dismissAttachmentNotice", {});
  };
  const remove = (index: number) => {
    const { id } = attachments[index] as Attachment;
    deps.bridge.post("detach", { attachmentId: id });
    const chips = [...(list.current?.querySelectorAll<HTMLElement>(".chip-open:not(:disabled)") ?? [])];
    const next = chips[index + 1] ?? chips[index - 1];
    if (next) next.focus();
    else toBox();
  };
  return (
    <>
      <div class="chip-line">
        <QueuedQuestions deps={deps} toBox={toBox} />
        {attachments.length > 0 && (
          <ul ref={list} class="attachments" aria-label="Attachments">
            {attachments.map((attachment, index) => (
              <li
                key={attachment.id}
                onKeyDown={(event) => {
                  if (event.key !== "Delete" && event.key !== "Backspace") return;
                  event.preventDefault();
                  remove(index);
                }}
              >
                <AttachmentChip deps={deps} attachment={attachment} off={whyNotSent(deps, attachment)}>
                  <Way deps={deps} attachment={attachment} />
                  <IconButton
                    name="close"
                    label={`Remove ${attachment.name}`}
                    onClick={() => remove(index)}
                  />
                </AttachmentChip>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div class="attachment-notice" role="status">
        {reported !== null && (
          <>
            <span>{reported}</span>
            <IconButton name="close" label="Dismiss" onClick={dismiss} />
          </>
        )}
      </div>
    </>
  );
}

/** A document is sent unchanged, or as its text. */
function Way({
  deps,
  attachment,
}: {
  readonly deps: ChatPageDeps;
  readonly attachment: Attachment;
}): JSX.Element | null {
  const { id, kind, name, way, textBlob, pending } = attachment;
  if (kind !== "document" || pending !== undefined) return null;
  const isText = way === "text";
  const isPlayMoney = deps.store.field("service")?.kind === "sandbox";
  const usd = formatUsd(augmentationUsd, isPlayMoney);
  const price = textBlob === undefined ? ` The service extracts it and charges ${usd}.` : "";
  const title = isText
    ? "Sent as its text. Click to send the file itself."
    : `Sent as a file. Click to send its text.${price}`;
  return (
    <button
      type="button"
      class="chip-way"
      title={title}
      aria-label={`${isText ? "as text" : "as file"}, ${name}. ${title}`}
      onClick={() => deps.bridge.post("setWay", { attachmentId: id, way: isText ? "file" : "text" })}
    >
      {isText ? "as text" : "as file"}
    </button>
  );
}

/** A warning about inputs that the selected model does not support. */
function whyNotSent(deps: ChatPageDeps, { kind }: Attachment): string | undefined {
  const card = chosenCard(deps);
  if (kind !== "image" || !card || card.capabilities.includes("vision")) return undefined;
  return `not sent: ${card.name} does not accept images`;
}

/** Images that are large, turned or of a rare kind are drawn anew here, because the host has no canvas. */
function useScaling({ bridge, blobRoot }: ChatPageDeps, attachments: readonly Attachment[]): void {
  const begun = useRef(new Set<string>());
  useEffect(() => {
    for (const attachment of attachments) {
      const { id, pending, blob } = attachment;
      if (pending !== "scaling" || begun.current.has(id)) continue;
      begun.current.add(id);
      scaleImage(attachment, `${blobRoot}/${blob}`).then(
        (bytes) => bridge.post("scaled", { attachmentId: id, bytes }),
        () => bridge.post("unreadable", { attachmentId: id }),
      );
    }
  }, [attachments]);
}

/** Each step halves the number of pixels of an image that is still too large. */
const maxSteps = 6;

/** Scales an image to the limits of the service. Rejects if it can't be drawn. */
async function scaleImage({ mediaType }: Attachment, url: string): Promise<Uint8Array<ArrayBuffer>> {
  const image = new Image();
  // Without this the canvas is tainted, and its pixels can't be read.
  image.crossOrigin = "anonymous";
  image.src = url;
  await image.decode();
  let pixels = maxImagePixels;
  for (let step = 0; step < maxSteps; step++) {
    const blob = await draw(image, pixels, mediaType === "image/jpeg" ? "image/jpeg" : "image/png");
    if (blob.size <= maxImageBytes) return new Uint8Array(await blob.arrayBuffer());
    pixels = Math.floor(Math.min(pixels, image.naturalWidth * image.naturalHeight) / 2);
  }
  throw new Error("the image stays too large");
}

async function draw(image: HTMLImageElement, pixels: number, type: string): Promise<Blob> {
  const [width, height] = fitPixels(image.naturalWidth, image.naturalHeight, pixels);
  const options = { resizeWidth: width, resizeHeight: height, resizeQuality: "high" } as const;
  const bitmap = await createImageBitmap(image, options);
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type, quality: 0.9 });
}
