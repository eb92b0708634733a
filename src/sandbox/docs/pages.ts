import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** One page of documentation, in markdown. */
export interface DocPage {
  readonly title: string;
  readonly text: string;
}

/** README, CHANGELOG and media/docs/*.md of an extension's folder, whatever the case of their names (vsce lowers it). */
export async function readPages(folder: string): Promise<DocPage[]> {
  const docs = join(folder, "media", "docs");
  const chapters = (await readdir(docs)).filter((name) => name.endsWith(".md")).sort();
  const top = (await readdir(folder)).filter((name) => /^(readme|changelog)\.md$/i.test(name)).sort();
  const paths = [...chapters.map((name) => join(docs, name)), ...top.map((name) => join(folder, name))];
  return Promise.all(paths.map(async (path) => toPage(path, await readFile(path, "utf8"))));
}

function toPage(path: string, text: string): DocPage {
  const name = path.split(/[\\/]/).at(-1)?.replace(/\.md$/i, "") ?? path;
  const heading = /^#\s+(.+)$/m.exec(text)?.[1]?.trim();
  return { title: /^readme$/i.test(name) ? "README" : (heading ?? name), text };
}
