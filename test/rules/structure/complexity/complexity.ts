// Cognitive complexity of the functions, as Biome counts it. `node test/rules/structure/complexity/complexity.ts`
// prints those above the limit as the baseline states them.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { type CallExpression, type Expression, type Node, parseSync, Visitor } from "oxc-parser";
import { root } from "../../../tools/paths.ts";

/** Scores by file, from the root, and by function. */
export type Complexity = Readonly<Record<string, Readonly<Record<string, number>>>>;

const rule = "complexity/noExcessiveCognitiveComplexity";
const found =
  /^::\w+ title=.*?,file=(?<file>.*?),line=(?<line>\d+),.*?col=(?<column>\d+),.*? of (?<score>\d+) /gm;

/** The functions above Biome's limit, which is 15, in these folders or files. */
export function complexFunctions(paths: readonly string[]): Complexity {
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const options = [`--only=${rule}`, "--reporter=github", "--max-diagnostics=none"];
  const { stdout, stderr, status } = spawnSync(process.execPath, [biome, "lint", ...options, ...paths], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`biome failed: ${stderr}`);
  const scores = [...stdout.matchAll(found)].map(({ groups = {} }) => ({
    file: (groups.file ?? "")
      .slice(root.length + 1)
      .split(sep)
      .join("/"),
    line: Number(groups.line),
    column: Number(groups.column),
    score: Number(groups.score),
  }));
  // Biome reads files in parallel, and lists what it finds in any order.
  scores.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  const files: Record<string, Record<string, number>> = {};
  for (const { file, line, column, score } of scores) {
    const functions = files[file] ?? {};
    files[file] = functions;
    functions[unique(functionAt(file, line, column), functions)] = score;
  }
  return files;
}

/** Those of the sources and the tests. */
export function complexOfProject(): Complexity {
  const files = Object.entries(complexFunctions(["src", "test"]));
  return Object.fromEntries(files.filter(([file]) => !file.includes("/complexity/fixtures/")));
}

function unique(name: string, used: Readonly<Record<string, number>>): string {
  let result = name;
  for (let count = 2; Object.hasOwn(used, result); count++) result = `${name} (${count})`;
  return result;
}

/** The name of the innermost function around a position, whose line and column count from 1. */
function functionAt(file: string, line: number, column: number): string {
  const text = readFileSync(join(root, file), "utf8");
  const lines = text.split("\n");
  const offset = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
  const around = namedFunctions(file, text).filter(({ start, end }) => start <= offset && offset < end);
  return around.sort((a, b) => b.start - a.start)[0]?.name ?? "";
}

interface NamedFunction {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

function namedFunctions(file: string, text: string): readonly NamedFunction[] {
  const functions: NamedFunction[] = [];
  const add = (name: string, { start, end }: Node) => functions.push({ name, start, end });
  const source = ({ start, end }: Node) => text.slice(start, end);
  new Visitor({
    FunctionDeclaration: (node) => add(node.id?.name ?? "default", node),
    VariableDeclarator: (node) => {
      if (node.id.type === "Identifier" && isFunction(node.init)) add(node.id.name, node);
    },
    MethodDefinition: (node) => add(source(node.key), node),
    PropertyDefinition: (node) => {
      if (isFunction(node.value)) add(source(node.key), node);
    },
    Property: (node) => {
      if (isFunction(node.value)) add(source(node.key), node);
    },
    CallExpression: (node) => {
      for (const argument of node.arguments)
        if (argument.type !== "SpreadElement" && isFunction(argument)) add(callName(node, source), argument);
    },
  }).visit(parseSync(file, text).program);
  return functions;
}

function isFunction(node: Expression | Node | null): boolean {
  return node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression";
}

/** A callback is named after the function that takes it; one of a test, after its title. */
function callName({ callee, arguments: [first] }: CallExpression, source: (node: Node) => string): string {
  if (first?.type === "Literal" || first?.type === "TemplateLiteral") return source(first).slice(1, -1);
  return callee.type === "MemberExpression" ? source(callee.property) : source(callee);
}

/** What differs from the baseline, in sentences that say what to do. */
export function departures(now: Complexity, baseline: Complexity): readonly string[] {
  const files = [...new Set([...Object.keys(now), ...Object.keys(baseline)])];
  return files.flatMap((file) => {
    const names = [...new Set([...Object.keys(now[file] ?? {}), ...Object.keys(baseline[file] ?? {})])];
    return names.flatMap(
      (name) => departure(`${file}: ${name}`, now[file]?.[name], baseline[file]?.[name]) ?? [],
    );
  });
}

function departure(name: string, now: number | undefined, known: number | undefined): string | undefined {
  if (now === known) return undefined;
  if (now === undefined) return `${name} is no longer above 15: remove it from the baseline`;
  if (known === undefined) return `${name} has a cognitive complexity of ${now}: divide it into named steps`;
  return now > known
    ? `${name} has grown from ${known} to ${now}: divide it into named steps`
    : `${name} has shrunk from ${known} to ${now}: write that into the baseline`;
}

if (import.meta.main) console.log(JSON.stringify(complexOfProject(), undefined, 2));
