import { readCommand } from "../shellWords.ts";
import {
  placeOf,
  type ReadRequest,
  readJson,
  readRequest,
  readWords,
  usualNode,
  withheld,
} from "./readRequest.ts";

/** The requests of a file: a .http file with `###` separators, shell commands, or JSON-RPC. */
export function readRequests(text: string, localNode = usualNode): readonly ReadRequest[] {
  if (isHttp(text)) return readHttp(text, localNode);
  if (/^\s*[[{]/.test(text)) {
    const read = readRequest(text, localNode);
    return read ? [read] : [];
  }
  return (readCommands(text, localNode) ?? []).filter((one) => typeof one !== "string");
}

/**
 * Splits pasted text into requests and unchanged text, in order. Undefined if all of it is unchanged. JSON-RPC is
 * unchanged text.
 */
export function readPasted(
  text: string,
  localNode = usualNode,
): readonly (ReadRequest | string)[] | undefined {
  if (/^\s*[[{]/.test(text)) return undefined;
  return isHttp(text) ? readHttp(text, localNode) : readCommands(text, localNode);
}

const requestLine = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)[ \t]+\S/;
const isAside = (line: string) => line.trim() === "" || /^\s*(?:#|\/\/|@\w+\s*=)/.test(line);

function isHttp(text: string): boolean {
  if (/^###/m.test(text)) return true;
  const first = linesOf(text).find((line) => !isAside(line));
  return first !== undefined && requestLine.test(first);
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

function readHttp(text: string, localNode: string): readonly ReadRequest[] {
  const parts: string[][] = [[]];
  const variables = new Map<string, string>();
  for (const line of linesOf(text)) {
    const [, name, value = ""] = /^@(\w+)\s*=\s*(\S.*)?$/.exec(line) ?? [];
    if (name !== undefined) variables.set(name, value.trim());
    if (line.startsWith("###")) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts.flatMap((lines) => readPart(lines, variables, localNode) ?? []);
}

function readPart(
  lines: readonly string[],
  variables: ReadonlyMap<string, string>,
  localNode: string,
): ReadRequest | undefined {
  const start = lines.findIndex((line) => !isAside(line));
  if (start < 0) return undefined;
  const part = lines.slice(start);
  const [first = ""] = part;
  if (!requestLine.test(first)) {
    const command = readRequest(part.join("\n"), localNode);
    return command ?? withheld("a part of the file without a request", "all of it");
  }
  // A blank line ends the headers. They are dropped, and the key with them.
  const blank = part.findIndex((line) => line.trim() === "");
  const body = blank < 0 ? "" : part.slice(blank + 1).join("\n");
  const read = readJson(body.trim(), true);
  if (!read) return withheld("an HTTP request without JSON-RPC in it", "its address, headers and body");
  const target = first.split(/\s+/)[1] ?? "";
  const address = target.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => variables.get(name) ?? whole);
  return { ...read, from: "http", ...placeOf([address], localNode) };
}

/** Matches the start of a command: a prompt, an assignment or the name of a program. */
const startsCommand =
  /^[ \t]*(?:[$%][ \t]+)?(?:[A-Za-z_]\w*=|(?:[\w./\\-]*[/\\])?(?:curl|cast|forge|anvil|chisel|seth|sncast|starkli|solana|wget|https?|xh|hardhat|geth|ethdo|npx|bunx|pnpx|sudo|env|export)(?:\.exe)?(?:[ \t\\]|$))/;

/** The shell commands of a text as requests, and the text between them. */
function readCommands(text: string, localNode: string): readonly (ReadRequest | string)[] | undefined {
  const found: (ReadRequest | string)[] = [];
  let plain = 0;
  for (let at = 0; at < text.length; ) {
    const line = text.slice(at, lineEnd(text, at));
    if (!startsCommand.test(line)) {
      at += line.length + 1;
      continue;
    }
    const { requests, end } = readLine(
      text,
      at + (/^[ \t]*(?:[$%][ \t]+)?/.exec(line)?.[0].length ?? 0),
      localNode,
    );
    if (requests.length > 0) {
      if (text.slice(plain, at).trim() !== "") found.push(text.slice(plain, at).trimEnd());
      found.push(...requests);
      plain = end;
    }
    at = Math.max(end, at + 1);
  }
  if (found.length === 0) return undefined;
  if (text.slice(plain).trim() !== "") found.push(text.slice(plain).replace(/^[\r\n]+/, ""));
  return found;
}

/** The commands of one line, which may have continuation lines. Commands after a pipe are dropped. */
function readLine(text: string, start: number, localNode: string) {
  const requests: ReadRequest[] = [];
  let isPiped = false;
  for (let at = start; ; ) {
    const { words, end } = readCommand(text, at);
    const read = isPiped ? undefined : readWords(words, localNode);
    if (read) requests.push(read);
    const letter = text[end] ?? "\n";
    if (/[\r\n#]/.test(letter)) return { requests, end: lineEnd(text, end) + 1 };
    const [mark = ""] = /^[;&|]+/.exec(text.slice(end, end + 4)) ?? [];
    isPiped = mark === "|" || mark === "|&";
    at = end + Math.max(1, mark.length);
  }
}

function lineEnd(text: string, at: number): number {
  const found = /[\r\n]/g;
  found.lastIndex = at;
  return found.exec(text)?.index ?? text.length;
}
