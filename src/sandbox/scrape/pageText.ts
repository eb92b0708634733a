/** A page's bytes as text, in the charset that its header or its own first kilobyte names; UTF-8 else. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  const named = charsetIn(contentType) ?? charsetIn(head) ?? "utf-8";
  try {
    return new TextDecoder(named).decode(bytes);
  } catch {
    // Nobody knows that charset; what is left unread is at least not lost.
    return new TextDecoder().decode(bytes);
  }
}

function charsetIn(text: string): string | undefined {
  return /charset\s*=\s*["']?\s*([\w-]+)/i.exec(text)?.[1];
}
