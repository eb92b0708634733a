import { memo } from "./memo.ts";
import type { Span, Value } from "./nodes.ts";
import type { LinesCell } from "./parseCell.ts";

/** A place where a name is used; the span covers the name, without the $ before it. */
export interface Reference extends Span {
  readonly name: string;
  /** Place of its statement among those of the cell. */
  readonly statement: number;
}

export const referencesIn = memo((cell: LinesCell): readonly Reference[] =>
  cell.statements.flatMap(({ offset, statement }, index) => {
    const values =
      statement.kind === "constant"
        ? [statement.value]
        : statement.kind === "request" || statement.kind === "directive"
          ? statement.args
          : [];
    return values.flatMap(referencesOf).map(({ name, start, end }) => ({
      name,
      start: offset + start,
      end: offset + end,
      statement: index,
    }));
  }),
);

/** The names that a value uses, counted from the start of its statement. */
function referencesOf(value: Value): readonly (Span & { readonly name: string })[] {
  const found: (Span & { readonly name: string })[] = [];
  nestingOf(value, ({ name, start }) => {
    found.push({ name, start: start + 1, end: start + 1 + name.length });
    return 0;
  });
  return found;
}

type ReferenceValue = Extract<Value, { kind: "reference" }>;

/** How deep a value nests; how deep a name goes is for the caller to say. */
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
