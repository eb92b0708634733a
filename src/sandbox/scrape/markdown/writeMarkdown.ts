import type { RootContent } from "mdast";
import { gfmStrikethroughToMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemToMarkdown } from "mdast-util-gfm-task-list-item";
import { defaultHandlers, type Handle, type Options, toMarkdown } from "mdast-util-to-markdown";

const tables = gfmTableToMarkdown();

/** Columns are not aligned with blanks: a long cell would widen each row. */
const table: Handle = (node, parent, state, info) => {
  const exit = state.enter("table");
  const rows = (node.children as { children: unknown[] }[]).map((row) =>
    row.children.map((cell) => state.handle(cell as never, parent, state, info)),
  );
  exit();
  const rules = (node.align as (string | null)[]).map((align) =>
    align === "left" ? ":--" : align === "right" ? "--:" : align === "center" ? ":-:" : "---",
  );
  const [head = [], ...body] = rows;
  return [head, rules, ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
};

/** Signs that mean nothing where they are stay as they are: `snake_case`, `AT&T`, `2 * 3`. */
const text: Handle = (node, parent, state, info) =>
  defaultHandlers
    .text(node, parent, state, info)
    .replace(/(?<=[\p{L}\p{N}])\\_(?=[\p{L}\p{N}])/gu, "_")
    .replace(/\\&(?!#?\w+;)/g, "&")
    .replace(/(?<=\S )\\\*(?= )/g, "*")
    .replace(/(?<=^|\s)\\~(?=[\d/])/g, "~");

/** The URL as it is, not with the escapes of Markdown: programs read it, too. */
const resource =
  (write: Handle): Handle =>
  (node, parent, state, info) => {
    const [only] = node.children ?? [];
    if (node.type === "link" && node.children.length === 1 && only.value === node.url && !node.title)
      return write(node, parent, state, info);
    const mark = "](u";
    const written = write({ ...node, url: "u" }, parent, state, info);
    const start = written.lastIndexOf(mark);
    return `${written.slice(0, start)}](${destination(node.url)}${written.slice(start + mark.length)}`;
  };

/** A URL that ends where the link does. */
function destination(url: string): string {
  const encoded = url.replace(/[\s<>\\|]/g, encodeURIComponent).replace(/&(?=#?\w+;)/g, "%26");
  return isBalanced(encoded) ? encoded : encoded.replaceAll("(", "%28").replaceAll(")", "%29");
}

function isBalanced(url: string): boolean {
  let open = 0;
  for (const character of url) {
    if (character === "(") open += 1;
    if (character === ")") open -= 1;
    if (open < 0 || open > 30) return false;
  }
  return open === 0;
}

const hardBreak: Handle = (node, parent, state, info) => {
  const written = defaultHandlers.break(node, parent, state, info);
  return written === "\\\n" ? "  \n" : written;
};

const options: Options = {
  bullet: "-",
  rule: "-",
  listItemIndent: "one",
  fences: true,
  extensions: [
    gfmStrikethroughToMarkdown(),
    tables,
    gfmTaskListItemToMarkdown(),
    {
      handlers: {
        table,
        text,
        break: hardBreak,
        link: resource(defaultHandlers.link),
        image: resource(defaultHandlers.image),
      },
    },
  ],
};

/** Blocks as Markdown. Text that looks like Markdown is escaped. */
export function writeMarkdown(children: RootContent[]): string {
  return toMarkdown({ type: "root", children }, options).trim();
}
