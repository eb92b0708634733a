import type { ComponentChildren, JSX } from "preact";
import { type Attachment, formatBytes } from "../../../../shared/chat/chatAttachments.ts";
import { formatTokens } from "../../format.ts";
import { Icon, type IconName } from "../../icons.ts";
import type { ChatPageDeps } from "../../store/chatDeps.ts";
import { MiddleCut } from "../../turn/answer/MiddleCut.tsx";

export const attachmentIcons: Readonly<Record<Attachment["kind"], IconName>> = {
  file: "file",
  selection: "selection",
  editor: "file",
  problems: "warning",
  terminal: "terminal",
  folder: "folder",
  image: "image",
  document: "document",
};

const pendingWords = {
  reading: "reading…",
  parsing: "being read…",
  scaling: "converting…",
} as const;

export interface AttachmentChipProps {
  readonly deps: ChatPageDeps;
  readonly attachment: Attachment;
  /** The reason why it is not sent. */
  readonly off?: string | undefined;
  readonly children?: ComponentChildren;
}

/** An attachment with its size in tokens; a click opens its source. */
export function AttachmentChip({ deps, attachment, off, children }: AttachmentChipProps): JSX.Element {
  const { id, kind, name, pending, blob } = attachment;
  const facts = attachmentFacts(attachment, off);
  const isDrawn = kind === "image" && blob !== "" && pending === undefined;
  return (
    <span class={off === undefined ? "chip" : "chip off"}>
      <button
        type="button"
        class="chip-open"
        title={`${name}\n${facts}`}
        disabled={pending !== undefined}
        onClick={() => deps.bridge.post("openAttachment", { attachmentId: id })}
      >
        {isDrawn ? (
          <img class="thumbnail" src={`${deps.blobRoot}/${blob}`} alt="" loading="lazy" decoding="async" />
        ) : (
          <Icon name={attachmentIcons[kind]} />
        )}
        <span class="chip-text">
          <MiddleCut text={name.slice(name.lastIndexOf("/", name.length - 2) + 1)} />
          <span class="chip-facts">{facts}</span>
        </span>
      </button>
      {children}
    </span>
  );
}

/** Text about the range, size and state of an attachment. */
function attachmentFacts({ detail, tokens, bytes, pending }: Attachment, off: string | undefined): string {
  if (pending !== undefined) return pendingWords[pending];
  const size =
    tokens === null ? formatBytes(bytes) : `~${formatTokens(tokens)} ${tokens === 1 ? "token" : "tokens"}`;
  return [off, detail, size].filter((part) => part !== undefined).join(" · ");
}
