import { formatBytes, maxHandedBytes } from "../../../shared/chatAttachments.ts";
import type { ChatBridge } from "../bridge.ts";

/** Sends files to the host, which stores them; returns an error sentence if one is too large. */
export async function attachFiles(files: readonly File[], bridge: ChatBridge): Promise<string | null> {
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
