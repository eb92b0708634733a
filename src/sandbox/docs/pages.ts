import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** One page of documentation, in markdown. */
export interface DocPage {
  readonly title: string;
  readonly text: string;
}

/** All markdown files of a folder, by name. */
export async function readPages(folder: string): Promise<DocPage[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md")).sort();
  return Promise.all(names.map(async (name) => toPage(name, await readFile(join(folder, name), "utf8"))));
}

function toPage(name: string, text: string): DocPage {
  return { title: /^#\s+(.+)$/m.exec(text)?.[1]?.trim() ?? name, text };
}
