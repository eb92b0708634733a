import type { DocPage } from "./pages.ts";

/** The text below one heading, up to the next. */
export interface Section {
  readonly id: number;
  readonly page: string;
  /** Part of a URL: the page's title in lower case with hyphens. */
  readonly slug: string;
  readonly heading: string;
  readonly anchor: string;
  /** Level of the heading, 1 for the page title. */
  readonly level: number;
  /** Synonyms from a `<!-- also: … -->` comment. */
  readonly also: string;
  /** Markdown, without the heading. */
  readonly text: string;
}

/** Splits a page at headings of levels 1 to 3. Lines within fences are not headings. */
export function sectionsOf(pages: readonly DocPage[]): readonly Section[] {
  const sections: Section[] = [];
  for (const page of pages) {
    for (const { heading, level, lines } of cut(page)) {
      const raw = lines.join("\n");
      sections.push({
        id: sections.length,
        page: page.title,
        slug: slugOf(page.title),
        heading,
        anchor: slugOf(heading),
        level,
        also: commentOf(raw, "also") ?? "",
        text: raw
          .replace(/<!--[\s\S]*?-->/g, "")
          .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
          .trim(),
      });
    }
  }
  return sections;
}

/** The text of a `<!-- name: … -->` comment. */
export function commentOf(markdown: string, name: string): string | undefined {
  return new RegExp(`<!--\\s*${name}:\\s*([\\s\\S]*?)\\s*-->`).exec(markdown)?.[1];
}

export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

interface Piece {
  readonly heading: string;
  readonly level: number;
  readonly lines: string[];
}

function cut({ title, text }: DocPage): Piece[] {
  const pieces: Piece[] = [{ heading: title, level: 1, lines: [] }];
  let fenced = false;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    const [, marks, heading] = (!fenced && /^(#{1,3})\s+(.+?)\s*#*$/.exec(line)) || [];
    if (marks === undefined || heading === undefined) pieces.at(-1)?.lines.push(line);
    else if (marks.length > 1) pieces.push({ heading, level: marks.length, lines: [] });
  }
  return pieces;
}
