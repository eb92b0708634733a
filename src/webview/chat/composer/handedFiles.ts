import { formatBytes, maxHandedBytes } from "../../../shared/chatAttachments.ts";
import type { ChatBridge } from "../bridge.ts";

/** Files that a paste brings; none where it brings text that is meant, as spreadsheets copy a picture beside it. */
export function pastedFiles({ clipboardData }: ClipboardEvent): File[] {
  const files = [...(clipboardData?.files ?? [])];
  const hasText = (clipboardData?.getData("text/plain") ?? "") !== "";
  return hasText && files.every(({ type }) => type.startsWith("image/")) ? [] : files;
}

/** What a drop brings: addresses of the editor's own files, or files from elsewhere. */
export function dropped(transfer: DataTransfer): {
  readonly uris: readonly string[];
  readonly files: readonly File[];
} {
  const list = transfer.getData("application/vnd.code.uri-list") || transfer.getData("text/uri-list");
  const uris = list.split(/\r?\n/).filter((line) => line !== "" && !/^(#|https?:)/i.test(line));
  return { uris: [...new Set(uris)], files: uris.length > 0 ? [] : [...transfer.files] };
}

/** Hands files to the host, which keeps them; returns a sentence where one is too large for that. */
export async function handOver(files: readonly File[], bridge: ChatBridge): Promise<string | null> {
  let refused: string | null = null;
  for (const file of files) {
    const name = (file.name || "Pasted").slice(-300);
    if (file.size > maxHandedBytes) {
      refused = `${name} is too large to attach: ${formatBytes(file.size)}.`;
      continue;
    }
    if (file.size > 0) bridge.post("attachFile", { name, bytes: new Uint8Array(await file.arrayBuffer()) });
  }
  return refused;
}
