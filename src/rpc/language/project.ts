import { defaultNetwork } from "../../shared/rpc/networks.ts";
import type { CellFacts } from "./check/cellFacts.ts";
import type { AbiFile } from "./encode/abiJson.ts";
import { isEnvironmentName } from "./environment/envFile.ts";
import { type Environments, type FoundVariable, findVariable } from "./environment/environments.ts";
import { memo } from "./memo.ts";
import type { Expectation, Name, Placed, Request, Statement, Value } from "./parse/nodes.ts";
import type { Cell, LinesCell } from "./parse/parseCell.ts";

export interface ProjectCell {
  /** Identifies the cell in its notebook. */
  readonly key: string;
  readonly cell: Cell;
  readonly facts: CellFacts;
}

/** A parsed notebook. */
export interface Project {
  /** The request cells, in the order of the notebook. */
  readonly cells: readonly ProjectCell[];
  /** The default networks, from the front matter. */
  readonly networks: readonly string[];
  /** Replaces the networks of all cells. */
  readonly onlyNetwork?: string;
  /** The available networks, including `local`. */
  readonly offered: readonly string[];
  /** The files of @abi directives, by their path in the source. */
  readonly abiFiles?: ReadonlyMap<string, AbiFile>;
  readonly environments?: Environments;
}

/** The definition of a name. Offsets count from the start of the cell. */
export interface Definition extends Name {
  readonly cell: number;
  /** Index of its statement in the cell; -1 for the name of the cell itself. */
  readonly statement: number;
  readonly constant: Value | undefined;
  readonly request: Request | undefined;
}

export function directivesOf(cell: Cell, word: string): readonly Placed<Directive>[] {
  const all = cell.form === "lines" ? partsOf(cell).directives : directivesIn(cell.above);
  return all.filter(({ statement }) => statement.word.text === word);
}

export function directivesIn(statements: readonly Placed[]): readonly Placed<Directive>[] {
  return statements.filter((one): one is Placed<Directive> => one.statement.kind === "directive");
}

export type Directive = Extract<Statement, { kind: "directive" }>;
type Constant = Extract<Statement, { kind: "constant" }>;

/** The requests of a cell of lines. */
export function requestsOf(cell: LinesCell): readonly Placed<Statement & Request>[] {
  return partsOf(cell).requests;
}

/** Networks of one cell. */
export const maxNetworks = 50;

/**
 * The networks of a cell, from the first of these that names any: directive, fence, front matter, default. Empty if its
 * directive names one that can't be used: then the cell has no network, and must not run on another one.
 */
export function networksOfCell(project: Project, cell: ProjectCell): readonly string[] {
  return namedNetworks(project, cell).slice(0, maxNetworks);
}

/** The same without the limit. */
export function namedNetworks(project: Project, one: ProjectCell): readonly string[] {
  if (project.onlyNetwork !== undefined) return [project.onlyNetwork];
  const own = directivesOf(one.cell, "network").flatMap(({ statement }) =>
    statement.args.map((arg) => networkNamedBy(project, one, arg)),
  );
  if (own.length > 0) {
    const slugs = own.flatMap((named) => ("slug" in named ? [named.slug] : []));
    return slugs.length === own.length ? [...new Set(slugs)] : [];
  }
  const named = [one.facts.networks ?? [], project.networks].find((list) => list.length > 0);
  return [...new Set(named ?? [defaultNetwork])];
}

/** What an argument of @network names, or why it names no network. */
type NamedNetwork = { readonly slug: string } | { readonly unusable: UnusableNetwork };
/** A variable without a value, whose file is being read, or that is secret; or a value that is no name. */
export type UnusableNetwork = "no-value" | "being-read" | "secret" | "no-name";

export function networkNamedBy(project: Project, one: ProjectCell, arg: Value): NamedNetwork {
  if (arg.kind !== "variable") {
    const [slug] = textOf(arg);
    return slug === undefined ? { unusable: "no-name" } : { slug };
  }
  const found = findVariable(environmentsOf(project), environmentOfCell(project, one), arg.name);
  if (!found) return { unusable: "being-read" };
  if ("problem" in found || found.variable.value === "") return { unusable: "no-value" };
  // The network of a request is shown and stored.
  return found.variable.isSecret ? { unusable: "secret" } : { slug: found.variable.value };
}

const noEnvironments: Environments = { offered: [], files: new Map(), given: new Map() };

export function environmentsOf({ environments = noEnvironments }: Project): Environments {
  return environments;
}

/** The environment that a cell names itself. */
export function namedEnvironment(cell: Cell): string | undefined {
  return directivesOf(cell, "env")[0]?.statement.args.flatMap(textOf).find(isEnvironmentName);
}

/** The environment of a cell: of its @env, else that of the notebook. */
export function environmentOfCell(
  project: Project,
  one: Pick<ProjectCell, "cell"> | undefined,
): string | undefined {
  return (one && namedEnvironment(one.cell)) ?? environmentsOf(project).chosen;
}

/** A variable of a cell; undefined while its file is being read. */
export function variableOfCell(project: Project, index: number, name: string): FoundVariable | undefined {
  return findVariable(environmentsOf(project), environmentOfCell(project, project.cells[index]), name);
}

/** The text of a word or string; empty for other values. */
export function textOf(value: Value): string[] {
  if (value.kind === "word") return [value.text];
  return value.kind === "string" ? [value.value] : [];
}

/** The names that a cell defines. */
export function definitionsIn(project: Project, index: number): readonly Definition[] {
  return namesIn(project).byCell[index] ?? [];
}

interface Names {
  readonly byCell: readonly (readonly Definition[])[];
  /** Definitions of each name, in the order of the notebook. */
  readonly byName: ReadonlyMap<string, readonly Definition[]>;
}

const namesIn = memo((project: Project): Names => {
  const byCell = project.cells.map(({ cell, facts: { name } }, index): readonly Definition[] => {
    const own = cell.form === "lines" ? partsOf(cell).names : [];
    const definitions = own.map((definition) => ({ ...definition, cell: index }));
    if (!name || own.some(({ text }) => text === name)) return definitions;
    const ofCell = {
      text: name,
      start: 0,
      end: 0,
      cell: index,
      statement: -1,
      constant: undefined,
      request: undefined,
    };
    return [...definitions, ofCell];
  });
  const byName = new Map<string, Definition[]>();
  for (const definition of byCell.flat()) {
    const same = byName.get(definition.text);
    if (same) same.push(definition);
    else byName.set(definition.text, [definition]);
  }
  return { byCell, byName };
});

/** The definition of a name at a statement: the last one before it, else the next one after it. */
export function definitionOf(
  project: Project,
  name: string,
  cell: number,
  statement: number,
): Definition | undefined {
  const all = namesIn(project).byName.get(name) ?? [];
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = all[middle];
    if (one && isBefore(one, cell, statement)) low = middle + 1;
    else high = middle;
  }
  // A cell can't use its own name.
  const above = all.slice(Math.max(0, low - 2), low).findLast((one) => !isOwnName(one, cell));
  if (above) return above;
  return all.slice(low, low + 2).find((one) => one.cell !== cell || one.statement !== statement);
}

function isOwnName({ cell, statement }: Definition, inCell: number): boolean {
  return cell === inCell && statement < 0;
}

/** The definition of a name, if it is before the statement. */
export function definitionBefore(
  project: Project,
  name: string,
  cell: number,
  statement: number,
): Definition | undefined {
  const found = definitionOf(project, name, cell, statement);
  return found && isBefore(found, cell, statement) ? found : undefined;
}

/** True if a definition is before the statement, so that it has a value when the statement runs. */
export function isBefore(definition: Definition, cell: number, statement: number): boolean {
  return definition.cell < cell || (definition.cell === cell && definition.statement < statement);
}

/** The expectations of a cell of lines. */
export function expectationsOf(cell: LinesCell): readonly Placed<Statement & Expectation>[] {
  return partsOf(cell).expectations;
}

interface Parts {
  readonly expectations: readonly Placed<Statement & Expectation>[];
  readonly requests: readonly Placed<Statement & Request>[];
  readonly directives: readonly Placed<Directive>[];
  readonly constants: readonly Placed<Constant>[];
  readonly names: readonly Omit<Definition, "cell">[];
}

const partsOf = memo((cell: LinesCell): Parts => {
  const names: Omit<Definition, "cell">[] = [];
  cell.statements.forEach(({ offset, statement }, index) => {
    const name = statement.kind === "constant" || statement.kind === "request" ? statement.name : undefined;
    if (!name) return;
    const constant = statement.kind === "constant" ? statement.value : undefined;
    const request = statement.kind === "request" ? statement : undefined;
    const place = { start: offset + name.start, end: offset + name.end };
    names.push({ text: name.text, ...place, statement: index, constant, request });
  });
  const ofKind = <K extends Statement["kind"]>(kind: K) =>
    cell.statements.filter(
      (placed): placed is Placed<Extract<Statement, { kind: K }>> => placed.statement.kind === kind,
    );
  return {
    names,
    expectations: ofKind("expect"),
    requests: ofKind("request"),
    directives: ofKind("directive"),
    constants: ofKind("constant"),
  };
});

/** The index of the statement at an offset. */
export function indexOfStatement(cell: LinesCell, offset: number): number {
  let low = 0;
  let high = cell.statements.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((cell.statements[middle]?.offset ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
