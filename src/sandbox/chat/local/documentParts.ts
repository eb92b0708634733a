import type { ChatMessage } from "../../../api/endpoints/chat/chatRequest.ts";
import { badField, Refusal } from "../../refusal.ts";

/** The text of a PDF, DOCX, PPTX, XLSX or text file. Throws a Refusal if it can't be read. */
export type ReadDocument = (bytes: Uint8Array, signal: AbortSignal) => Promise<string>;

/** spec, Other limits. */
const mostFileBytes = 25 * 1024 * 1024;

/**
 * Messages with the text of their files in place of the files, as the service extracts them for any text model (wire.md
 * section 5). Throws a Refusal if a file can't be read.
 */
export function withDocumentText(
  messages: readonly ChatMessage[],
  read: ReadDocument,
  signal: AbortSignal,
): Promise<ChatMessage[]> {
  return Promise.all(
    messages.map(async (message) => {
      const { content } = message;
      if (!Array.isArray(content) || !content.some(({ type }) => type === "file")) return message;
      const parts = content.map(async (part) => {
        if (part.type !== "file") return part;
        const { file_data, filename = "document" } = part.file;
        const text = await read(bytesOf(file_data), signal);
        return { type: "text" as const, text: `${filename}:\n${text}\n\n` };
      });
      return { ...message, content: await Promise.all(parts) } as ChatMessage;
    }),
  );
}

function bytesOf(data: string): Uint8Array {
  const base64 = data.replace(/^data:[^,]{0,200};base64,/i, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    throw badField(["messages"], "The data of a file must be base64, or a data URL with base64");
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > mostFileBytes) throw new Refusal(413, "messages: a file has at most 25 MB");
  return bytes;
}
