import { findVariable } from "../environment/environments.ts";
import type { Span, Value } from "../parse/nodes.ts";
import { directivesOf, environmentOfCell, environmentsOf, type Project, textOf } from "../project.ts";

/** The key that a cell names, or why it names none. */
export type NamedKey = Span & ({ readonly key: string } | { readonly problem: string });

/** The `@idempotency` of a cell; undefined without one. */
export function namedKey(project: Project, index: number): NamedKey | undefined {
  const one = project.cells[index];
  const [first, second] = one ? directivesOf(one.cell, "idempotency") : [];
  if (!one || !first) return undefined;
  const span = spanOf(first);
  if (second)
    return {
      ...spanOf(second),
      problem: "A cell has one request and one key: @idempotency is written twice",
    };
  const [arg, ...others] = first.statement.args;
  if (!arg || others.length > 0) return { ...span, problem: "Write one key: @idempotency nightly-check-1" };
  const { key, problem } = keyIn(arg, (name) =>
    findVariable(environmentsOf(project), environmentOfCell(project, one), name),
  );
  if (problem !== undefined) return { ...span, problem };
  const broken = keyProblem(key);
  return broken === undefined ? { ...span, key } : { ...span, problem: broken };
}

function spanOf({ offset, statement }: ReturnType<typeof directivesOf>[number]): Span {
  return { start: offset + statement.word.start, end: offset + statement.end };
}

function keyIn(arg: Value, variable: (name: string) => ReturnType<typeof findVariable>) {
  if (arg.kind !== "variable") return { key: textOf(arg)[0] ?? "" };
  const found = variable(arg.name);
  if (!found)
    return {
      key: "",
      problem: `The file with the value of {{${arg.name}}} is being read. Run the cell again`,
    };
  if ("problem" in found) return { key: "", problem: found.problem };
  const { value, isSecret } = found.variable;
  // The service stores it, and problems quote it.
  return isSecret
    ? { key: "", problem: `{{${arg.name}}} can't be the key, because the variable is secret` }
    : { key: value };
}

/** The longest key (spec E3). */
const longestKey = 255;

/** Why a service does not take a key. One that is malformed is ignored by some (wire.md section 9), and billed again. */
function keyProblem(key: string): string | undefined {
  if (/^[A-Za-z0-9_-]+$/.test(key) && key.length <= longestKey) return undefined;
  const rule = `must have 1 to ${longestKey} of the characters A-Z, a-z, 0-9, _ and -`;
  if (key.length > longestKey) return `The key of @idempotency ${rule}, not ${key.length}`;
  return `The key of @idempotency ${rule}, unlike "${key.slice(0, 60)}"`;
}
