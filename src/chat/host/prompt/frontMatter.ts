/** A member of a header: one text, or a list of texts. Nested members are left out. */
type HeaderValue = string | readonly string[];

/** A Markdown file with the members of its header. */
export interface MarkdownFile {
  readonly header: ReadonlyMap<string, HeaderValue>;
  /** The text below the header, trimmed. */
  readonly body: string;
}

/** A header is short; a longer one is none. */
const maxHeaderLines = 200;
const maxHeaderLength = 20_000;
/** Members and list items that are kept. */
const maxMembers = 200;

/**
 * Reads the part of YAML that headers of instructions, skills and modes use: texts, quoted texts, blocks of text, and lists in
 * both forms. A member of another form is left out. Undefined if the header has no end.
 */
export function readMarkdownFile(text: string): MarkdownFile | undefined {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/, 200_000);
  if (lines[0]?.trimEnd() !== "---") return { header: new Map(), body: lines.join("\n").trim() };
  const end = lines.findIndex((line, index) => index > 0 && /^(---|\.\.\.)\s*$/.test(line));
  if (end < 0 || end > maxHeaderLines) return undefined;
  const header = lines.slice(1, end);
  if (header.join("\n").length > maxHeaderLength) return undefined;
  return {
    header: readHeader(header),
    body: lines
      .slice(end + 1)
      .join("\n")
      .trim(),
  };
}

/** The text of a member; empty if it is a list or missing. */
export function headerText(header: MarkdownFile["header"], name: string): string {
  const value = header.get(name);
  return typeof value === "string" ? value : "";
}

/** A member as a list: its items, or the parts of a text between commas. Undefined if it is missing. */
export function headerList(header: MarkdownFile["header"], name: string): readonly string[] | undefined {
  const value = header.get(name);
  const items = typeof value === "string" ? commaParts(value) : value;
  return items?.map((item) => item.trim()).filter((item) => item !== "");
}

/** Commas within braces belong to a pattern, such as `*.{ts,tsx}`. */
function commaParts(text: string): readonly string[] {
  return text.match(/(?:\{[^{}]*\}|[^,{}]|[{}])+/g) ?? [];
}

function readHeader(lines: readonly string[]): Map<string, HeaderValue> {
  const header = new Map<string, HeaderValue>();
  for (let index = 0; index < lines.length && header.size < maxMembers; ) {
    const member = /^([\w-]+):(?:\s+(.*))?$/.exec(lines[index]?.trimEnd() ?? "");
    index += 1;
    if (!member) continue;
    const start = index;
    while (index < lines.length && isBelow(lines[index] ?? "")) index += 1;
    const value = headerValue(member[2] ?? "", lines.slice(start, index));
    if (value !== undefined) header.set(member[1] ?? "", value);
  }
  return header;
}

/** True for a line that belongs to the member above it. */
function isBelow(line: string): boolean {
  return /^\s|^-(\s|$)|^\s*$/.test(line) || /^\s*\]/.test(line);
}

function headerValue(first: string, below: readonly string[]): HeaderValue | undefined {
  const plain = withoutComment(first);
  if (/^[|>][-+\d]*$/.test(plain)) return blockText(below, plain.startsWith(">"));
  if (plain.startsWith("[")) return flowList([plain, ...below.map(withoutComment)].join(" "));
  if (plain !== "")
    return scalar([plain, ...below.map((line) => withoutComment(line.trim()))].join(" ").trim());
  const items = below.map((line) => /^\s*-\s+(.*)$/.exec(line)?.[1]);
  if (items.length === 0) return "";
  const kept = items.filter((item) => item !== undefined).map((item) => scalar(withoutComment(item)));
  return kept.length === 0 ? undefined : kept.slice(0, maxMembers);
}

function blockText(lines: readonly string[], isFolded: boolean): string {
  const indentation = Math.min(
    ...lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length),
  );
  const texts = lines.map((line) => line.slice(Number.isFinite(indentation) ? indentation : 0).trimEnd());
  return texts.join(isFolded ? " " : "\n").trim();
}

/** `[a, "b, c"]`; undefined without its end. */
function flowList(text: string): readonly string[] | undefined {
  const inside = /^\[(.*)\]$/s.exec(text.trim())?.[1];
  if (inside === undefined) return undefined;
  const items = inside.match(/\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,]*)\s*/g) ?? [];
  return items
    .map((item) => scalar(item.trim()))
    .filter((item) => item !== "")
    .slice(0, maxMembers);
}

/** A comment begins after a blank and ends with its line. Quoted texts have none inside. */
function withoutComment(text: string): string {
  if (/^\s*["']/.test(text)) return text.trim();
  return text.replace(/(^|\s)#.*$/, "").trim();
}

function scalar(text: string): string {
  const single = /^'((?:[^']|'')*)'/.exec(text)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  const double = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[0];
  return double === undefined ? text : unescaped(double);
}

/** YAML's escapes are those of JSON and some rare ones; a text with a rare one stays as it is. */
function unescaped(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}
