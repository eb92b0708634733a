import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { type Section, sectionsOf } from "../docs/sections.ts";
import type { IndexedFile } from "./folderFiles.ts";
import type { Passage } from "./passage.ts";

type FilePassage = Omit<Passage, "id">;

/** The passages of a file: sections of markdown, or groups of paragraphs of plain text. */
export function passagesOf(file: IndexedFile, text: string): FilePassage[] {
  const url = pathToFileURL(file.path).href;
  const date = new Date(file.changedMs).toISOString();
  const name = basename(file.path);
  if (/\.txt$/i.test(name))
    return paragraphs(text).map((piece) => ({ title: name, url, also: "", text: piece, date }));
  const title = /^#\s+(.+)$/m.exec(text)?.[1]?.trim() ?? name;
  return sectionsOf([{ title, text }])
    .filter((section) => section.text !== "")
    .map((section) => toPassage(section, url, date));
}

function toPassage(
  { page, heading, anchor, level, also, text }: Section,
  url: string,
  date: string,
): FilePassage {
  if (level === 1) return { title: page, url, also, text, date };
  return { title: `${page}: ${heading}`, url: `${url}#${anchor}`, also, text, date };
}

const passageCharacters = 1200;

/** Joins paragraphs until a passage is long enough for a search result. */
function paragraphs(text: string): string[] {
  const pieces: string[] = [];
  for (const paragraph of text.split(/\n\s*\n/)) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length < passageCharacters)
      pieces[pieces.length - 1] = `${last}\n\n${paragraph}`;
    else pieces.push(paragraph);
  }
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== "");
}
