import type { CellFacts } from "../language/cellFacts.ts";

/** A line that opens a fenced block of Markdown. */
export interface FenceLine {
  readonly indent: string;
  /** The run of backticks or tildes. */
  readonly marks: string;
  readonly info: string;
}

export function readFence(line: string): FenceLine | undefined {
  const [, indent = "", marks = "", info = ""] = /^( {0,3})(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
  if (marks === "" || (marks.startsWith("`") && info.includes("`"))) return undefined;
  return { indent, marks, info: info.trim() };
}

export function closesFence(line: string, { marks }: FenceLine): boolean {
  const [, own = ""] = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line) ?? [];
  return own.length >= marks.length && own[0] === marks[0];
}

const attribute = /(\w+)=(.*?)(?=\s+\w+=|$)/g;

/** Undefined where the block is not one of ours. */
export function readInfo(info: string): CellFacts | undefined {
  if (!/^rpc(\s|$)/.test(info)) return undefined;
  const facts = new Map([...info.matchAll(attribute)].map(([, key = "", value = ""]) => [key, value.trim()]));
  const name = facts.get("name");
  const networks = facts.get("network") && readList(facts.get("network") ?? "");
  const view = facts.get("view");
  return { ...(name ? { name } : {}), ...(networks ? { networks } : {}), ...(view ? { view } : {}) };
}

/** The info of a cell, with what another tool wrote there left as it stands. */
export function writeInfo(info: string, { name, networks, view }: CellFacts): string {
  const others = [...info.matchAll(attribute)]
    .filter(([, key = ""]) => !["name", "network", "view"].includes(key))
    .map(([whole]) => whole);
  const list = networks?.join(", ");
  return ["rpc", name && `name=${name}`, list && `network=${list}`, view && `view=${view}`, ...others]
    .filter(Boolean)
    .join(" ");
}

export function readList(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}
