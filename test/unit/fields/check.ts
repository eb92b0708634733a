import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Api } from "../../../src/api/call/client.ts";
import type { DialectId } from "../../../src/api/dialect/dialect.ts";
import type { Table } from "../../../src/api/table.ts";
import { pathsIn } from "./members.ts";
import type { ViewName } from "./place.ts";
import { absent, kindAt, plainValue, sampleOf } from "./sample.ts";
import { type Replies, type RowName, rows, serviceOf } from "./service.ts";
import { allPlaces } from "./table/fieldTable.ts";

/**
 * Two values of a member, and the text that shows the second one: by default the value itself, in which the thousands of
 * a number may be separated. `differs` if the text shows it in other words.
 */
export type Values = readonly [
  before: unknown,
  after: unknown,
  shownAs?: string | typeof differs | undefined,
];

export const differs = Symbol("differs");

/** A view of the replies of one row. */
export interface Check {
  readonly row: RowName;
  readonly view: ViewName;
  /** Of members for which any value of their type will not do. */
  readonly values?: Readonly<Record<string, Values>>;
  /** The name in a record, by its path. */
  readonly names?: Readonly<Record<string, string>>;
  /** Members that this reply does not have, with all below them: a view may show one member in place of another. */
  readonly without?: readonly string[];
  /** Members in place of which this reply shows others. */
  readonly unseen?: readonly string[];
  /** Default: `standard`. */
  readonly dialect?: DialectId;
  /** The replies of other rows that the view needs. */
  readonly others?: Replies;
  /** What the view shows, with tooltips and all that can be unfolded. */
  readonly text: (api: Api<Table>, t: TestContext) => Promise<string>;
}

/** The members of a row's replies that a view shows. */
function shownIn(row: RowName, view: ViewName): string[] {
  return allPlaces.flatMap((one) =>
    one.row === row && one.side === "reply" && "shown" in one.place && one.place.shown === view
      ? [one.path]
      : [],
  );
}

/** The name of the test that runs a check. */
export function titleOf({ row, view, without = [] }: Omit<Check, "text">): string {
  const left = without.length === 0 ? "" : `, without ${without.join(", ")}`;
  return `${view} shows the members of ${row}${left}`;
}

/** The members that a check looks for. */
export function checkedIn({ row, view, without = [], unseen = [] }: Omit<Check, "text">): string[] {
  return shownIn(row, view).filter((path) => ![...without, ...unseen].some((one) => isIn(path, one)));
}

function isIn(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}.`);
}

/**
 * Shows one reply, then one with other values: the text must have each new value instead of the old one. A member whose
 * value is shown in other words is changed alone: the text must change.
 */
export async function runCheck(check: Check, t: TestContext): Promise<void> {
  const { row, values = {}, names = {}, without = [], others = {}, dialect = "standard", text } = check;
  const schema = rows[row].output;
  const unknown = [...Object.keys(values), ...without].filter(
    (path) => !pathsIn(schema).some((one) => isIn(one, path)),
  );
  assert.deepEqual(unknown, [], "the reply has no such members");
  const valuesOf = (path: string): Values => {
    const kind = kindAt(schema, path);
    const known = [plainValue(kind, path, 0), plainValue(kind, path, 1)] as const;
    return values[path] ?? (kind === "boolean" ? [...known, differs] : known);
  };
  const checked = checkedIn(check);
  const textWith = async (changed: readonly string[]) => {
    const reply = sampleOf(schema, (path, kind) => {
      if (kind === "name") return names[path];
      if (without.includes(path)) return absent;
      if (!changed.includes(path)) return values[path]?.[0];
      // A list has the path of its elements.
      return values[path] || kind === kindAt(schema, path) ? valuesOf(path)[1] : undefined;
    });
    const { api } = serviceOf({ ...others, [row]: reply }, { dialect });
    return (await text(api, t)).replaceAll(/(?<=\d),(?=\d{3})/g, "");
  };
  const before = await textWith([]);
  const [reworded, plain] = [true, false].map((isReworded) =>
    checked.filter((path) => (valuesOf(path)[2] === differs) === isReworded),
  ) as [string[], string[]];
  const now = await textWith(plain);
  for (const path of plain) {
    const [, after, shownAs = String(after)] = valuesOf(path);
    assert.ok(
      !before.includes(String(shownAs)),
      `${path}: ${String(shownAs)} is shown without it:\n${before}`,
    );
    assert.ok(now.includes(String(shownAs)), `${path}: ${String(shownAs)} is not in:\n${now}`);
  }
  for (const path of reworded) assert.notEqual(await textWith([path]), before, path);
}
