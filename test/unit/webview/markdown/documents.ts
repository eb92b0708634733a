import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../../..");

export interface MarkdownDocument {
  readonly name: string;
  readonly source: string;
}

/** The rest of a CHANGELOG of 700,000 characters is like its start. */
const longest = 60_000;

/** Real text: the READMEs and CHANGELOGs of all installed packages. */
export function documents(): MarkdownDocument[] {
  const paths = globSync(
    "node_modules/**/{readme,README,Readme,ReadMe,changelog,CHANGELOG,Changelog,History,HISTORY}*.{md,markdown}",
    {
      cwd: root,
    },
  );
  return [...new Set(paths)]
    .sort()
    .map((name) => ({ name, source: readFileSync(join(root, name), "utf8").slice(0, longest) }));
}
