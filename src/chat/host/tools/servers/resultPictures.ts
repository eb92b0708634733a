import { imageSize } from "../../../../api/imageSize.ts";
import { formatBytes, maxImagePixels } from "../../../../shared/chat/chatAttachments.ts";
import { estimateImageTokens } from "../../../../shared/chat/tokenEstimate.ts";
import { fileTypeOf } from "../../attachments/content/fileType.ts";
import type { CallContext } from "../tool.ts";

/** Shows the model the pictures of a result. What they are is read from their bytes. Returns a line about each. */
export async function showPictures(
  pictures: readonly Uint8Array[],
  { results }: Pick<CallContext, "results">,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const [index, bytes] of pictures.entries()) {
    const { kind, mediaType } = fileTypeOf("", bytes);
    const size = kind === "image" ? imageSize(bytes) : undefined;
    const name = `Picture ${index + 1}`;
    if (!size) {
      lines.push(`(${name} can't be read.)`);
      continue;
    }
    const { width, height } = size;
    const facts = `${width} × ${height} pixels, ${size.type}, ${formatBytes(bytes.byteLength)}`;
    if (width * height > maxImagePixels) {
      lines.push(`(${name} is too large to be shown: ${facts}.)`);
      continue;
    }
    await results.addPicture(bytes, { mediaType, tokens: estimateImageTokens(width, height) });
    lines.push(`(${name}: ${facts}.)`);
  }
  return lines;
}
