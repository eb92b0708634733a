import type { CellFacts } from "../language/check/cellFacts.ts";

/** A line that opens a fenced block of Markdown. */
export interface FenceLine {
  readonly indent: string;
  /** The run of backticks or tildes. */
  readonly marks: string;
  readonly info: string;
}

export function readFence(line: string): FenceLine | undefined {
  const [opening = "", indent = "", marks = ""] = /^( {0,3})(`{3,}|~{3,})/.exec(line) ?? [];
  const info = line.slice(opening.length);
  if (marks === "" || (marks.startsWith("`") && info.includes("`"))) return undefined;
  return { indent, marks, info: info.trim() };
}

export function closesCellFence(line: string, { marks }: FenceLine): boolean {
  const own = closingMarks(line);
  return own.length >= marks.length && own[0] === marks[0];
}

/** The marks of a line that may close a block; empty for other lines. */
export function closingMarks(line: string): string {
  return /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1] ?? "";
}

interface Attribute {
  readonly key: string;
  readonly value: string;
  readonly written: string;
}

/**
 * Parses `rpc name=head network=a, b`: a value ends before the next word with an equals sign. Words before the first key
 * are an attribute without a key.
 */
function attributesOf(info: string): readonly Attribute[] {
  const attributes: Attribute[] = [];
  let key = "";
  let words: string[] = [];
  const end = () => {
    const written = words.join("").trimEnd();
    if (written !== "") attributes.push({ key, value: written.slice(key.length + 1).trim(), written });
  };
  const [, ...rest] = info.match(/\S+\s*/g) ?? [];
  for (const word of rest) {
    const equals = word.indexOf("=");
    const name = equals > 0 ? word.slice(0, equals) : "";
    if (/^\w+$/.test(name)) {
      end();
      key = name;
      words = [word];
    } else words.push(word);
  }
  end();
  return attributes;
}

/** Undefined if the block is not a request cell. */
export function readCellInfo(info: string): CellFacts | undefined {
  if (!/^rpc(\s|$)/.test(info)) return undefined;
  const facts = new Map(attributesOf(info).map(({ key, value }) => [key, value]));
  const name = facts.get("name");
  // Whoever names several networks may write the plural, which must not run on the default network.
  const named = facts.get("network") ?? facts.get("networks");
  const networks = named && readList(named);
  const view = facts.get("view");
  return { ...(name ? { name } : {}), ...(networks ? { networks } : {}), ...(view ? { view } : {}) };
}

/** Updates the info string of a cell. Attributes of other tools are preserved. */
export function writeInfo(info: string, { name, networks, view }: CellFacts): string {
  const others = attributesOf(info)
    .filter(({ key }) => !["name", "network", "networks", "view"].includes(key))
    .map(({ written }) => written);
  const list = networks?.join(", ");
  return ["rpc", name && `name=${name}`, list && `network=${list}`, view && `view=${view}`, ...others]
    .filter(Boolean)
    .join(" ");
}

export function readList(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}
