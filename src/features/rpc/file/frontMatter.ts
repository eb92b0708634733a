import { readList } from "./fence.ts";

/** The networks in the front matter. */
export function networksInHead(head: string): string[] {
  const body = /^\ufeff?---[^\S\r\n]*(?:\r\n|\n|\r)([\s\S]*?)(?:\r\n|\n|\r)?---/.exec(head)?.[1] ?? "";
  const line = /^network:(.*)$/m.exec(body.replace(/\r\n?/g, "\n"))?.[1] ?? "";
  return readList((line.split("#", 1)[0] ?? "").replace(/["'[\]]/g, ""));
}

/** Sets the networks in the front matter. */
export function withNetworks(head: string, networks: readonly string[]): string {
  const line = `network: ${networks.join(", ")}`;
  if (/^network:.*$/m.test(head)) return head.replace(/^network:[^\r\n]*/m, line);
  const eol = /\r\n/.test(head) ? "\r\n" : "\n";
  const [, mark = "", opening = "", rest = ""] =
    /^(\ufeff?)(---[^\S\r\n]*(?:\r\n|\n|\r))?([\s\S]*)$/.exec(head) ?? [];
  if (opening) return `${mark}${opening}${line}${eol}${rest}`;
  return `${mark}---${eol}${line}${eol}---${eol}${rest}`;
}
