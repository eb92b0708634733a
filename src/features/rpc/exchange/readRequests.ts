import { networkIn, type ReadRequest, readJson, readRequest } from "./readRequest.ts";

/** The requests of a file: those of a .http file, with `###` between them, or one of curl, cast or JSON-RPC. */
export function readRequests(text: string): readonly ReadRequest[] {
  if (!/^###/m.test(text)) {
    const read = readRequest(text);
    if (read) return [read];
  }
  return parts(text).flatMap((lines) => {
    const read = readPart(lines);
    return read ? [read] : [];
  });
}

function parts(text: string): readonly (readonly string[])[] {
  const all: string[][] = [[]];
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.startsWith("###")) all.push([]);
    else all.at(-1)?.push(line);
  }
  return all;
}

function readPart(lines: readonly string[]): ReadRequest | undefined {
  const start = lines.findIndex((line) => line.trim() !== "" && !/^\s*(?:#|\/\/)/.test(line));
  const part = lines.slice(Math.max(0, start));
  const command = readRequest(part.join("\n"));
  if (command) return command;
  // Headers end with a blank line; they, and with them the key, stay behind.
  const blank = part.findIndex((line) => line.trim() === "");
  if (blank < 0) return undefined;
  const read = readJson(
    part
      .slice(blank + 1)
      .join("\n")
      .trim(),
    true,
  );
  const network = part
    .slice(0, blank)
    .map(networkIn)
    .find((one) => one !== undefined);
  return read && network ? { ...read, network } : read;
}
