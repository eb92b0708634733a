import { globSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { root } from "../../tools/paths.ts";

/** One import of a source file. */
export interface Import {
  /** The importing file, from the root, with forward slashes. */
  readonly from: string;
  /** A file from the root, or the name of a module: `zod`, `node:fs`, `undici/lib/api/api-request.js`. */
  readonly to: string;
  readonly isInternal: boolean;
  /** `import type`, `export type`, or `import("…")` in a type: removed from the build. */
  readonly isType: boolean;
}

/** Every source file of the extension, from the root. */
export function sourceFiles(): string[] {
  return globSync("src/**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}", { cwd: root })
    .map((path) => path.split(sep).join("/"))
    .sort();
}

/** Every import of a source file: static and dynamic, of values and of types. */
export function importsOf(file: string): Import[] {
  return readImports(file, readFileSync(join(root, file), "utf8"));
}

const clause = /(?:^|;)[ \t]*(?:import|export)(\s+type)?\b(?:[^;"'`]*?\bfrom)?\s*["']([^"']+)["']/gm;
const call = /(\btypeof\s+|[:<|&=]\s*)?\b(?:import|require)\(\s*["']([^"']+)["']/g;

export function readImports(file: string, text: string): Import[] {
  const code = withoutComments(text);
  // A dynamic import follows `await`, `return`, `=>` or a bracket; after a colon it is a type.
  const isTypeCall = (before: string | undefined) => before !== undefined && !/=\s*$/.test(before);
  return [
    ...[...code.matchAll(clause)].map(([, type, to = ""]) => toImport(file, to, type !== undefined)),
    ...[...code.matchAll(call)].map(([, before, to = ""]) => toImport(file, to, isTypeCall(before))),
  ];
}

function toImport(from: string, specifier: string, isType: boolean): Import {
  const isInternal = specifier.startsWith(".");
  const to = isInternal ? posix.join(posix.dirname(from), specifier) : specifier;
  return { from, to, isInternal, isType };
}

/** Keeps strings: a URL contains `//`. */
function withoutComments(text: string): string {
  const stringOrComment = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  return text.replace(stringOrComment, (_, string: string | undefined) => string ?? "");
}
