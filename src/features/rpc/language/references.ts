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
export function referencesOf(value: Value): readonly (Span & { readonly name: string })[] {
  switch (value.kind) {
    case "reference":
      return [{ name: value.name, start: value.start + 1, end: value.start + 1 + value.name.length }];
    case "array":
      return value.items.flatMap(referencesOf);
    case "object":
      return value.members.flatMap((member) => referencesOf(member.value));
    case "apply":
      return value.args.flatMap(referencesOf);
    case "option":
      return referencesOf(value.value);
    default:
      return [];
  }
}
