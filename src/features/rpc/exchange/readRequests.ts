import { networkIn, type ReadRequest, readRequest } from "./readRequest.ts";

/** The requests of a file: those of a .http file, with `###` between them, or one of curl, cast or JSON-RPC. */
export function readRequests(text: string): readonly ReadRequest[] {
  return text.split(/^###.*$/m).flatMap((part) => {
    const read = readPart(part.replace(/^(?:\s*(?:#|\/\/)[^\n]*\n)+/, "").trim());
    return read ? [read] : [];
  });
}

function readPart(part: string): ReadRequest | undefined {
  if (/^[[{]|^\$?\s*(curl|cast)\s/.test(part)) return readRequest(part);
  // Headers end with a blank line; they, and with them the key, stay behind.
  const [, head = "", body = ""] = /^([\s\S]*?)\r?\n[ \t]*\r?\n([\s\S]*)$/.exec(part) ?? [];
  const read = readRequest(body);
  const network = networkIn(head);
  return read && network ? { ...read, network } : read;
}
