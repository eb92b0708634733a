import { memo } from "../memo.ts";
import type { Request } from "../parse/nodes.ts";
import type { Cell } from "../parse/parseCell.ts";
import { directivesOf, type Project, requestsOf } from "../project.ts";

/** The arguments of a cell's @abi directives: declarations and file paths. */
export function declarationsOf(cell: Cell): readonly string[] {
  return directivesOf(cell, "abi").flatMap(({ statement }) =>
    statement.args.flatMap((arg) => (arg.kind === "string" ? [arg.value] : [])),
  );
}

/** True for the path of a file, false for a declaration. */
export function isAbiPath(text: string): boolean {
  return /^[^()]+\.json$/i.test(text);
}

/** The human-readable declarations of a notebook and its files. */
export const declaredIn = memo(({ cells, abiFiles }: Project): readonly string[] =>
  cells
    .flatMap(({ cell }) => declarationsOf(cell))
    .flatMap((text) => {
      if (!isAbiPath(text)) return [text];
      const file = abiFiles?.get(text);
      return file && "declarations" in file ? file.declarations : [];
    }),
);

/** The declared functions of a notebook, and the signatures that its lines call. */
export const functionsIn = memo((project: Project): readonly string[] => [
  ...declaredIn(project).filter((one) => headOf(one).kind === "function"),
  ...project.cells.flatMap(({ cell }) =>
    cell.form === "lines" ? requestsOf(cell).flatMap(({ statement }) => calledIn(statement)) : [],
  ),
]);

function calledIn({ method, args }: Request): readonly string[] {
  if (method.text !== "call") return [];
  const [, called] = args.filter(({ kind }) => kind !== "option");
  if (called?.kind === "signature") return [called.text];
  return called?.kind === "string" ? [called.value] : [];
}

type Declared = "function" | "event";

/** Declarations with one name: the first, and the first with each number of inputs. */
interface Named {
  readonly first: string;
  readonly byInputs: Map<number, string>;
}

const namesOf = memo((project: Project): ReadonlyMap<string, Named> => {
  const names = new Map<string, Named>();
  for (const one of declaredIn(project)) {
    const { kind, name } = headOf(one);
    const key = `${kind} ${name}`;
    const named = names.get(key) ?? { first: one, byInputs: new Map() };
    const inputs = inputsOf(one);
    if (!named.byInputs.has(inputs)) named.byInputs.set(inputs, one);
    names.set(key, named);
  }
  return names;
});

/** The declaration of a bare name, preferably with this number of inputs; without a declaration, the name. */
export function declarationNamed(project: Project, name: string, kind: Declared, inputs: number): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) return name;
  const named = namesOf(project).get(`${kind} ${name}`);
  return named?.byInputs.get(inputs) ?? named?.first ?? name;
}

/** The declarations by name. */
export function declaredNames(kind: Declared, declared: readonly string[]): Map<string, string> {
  return new Map(
    declared.flatMap((one) => {
      const name = nameOf(one, kind);
      return name ? [[name, one.trim().replace(/^(function|event)\s+/, "")] as const] : [];
    }),
  );
}

function nameOf(declaration: string, expected: Declared): string | undefined {
  const { kind, name } = headOf(declaration);
  return kind === expected ? name : undefined;
}

function headOf(declaration: string): { readonly kind: string; readonly name: string | undefined } {
  const [, kind = "function", name] =
    /^\s*(?:(function|event|error)\s+)?([A-Za-z_]\w*)\s*\(/.exec(declaration) ?? [];
  return { kind, name };
}

/** The number of inputs. A tuple counts as one. */
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
