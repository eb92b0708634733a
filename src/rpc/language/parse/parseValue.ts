import { durations, functions, type Member, type Name, units, type Value } from "./nodes.ts";
import type { TokenReader } from "./tokens/tokenReader.ts";
import type { Token } from "./tokens/tokens.ts";

/** Deeper than any real parameter. Limits the recursion. */
const maxDepth = 100;
const unitWords: ReadonlySet<string> = new Set([...Object.keys(units), ...Object.keys(durations)]);
const functionWords: ReadonlySet<string> = new Set(functions);

/** Parses one value, or `missing`. Takes at least one token if there is any. */
export function parseValue(reader: TokenReader, depth: number, mayBeOption = false): Value {
  const token = reader.take();
  if (!token) return missing(reader, "A value is missing");
  switch (token.kind) {
    case "string":
      return { kind: "string", value: unquoted(token, reader), start: token.start, end: token.end };
    case "hex":
      return { kind: "hex", text: token.text, start: token.start, end: token.end };
    case "number":
      return numberValue(token, reader);
    case "reference":
      return reference(token, reader);
    case "variable":
      return variable(token, reader);
    case "signature":
      return { kind: "signature", text: token.text, start: token.start, end: token.end };
    case "word":
      return wordValue(token, reader, depth, mayBeOption);
    case "mark":
      return bracketValue(token, reader, depth);
    default:
      return stray(token, reader);
  }
}

function bracketValue(token: Token, reader: TokenReader, depth: number): Value {
  if (token.text !== "{" && token.text !== "[") return stray(token, reader);
  if (depth >= maxDepth) {
    reader.problem(token, "Brackets are nested too deep");
    return { kind: "missing", start: token.start, end: reader.skipAll() };
  }
  return token.text === "{" ? objectValue(token, reader, depth) : arrayValue(token, reader, depth);
}

function objectValue(open: Token, reader: TokenReader, depth: number): Value {
  const members: Member[] = [];
  while (reader.next() && !isMark(reader.next(), "}")) {
    members.push(member(reader, depth));
    reader.takeMark(",");
  }
  return { kind: "object", members, start: open.start, end: close(open, "}", reader) };
}

function member(reader: TokenReader, depth: number): Member {
  const token = reader.take();
  const { start = reader.end, end = reader.end } = token ?? {};
  const isKey = token && (token.kind === "word" || token.kind === "string" || token.kind === "number");
  if (!isKey) reader.problem({ start, end }, "A member must start with its name: { name: value }");
  const text = !token ? "" : token.kind === "string" ? unquoted(token, reader) : token.text;
  const key: Name = { text, start, end };
  if (!reader.takeMark(":")) {
    if (isKey) reader.problem(key, `A colon and a value are missing after ${key.text}`);
    return { key, value: { kind: "missing", start: end, end }, start, end };
  }
  const atEnd = !reader.next() || isMark(reader.next(), "}") || isMark(reader.next(), ",");
  const value = atEnd
    ? missing(reader, `The value of ${key.text} is missing`)
    : parseValue(reader, depth + 1);
  return { key, value, start, end: value.end };
}

function arrayValue(open: Token, reader: TokenReader, depth: number): Value {
  const items: Value[] = [];
  while (reader.next() && !isMark(reader.next(), "]")) {
    items.push(parseValue(reader, depth + 1));
    reader.takeMark(",");
  }
  return { kind: "array", items, start: open.start, end: close(open, "]", reader) };
}

function close(open: Token, mark: string, reader: TokenReader): number {
  const token = reader.takeMark(mark);
  if (!token) reader.problem(open, `${mark} is missing: this bracket is not closed`);
  return token?.end ?? reader.end;
}

function numberValue(token: Token, reader: TokenReader): Value {
  const { text, start, end } = token;
  const next = reader.next();
  // `2024-01-02` would be three numbers.
  if (next?.start === end && (next.kind === "number" || next.kind === "hex"))
    reader.problem(next, `A space is missing before ${next.text}. Write a text in quotes`);
  if (next?.kind !== "word" || (!unitWords.has(next.text) && next.start !== end)) {
    return { kind: "number", text, start, end };
  }
  const unit = reader.takeWord();
  if (!unitWords.has(unit.text)) {
    reader.problem(
      unit,
      `${unit.text} is not a unit. Use wei, gwei, ether, lamport, sol, or s, min, hour, day`,
    );
  }
  return { kind: "number", text, unit, start, end: unit.end };
}

function reference({ text, start, end }: Token, reader: TokenReader): Value {
  const [, name = ""] = /^\$(\w*)/.exec(text) ?? [];
  const rest = text.slice(1 + name.length);
  if (name === "") reader.problem({ start, end }, "A name is missing after $");
  const path = [...rest.matchAll(/\.(\w+)|\[(\d+)\]/g)].map(([, field, index]) => field ?? Number(index));
  return { kind: "reference", name, path, start, end };
}

function variable({ text, start, end }: Token, reader: TokenReader): Value {
  const name = text.slice(2, text.endsWith("}}") ? -2 : undefined).trim();
  if (!text.endsWith("}}")) reader.problem({ start, end }, "}} is missing after the name of the variable");
  else if (name === "") reader.problem({ start, end }, "The name of a variable is missing: {{NAME}}");
  const next = reader.next();
  if (next?.kind !== "word" || !unitWords.has(next.text)) return { kind: "variable", name, start, end };
  const unit = reader.takeWord();
  return { kind: "variable", name, unit, start, end: unit.end };
}

function wordValue(token: Token, reader: TokenReader, depth: number, mayBeOption: boolean): Value {
  const { text, start, end } = token;
  if (text === "true" || text === "false")
    return { kind: "literal", value: text === "true", text, start, end };
  if (text === "null" || text === "_") return { kind: "literal", value: null, text, start, end };
  const next = reader.next();
  if (functionWords.has(text) && isMark(next, "(")) return apply(token, reader, depth);
  if (mayBeOption && isMark(next, ":")) {
    reader.take();
    const value = parseValue(reader, depth + 1);
    return { kind: "option", name: { text, start, end }, value, start, end: value.end };
  }
  return { kind: "word", text, start, end };
}

function apply({ text, start, end }: Token, reader: TokenReader, depth: number): Value {
  const open = reader.take();
  const args: Value[] = [];
  while (reader.next() && !isMark(reader.next(), ")")) {
    if (depth >= maxDepth) {
      reader.problem({ start, end }, "Brackets are nested too deep");
      reader.skipAll();
    } else args.push(parseValue(reader, depth + 1));
    reader.takeMark(",");
  }
  return { kind: "apply", fn: { text, start, end }, args, start, end: open ? close(open, ")", reader) : end };
}

/** Resolves the escapes of JSON, also in single quotes. */
function unquoted({ text, start, end }: Token, reader: TokenReader): string {
  const quote = text[0];
  const isClosed = text.length > 1 && text.endsWith(quote ?? "") && !isEscaped(text, text.length - 1);
  if (!isClosed) reader.problem({ start, end }, `The string is not closed: ${quote} is missing`);
  const inner = text.slice(1, isClosed ? -1 : undefined);
  const asJson = quote === '"' ? inner : inner.replace(/\\'/g, "'").replace(/"/g, '\\"');
  try {
    return String(JSON.parse(`"${asJson}"`));
  } catch {
    if (isClosed) reader.problem({ start, end }, "This string contains an escape that JSON doesn't have");
    return inner;
  }
}

/** True after an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text[from - 1] === "\\") from--;
  return (at - from) % 2 === 1;
}

function stray(token: Token, reader: TokenReader): Value {
  reader.problem(token, `${token.text} is not expected here`);
  return { kind: "missing", start: token.start, end: token.end };
}

function missing(reader: TokenReader, message: string): Value {
  const { end } = reader;
  reader.problem({ start: end, end }, message);
  return { kind: "missing", start: end, end };
}

function isMark(token: Token | undefined, mark: string): boolean {
  return token?.kind === "mark" && token.text === mark;
}
