// `node test/rules/structure/copies.ts` lists functions of the sources that do the same. A rules test holds that there are none.
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type Node, parseSync, visitorKeys } from "oxc-parser";
import { root } from "../../tools/paths.ts";
import { sourceFiles } from "./sources.ts";
import { lineAt, lineStarts } from "./structure.ts";

/** A function declaration, a constant that holds a function, or a method of a class. */
export interface Helper {
  readonly file: string;
  readonly name: string;
  readonly line: number;
  /** Its syntax tree without types and white space. Its own names are numbered, those of its file resolved. */
  readonly body: string;
  /** Names, literals and operators in it. */
  readonly size: number;
}

/**
 * A smaller function is as short as the call of it: `typeof value === "string"` is 4, `(one, other) => one - other` and
 * `value.toString(16)` are 5. The smallest copies that count are 6: `JSON.parse` in a `try`, `0x${value.toString(16)}`.
 */
const smallestSize = 6;

/** Groups of functions that do the same, the largest functions first. */
export function copiesIn(helpers: readonly Helper[]): Helper[][] {
  const large = helpers.filter(({ size }) => size >= smallestSize);
  return [...Map.groupBy(large, ({ body }) => body).values()]
    .filter((group) => group.length > 1)
    .sort((a, b) => (b[0]?.size ?? 0) - (a[0]?.size ?? 0));
}

/** Functions of a file that could stand in another one: those that use no variable of a function around them. */
export function helpersOf(file: string, text: string): Helper[] {
  const { program, errors } = parseSync(file, text, { preserveParens: false });
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const known = new FileNames(file, program);
  const starts = lineStarts(text);
  const found: Helper[] = [];
  const visit = (node: Node, outer: ReadonlySet<string>) => {
    const named = toNamed(node);
    if (named) {
      const { body, size, free } = normalised(named.value, named.name, known);
      const line = lineAt(starts, node.start);
      if (!free.some((name) => outer.has(name))) found.push({ file, name: named.name, line, body, size });
    }
    const inner = isFunction(node) ? new Set([...outer, ...boundIn(node)]) : outer;
    for (const child of childrenOf(node)) visit(child, inner);
  };
  visit(program, new Set());
  return found;
}

function toNamed(node: Node): { readonly name: string; readonly value: Node } | undefined {
  if (node.type === "FunctionDeclaration" && node.body) return { name: node.id?.name ?? "", value: node };
  if (
    node.type === "VariableDeclarator" &&
    node.id.type === "Identifier" &&
    node.init &&
    isFunction(node.init)
  )
    return { name: node.id.name, value: node.init };
  const isMember = node.type === "MethodDefinition" || node.type === "PropertyDefinition";
  if (!isMember || !node.value || !isFunction(node.value)) return undefined;
  return { name: "name" in node.key ? String(node.key.name) : "", value: node.value };
}

function isFunction(node: Node): boolean {
  return ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"].includes(node.type);
}

/** What a name of a file means: `path#name` of an import, or what the file declares. */
class FileNames {
  readonly #imports = new Map<string, string>();
  readonly #declared = new Map<string, Node>();
  readonly #written = new Map<string, string>();

  constructor(file: string, program: Node) {
    for (const child of childrenOf(program)) {
      if (child.type === "ImportDeclaration") this.#addImport(file, child);
      const declaration = child.type === "ExportNamedDeclaration" ? child.declaration : child;
      if (declaration?.type === "FunctionDeclaration" && declaration.id)
        this.#declared.set(declaration.id.name, declaration);
      if (declaration?.type !== "VariableDeclaration") continue;
      for (const { id, init } of declaration.declarations)
        if (id.type === "Identifier" && init) this.#declared.set(id.name, init);
    }
  }

  #addImport(file: string, node: Extract<Node, { type: "ImportDeclaration" }>): void {
    const { value } = node.source;
    const path = value.startsWith(".") ? posix.join(posix.dirname(file), value) : value;
    for (const specifier of node.specifiers) {
      const name =
        specifier.type === "ImportSpecifier" && specifier.imported.type === "Identifier"
          ? specifier.imported.name
          : specifier.type;
      this.#imports.set(specifier.local.name, `${path}#${name}`);
    }
  }

  meaning(name: string): string {
    const known = this.#imports.get(name) ?? this.#written.get(name);
    if (known !== undefined) return known;
    const declared = this.#declared.get(name);
    // Meanwhile it is its name, because it may call itself.
    this.#written.set(name, name);
    const written = declared ? normalised(declared, name, this).body : name;
    this.#written.set(name, written);
    return written;
  }
}

function normalised(
  node: Node,
  name: string,
  known: FileNames,
): Pick<Helper, "body" | "size"> & { free: string[] } {
  const bound = boundIn(node);
  const numbers = new Map([[name, "$0"]]);
  const words: string[] = [];
  const free: string[] = [];
  let size = 0;
  const writeName = (word: string) => {
    if (bound.has(word) && !numbers.has(word)) numbers.set(word, `$${numbers.size}`);
    const number = numbers.get(word);
    if (number === undefined) free.push(word);
    words.push(number ?? known.meaning(word));
  };
  const write = (wrapped: Node) => {
    const inner = unwrapped(wrapped);
    if (inner.type.startsWith("TS")) return;
    const word = wordOf(inner);
    if (word !== undefined) size++;
    if (inner.type === "Identifier") return writeName(inner.name);
    words.push(`${inner.type} ${word ?? ""}(`);
    for (const child of executedIn(inner)) {
      if (isPlainKey(inner, child)) {
        size++;
        words.push(`.${"name" in child ? child.name : ""}`);
      } else write(child);
      words.push(",");
    }
    words.push(")");
  };
  if (isFunction(node)) {
    const isAsync = "async" in node && node.async === true;
    const isGenerator = "generator" in node && node.generator === true;
    words.push(isAsync ? "async" : "", isGenerator ? "*" : "");
    for (const child of executedIn(node)) write(child);
  } else write(node);
  return { body: words.join(""), size, free };
}

/** All but the name of a function. */
function executedIn(node: Node): Node[] {
  return childrenOf(node).filter((child) => !(isFunction(node) && "id" in node && node.id === child));
}

/** The name of a member, which is the same whatever variables are called. */
function isPlainKey(node: Node, child: Node): boolean {
  const isKey = "key" in node && node.key === child;
  const isProperty = node.type === "MemberExpression" && node.property === child;
  return (isKey || isProperty) && !("computed" in node && node.computed === true) && "name" in child;
}

/** Names that a function, or what is in it, declares. */
function boundIn(node: Node): Set<string> {
  const names = new Set<string>();
  const visit = (inner: Node) => {
    if (inner.type === "VariableDeclarator") addPattern(inner.id, names);
    if (inner.type === "CatchClause" && inner.param) addPattern(inner.param, names);
    if (isFunction(inner) && "params" in inner)
      for (const param of inner.params as Node[]) addPattern(param, names);
    if (inner !== node && inner.type === "FunctionDeclaration" && inner.id) names.add(inner.id.name);
    for (const child of childrenOf(inner)) visit(child);
  };
  visit(node);
  return names;
}

function addPattern(pattern: Node, names: Set<string>): void {
  if (pattern.type === "Identifier") names.add(pattern.name);
  else if (pattern.type === "Property") addPattern(pattern.value, names);
  else if (pattern.type === "AssignmentPattern") addPattern(pattern.left, names);
  else for (const child of childrenOf(pattern)) addPattern(child, names);
}

/** Without what changes nothing: a cast, a block around one statement, `return` where an expression would do. */
function unwrapped(node: Node): Node {
  switch (node.type) {
    case "TSAsExpression":
    case "TSNonNullExpression":
    case "TSSatisfiesExpression":
    case "ChainExpression":
    case "ExpressionStatement":
      return unwrapped(node.expression);
    case "BlockStatement": {
      const [only, ...others] = node.body;
      return only && others.length === 0 ? unwrapped(only) : node;
    }
    case "ReturnStatement":
      return node.argument ? unwrapped(node.argument) : node;
    default:
      return node;
  }
}

function wordOf(node: Node): string | undefined {
  if (node.type === "Identifier" || node.type === "PrivateIdentifier") return node.name;
  if (node.type === "Literal") return node.raw ?? String(node.value);
  if (node.type === "TemplateElement") return node.value.raw || undefined;
  if (node.type === "VariableDeclaration") return node.kind;
  if ("operator" in node) return "prefix" in node ? `${node.operator} ${node.prefix}` : node.operator;
  const isOptional = "optional" in node && node.optional === true;
  if (node.type === "CallExpression") return isOptional ? "?.()" : "()";
  return isOptional ? "?." : undefined;
}

function childrenOf(node: Node): Node[] {
  const members = new Map(Object.entries(node));
  return (visitorKeys[node.type] ?? []).flatMap((key): Node[] => {
    const child: Node | (Node | null)[] | null | undefined = members.get(key);
    return (Array.isArray(child) ? child : [child]).filter((inner) => inner != null);
  });
}

/** All functions of the sources. */
export function readHelpers(): Helper[] {
  return sourceFiles().flatMap((file) => helpersOf(file, readFileSync(join(root, file), "utf8")));
}

if (import.meta.main) {
  const groups = copiesIn(readHelpers());
  for (const group of groups) {
    console.log(`size ${group[0]?.size}`);
    for (const { file, line, name } of group) console.log(`  ${file}:${line} ${name}`);
  }
  console.log(`${groups.flatMap((group) => group.slice(1)).length} copies of ${groups.length} functions`);
}
