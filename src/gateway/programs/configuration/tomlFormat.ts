import { isDeepStrictEqual } from "node:util";
import { type AST, getStaticTOMLValue, ParseError, parseTOML } from "toml-eslint-parser";
import { isMembers } from "../../../shared/members.ts";
import { ConfigFault, type ConfigFormat, type ConfigPath } from "./configFormat.ts";
import { lineAt, lineEndOf } from "./textEdits.ts";

type KeyValue = AST.TOMLKeyValue;
type Table = AST.TOMLTable;

/** TOML. Members are changed that have a line of their own, at the beginning of the file or below the name of their table. */
export const tomlFormat: ConfigFormat = {
  read: (text) => structuredClone(getStaticTOMLValue(programOf(text))),
  set(text, path, value) {
    const [root] = programOf(text).body;
    const found = memberAt(root, path, text);
    if (found && value !== undefined) {
      const [offset, end] = found.value.range;
      return [{ offset, length: end - offset, text: tomlText(value) }];
    }
    if (found) return [lines(text, found.range)];
    return value === undefined ? [] : [inserted(text, root, path, value)];
  },
  dropEmpty(text, path) {
    const program = programOf(text);
    const table = tableAt(program.body[0], path);
    if (!table || table.body.length > 0) return [];
    const { offset, length } = lines(text, table.key.range);
    const next = text.slice(offset + length).split("\n", 1)[0] ?? "";
    if (next.trim().startsWith("#") || program.comments.some(({ range }) => isWithin(range, offset, length)))
      return [];
    // The empty line that was written before it.
    const blank = /(?:^|\n)(\r?\n)$/.exec(text.slice(0, offset))?.[1]?.length ?? 0;
    return [{ offset: offset - blank, length: length + blank, text: "" }];
  },
};

function isWithin([from]: readonly [number, number], offset: number, length: number): boolean {
  return from >= offset && from < offset + length;
}

function programOf(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text, { tomlVersion: "1.1" });
  } catch (error) {
    if (error instanceof ParseError) throw new ConfigFault(`is not TOML: ${error.message}`, error.lineNumber);
    // The parser is recursive.
    throw new ConfigFault("is nested too deeply");
  }
}

function namesOf({ keys }: AST.TOMLKey): ConfigPath {
  return keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
}

/** The line that has this member. Throws if it is inside of another one's value. */
function memberAt(root: AST.TOMLTopLevelTable, path: ConfigPath, text: string): KeyValue | undefined {
  const all = root.body.flatMap((node): readonly (readonly [ConfigPath, KeyValue])[] => {
    if (node.type === "TOMLKeyValue") return [[namesOf(node.key), node]];
    if (node.kind === "array") return [];
    return node.body.map((member) => [[...namesOf(node.key), ...namesOf(member.key)], member]);
  });
  for (const [names, member] of all) {
    if (isDeepStrictEqual(names, path)) return member;
    if (names.length < path.length && isDeepStrictEqual(names, path.slice(0, names.length)))
      throw new ConfigFault(
        `has “${names.join(".")}” in a form that is not changed here`,
        lineAt(text, member.range[0]),
      );
  }
  return undefined;
}

function tableAt(root: AST.TOMLTopLevelTable, path: ConfigPath): Table | undefined {
  return root.body.find(
    (node): node is Table =>
      node.type === "TOMLTable" && node.kind === "standard" && isDeepStrictEqual(namesOf(node.key), path),
  );
}

/** The whole lines of a range. */
function lines(text: string, [from, to]: readonly [number, number]) {
  const offset = text.lastIndexOf("\n", from - 1) + 1;
  return { offset, length: afterLine(text, to) - offset, text: "" };
}

function afterLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end + 1;
}

/** Below the other members of its table; a table that is missing comes to the end. */
function inserted(text: string, root: AST.TOMLTopLevelTable, path: ConfigPath, value: unknown) {
  const eol = lineEndOf(text);
  const [parent, name] = [path.slice(0, -1), path.at(-1) ?? ""];
  const line = `${keyText(name)} = ${tomlText(value)}`;
  const table = parent.length === 0 ? root : tableAt(root, parent);
  if (!table) {
    const gap = text === "" ? "" : `${text.endsWith("\n") ? "" : eol}${eol}`;
    const header = `[${parent.map(keyText).join(".")}]`;
    return { offset: text.length, length: 0, text: `${gap}${header}${eol}${line}${eol}` };
  }
  const last = table.body.findLast((node): node is KeyValue => node.type === "TOMLKeyValue");
  const from = last?.range[1] ?? (table.type === "TOMLTable" ? table.key.range[1] : undefined);
  if (from === undefined)
    return { offset: 0, length: 0, text: `${line}${eol}${/^\s*(\n|$)/.test(text) ? "" : eol}` };
  const offset = afterLine(text, from);
  const isOpen = text[offset - 1] === "\n";
  return { offset, length: 0, text: isOpen ? `${line}${eol}` : `${eol}${line}` };
}

/** A basic string of TOML is one of JSON. */
function keyText(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}

function tomlText(value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(tomlText).join(", ")}]`;
  if (!isMembers(value) || value instanceof Date)
    throw new ConfigFault("has a value that is not changed here");
  const members = Object.entries(value).map(([name, member]) => `${keyText(name)} = ${tomlText(member)}`);
  return `{ ${members.join(", ")} }`;
}
