import type { Attachment } from "../../../shared/chatAttachments.ts";

/** The attachments of a draft as they are stored: unread ones are dropped, and scaling starts again. */
export function settledAttachments(attachments: readonly Attachment[]): Attachment[] {
  return attachments.flatMap(({ pending, ...attachment }): Attachment[] => {
    if (attachment.blob === "") return [];
    return pending === "scaling" ? [{ ...attachment, pending }] : [attachment];
  });
}
