import type { TransportBody } from "../../transport/transport.ts";
import { isUpload, type Upload } from "./upload.ts";

type Part = { readonly head: Uint8Array; readonly content: Upload | Uint8Array };

/** Members as multipart/form-data. Files are read in chunks while the body is sent; the length is known before. */
export function createForm(members: Readonly<Record<string, unknown>>): {
  type: string;
  body: TransportBody;
} {
  const boundary = `workbench-${crypto.randomUUID()}`;
  const parts = Object.entries(members).map(([name, value]) => toPart(boundary, name, value));
  const tail = utf8(`--${boundary}--\r\n`);
  const length = parts.reduce(
    (sum, { head, content }) => sum + head.byteLength + sizeOf(content) + 2,
    tail.byteLength,
  );
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: { length, open: () => pieces(parts, tail) },
  };
}

async function* pieces(parts: readonly Part[], tail: Uint8Array): AsyncGenerator<Uint8Array> {
  for (const { head, content } of parts) {
    yield head;
    if (isUpload(content)) yield* content.open();
    else yield content;
    yield lineEnd;
  }
  yield tail;
}

function toPart(boundary: string, name: string, value: unknown): Part {
  const disposition = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`;
  if (!isUpload(value)) return { head: utf8(`${disposition}\r\n\r\n`), content: utf8(String(value)) };
  const type = value.type || "application/octet-stream";
  return {
    head: utf8(`${disposition}; filename="${quoted(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`),
    content: value,
  };
}

/** Escapes names as browsers do (HTML standard, multipart/form-data encoding algorithm). */
function quoted(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

function sizeOf(content: Upload | Uint8Array): number {
  return isUpload(content) ? content.size : content.byteLength;
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const lineEnd = utf8("\r\n");
