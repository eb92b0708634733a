import { memo } from "../memo.ts";
import { type Name, type Span, type Value, valuesOf } from "../parse/nodes.ts";
import type { Cell, LinesCell } from "../parse/parseCell.ts";

/** A use of a name. The span is the name without the $. */
export interface Reference extends Span {
  readonly name: string;
  /** Index of its statement in the cell. */
  readonly statement: number;
}

export const referencesIn = memo((cell: LinesCell): readonly Reference[] =>
  cell.statements.flatMap(({ offset, statement }, index) => {
    return valuesOf(statement)
      .flatMap(referencesOf)
      .map(({ name, start, end }) => ({ name, start: offset + start, end: offset + end, statement: index }));
  }),
);

/** A variable in a cell. Its span includes the braces and a unit. */
export interface VariableUse extends Span {
  readonly name: string;
  readonly unit?: Name;
}

/** A text in quotes. */
export interface TextUse extends Span {
  readonly text: string;
}

/**
 * The variables of a cell, and its texts, which may contain some by mistake. JSON is sent as written, so a cell of JSON
 * has those of the lines above it.
 */
export const variablesUsedIn = memo((cell: Cell) => {
  const variables: VariableUse[] = [];
  const texts: TextUse[] = [];
  for (const { offset, statement } of cell.form === "lines" ? cell.statements : cell.above) {
    const visit = (value: Value): void => {
      const span = { start: offset + value.start, end: offset + value.end };
      if (value.kind === "variable")
        variables.push({ ...span, name: value.name, ...(value.unit ? { unit: value.unit } : {}) });
      if (value.kind === "string" && statement.kind !== "directive")
        texts.push({ ...span, text: value.value });
      innerValues(value).forEach(visit);
    };
    valuesOf(statement).forEach(visit);
  }
  return { variables, texts };
});

/** The values inside a value. */
export function innerValues(value: Value): readonly Value[] {
  switch (value.kind) {
    case "object":
      return value.members.map((member) => member.value);
    case "array":
      return value.items;
    case "apply":
      return value.args;
    case "option":
      return [value.value];
    default:
      return [];
  }
}

/** The names that a value uses, relative to the start of its statement. */
function referencesOf(value: Value): readonly (Span & { readonly name: string })[] {
  const found: (Span & { readonly name: string })[] = [];
  nestingOf(value, ({ name, start }) => {
    found.push({ name, start: start + 1, end: start + 1 + name.length });
    return 0;
  });
  return found;
}

type ReferenceValue = Extract<Value, { kind: "reference" }>;

/** The nesting depth of a value; `ofName` returns the depth of a name. */
export function nestingOf(value: Value, ofName: (reference: ReferenceValue) => number): number {
  switch (value.kind) {
    case "reference":
      return ofName(value);
    case "array":
      return 1 + deepest(value.items, (item) => nestingOf(item, ofName));
    case "object":
      return 1 + deepest(value.members, ({ value: member }) => nestingOf(member, ofName));
    case "apply":
      return 1 + deepest(value.args, (arg) => nestingOf(arg, ofName));
    case "option":
      return nestingOf(value.value, ofName);
    default:
      return 0;
  }
}

function deepest<Part>(parts: readonly Part[], nesting: (part: Part) => number): number {
  let most = 0;
  for (const part of parts) most = Math.max(most, nesting(part));
  return most;
}
