import type { Attachment } from "../../../shared/chatAttachments.ts";

/** The attachments of a draft as they can be kept; what was still read is not there yet, a scaling begins anew. */
export function settledAttachments(attachments: readonly Attachment[]): Attachment[] {
  return attachments.flatMap(({ pending, ...attachment }): Attachment[] => {
    if (attachment.blob === "") return [];
    return pending === "scaling" ? [{ ...attachment, pending }] : [attachment];
  });
}
