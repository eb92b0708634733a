// `npm run structure`: counts about the structure of the sources. Rules tests check some.
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type Node, parseSync, Visitor } from "oxc-parser";
import { root } from "../../tools/paths.ts";
import { type Import, importsOf, sourceFiles } from "./sources.ts";

/** A function and its length, nested functions included. */
export interface LongFunction {
  readonly file: string;
  readonly name: string;
  readonly lines: number;
}

export interface Structure {
  readonly files: readonly string[];
  /** Files of at most 40 lines whose only importer is in the same folder. */
  readonly small: readonly string[];
  /** Groups of files that form an import cycle, types included. */
  readonly cycles: readonly (readonly string[])[];
  /** Functions of more than 80 lines, longest first. */
  readonly long: readonly LongFunction[];
}

const smallLines = 40;
const longLines = 80;

export function readStructure(): Structure {
  const files = sourceFiles();
  const imports = files.flatMap(importsOf).filter(({ isInternal }) => isInternal);
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
  const parsed = files.map((file) => ({ file, ...parse(file, texts.get(file) ?? "") }));
  return {
    files,
    small: files.filter((file) => isSmall(file, texts.get(file) ?? "", imports)),
    cycles: importCycles(files, imports),
    long: parsed.flatMap(({ functions }) => functions).sort((a, b) => b.lines - a.lines),
  };
}

function isSmall(file: string, text: string, imports: readonly Import[]): boolean {
  if (text.split("\n").length - 1 > smallLines) return false;
  const importers = new Set(imports.filter(({ to }) => to === file).map(({ from }) => from));
  const [only = ""] = importers;
  return importers.size === 1 && posix.dirname(only) === posix.dirname(file);
}

interface Parsed {
  readonly file: string;
  readonly functions: readonly LongFunction[];
}

function parse(file: string, text: string): Omit<Parsed, "file"> {
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const starts = lineStarts(text);
  const functions: LongFunction[] = [];
  const measure = (name: string, { start, end }: Node) => {
    const lines = lineAt(starts, end) - lineAt(starts, start) + 1;
    if (lines > longLines) functions.push({ file, name, lines });
  };
  new Visitor({
    FunctionDeclaration: (node) => measure(node.id?.name ?? "default", node),
    VariableDeclarator: ({ id, init }) => {
      const isFunction = init?.type === "ArrowFunctionExpression" || init?.type === "FunctionExpression";
      if (isFunction && id.type === "Identifier") measure(id.name, init);
    },
  }).visit(program);
  return { functions };
}

/** The offsets at which the lines of a text begin. */
export function lineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

/** The line of an offset, counted from 1. */
export function lineAt(starts: readonly number[], offset: number): number {
  return starts.findLastIndex((start) => start <= offset) + 1;
}

/** Tarjan's strongly connected components of more than one file. */
export function importCycles(
  files: readonly string[],
  imports: readonly Pick<Import, "from" | "to">[],
): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    stack.push(file);
    let low = own;
    for (const to of targets.get(file) ?? []) {
      if (!order.has(to)) low = Math.min(low, visit(to));
      else if (stack.includes(to)) low = Math.min(low, order.get(to) ?? low);
    }
    lowest.set(file, low);
    if (low === own) {
      const circle = stack.splice(stack.indexOf(file));
      if (circle.length > 1) found.push(circle.sort());
    }
    return low;
  };
  for (const file of files) if (!order.has(file)) visit(file);
  return found;
}

if (import.meta.main) {
  const { files, small, cycles, long } = readStructure();
  const isListed = process.argv.includes("--list");
  const print = (label: string, of: readonly string[]) => {
    console.log(`${String(of.length).padStart(5)} ${label}`);
    if (isListed) for (const line of of) console.log(`        ${line}`);
  };
  console.log(`${String(files.length).padStart(5)} source files`);
  print(`of at most ${smallLines} lines, imported once, from their own folder`, small);
  print(
    "import cycles, types included",
    cycles.map((circle) => circle.join(" ")),
  );
  print(
    `functions of more than ${longLines} lines`,
    long.map(({ file, name, lines }) => `${lines} ${name} (${file})`),
  );
}
