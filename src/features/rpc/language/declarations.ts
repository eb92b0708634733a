import type { Cell } from "./parseCell.ts";
import { directivesOf, type Project } from "./project.ts";

/** What a cell's @abi lines say: declarations, and paths of files that hold them. */
export function declarationsOf(cell: Cell): readonly string[] {
  return directivesOf(cell, "abi").flatMap(({ statement }) =>
    statement.args.flatMap((arg) => (arg.kind === "string" ? [arg.value] : [])),
  );
}

/** A file's path, and no declaration. */
export function isAbiPath(text: string): boolean {
  return /^[^()]+\.json$/i.test(text);
}

/** The human-readable declarations of a notebook, those of its files included. */
export function declaredIn({ cells, abiFiles }: Project): readonly string[] {
  return cells
    .flatMap(({ cell }) => declarationsOf(cell))
    .flatMap((text) => {
      if (!isAbiPath(text)) return [text];
      const file = abiFiles?.get(text);
      return file && "declarations" in file ? file.declarations : [];
    });
}

/** The declaration that a bare name stands for, the one with so many inputs where there are several; else the name. */
export function declarationNamed(
  name: string,
  kind: "function" | "event",
  inputs: number,
  declared: () => readonly string[],
): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) return name;
  const named = declared().filter((one) => nameOf(one, kind) === name);
  return named.find((one) => inputsOf(one) === inputs) ?? named[0] ?? name;
}

/** The names that can stand for a declaration, with what they stand for. */
export function declaredNames(kind: "function" | "event", declared: readonly string[]): Map<string, string> {
  return new Map(
    declared.flatMap((one) => {
      const name = nameOf(one, kind);
      return name ? [[name, one.trim().replace(/^(function|event)\s+/, "")] as const] : [];
    }),
  );
}

function nameOf(declaration: string, kind: "function" | "event"): string | undefined {
  const [, word = "function", name] =
    /^\s*(?:(function|event|error)\s+)?([A-Za-z_]\w*)\s*\(/.exec(declaration) ?? [];
  return word === kind ? name : undefined;
}

/** How many there are in the first brackets; those of tuples count as one. */
function inputsOf(declaration: string): number {
  const from = declaration.indexOf("(");
  let [depth, commas, at] = [0, 0, from];
  for (; at < declaration.length; at++) {
    const letter = declaration[at];
    if (letter === "(") depth++;
    if (letter === "," && depth === 1) commas++;
    if (letter === ")" && --depth === 0) break;
  }
  return declaration.slice(from + 1, at).trim() === "" ? 0 : commas + 1;
}
