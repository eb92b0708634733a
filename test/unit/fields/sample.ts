// Values of every member of a schema, each unlike all others, so that a text shows which of them it contains.
import type * as z from "zod";
import { type Definition, described, wholeBody } from "./members.ts";

/** The value of a member by its path; undefined for one by its type. `kind` is that of the schema: `number`, `object` …, and `name` for the name in a record. */
export type ValueAt = (path: string, kind: string) => unknown;

/** In place of a member's value: the member is left out. */
export const absent = Symbol("absent");

/**
 * A value of the schema with all of its members. Lists have one element, records one name. `turn` is 0 or 1: both values
 * of a member differ, if its type has two.
 */
export function sampleOf(schema: z.core.$ZodType, valueAt: ValueAt): unknown {
  return new Sampling(valueAt).of(schema, []);
}

/** The value of a member that no one has chosen: a number of four digits, or a word with it. */
export function plainValue(kind: string, path: string, turn: 0 | 1): unknown {
  const number = 1000 + (hash(path) % 4000) + turn * 4500;
  if (kind === "boolean") return turn === 0;
  return kind === "number" ? number : `word${number}`;
}

/** The kind of the member at a path: `number`, `string` … */
export function kindAt(schema: z.core.$ZodType, path: string): string {
  let kind = "";
  sampleOf(schema, (current, type) => {
    if (current === path && type !== undefined) kind = type;
    return undefined;
  });
  return kind;
}

function hash(text: string): number {
  let sum = 7;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum;
}

class Sampling {
  readonly #valueAt: ValueAt;

  constructor(valueAt: ValueAt) {
    this.#valueAt = valueAt;
  }

  of(schema: z.core.$ZodType, path: readonly string[]): unknown {
    const found = described.get(schema);
    if (found) return this.of(found, path);
    const { type } = schema._zod.def;
    const kind = type === "custom" ? "number" : type;
    const chosen = this.#valueAt(path.join(".") || wholeBody, kind);
    if (chosen !== undefined) return chosen;
    const {
      shape,
      element,
      options,
      innerType,
      in: from,
      valueType,
      values,
      entries,
    } = schema._zod.def as Definition;
    if (shape) {
      const members = Object.entries(shape).map(([name, member]) => [name, this.of(member, [...path, name])]);
      return Object.fromEntries(members.filter(([, value]) => value !== absent));
    }
    if (element) return [this.of(element, path)];
    const inner = options?.[0] ?? innerType ?? from;
    if (inner) return this.of(inner, path);
    if (type === "record" && valueType) {
      const name = this.#valueAt(path.join("."), "name") ?? `name${hash(path.join("."))}`;
      return { [String(name)]: this.of(valueType, [...path, "*"]) };
    }
    if (values) return values[0];
    if (entries) return Object.values(entries)[0];
    return plainValue(kind, path.join("."), 0);
  }
}
