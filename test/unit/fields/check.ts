import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Api } from "../../../src/api/call/client.ts";
import type { DialectId } from "../../../src/api/dialect/dialect.ts";
import type { Table } from "../../../src/api/table.ts";
import { pathsIn } from "./members.ts";
import type { ViewName } from "./place.ts";
import { kindAt, plainValue, sampleOf } from "./sample.ts";
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

const differs = Symbol("differs");

/** A view of the replies of one row. */
export interface Check {
  readonly row: RowName;
  readonly view: ViewName;
  /** Of members for which any value of their type will not do. */
  readonly values?: Readonly<Record<string, Values>>;
  /** The name in a record, by its path. */
  readonly names?: Readonly<Record<string, string>>;
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

/** Changes one member after the other: the view's text must change with each, to its new value. */
export async function runCheck(
  { row, view, values = {}, names = {}, others = {}, dialect = "standard", text }: Check,
  t: TestContext,
) {
  const schema = rows[row].output;
  const unknown = Object.keys(values).filter((path) => !pathsIn(schema).includes(path));
  assert.deepEqual(unknown, []);
  const valuesOf = (path: string): Values => {
    const kind = kindAt(schema, path);
    return (
      values[path] ?? [
        plainValue(kind, path, 0),
        plainValue(kind, path, 1),
        kind === "boolean" ? differs : undefined,
      ]
    );
  };
  const textWith = async (changed?: string) => {
    const reply = sampleOf(schema, (path, kind) => {
      if (kind === "name") return names[path];
      return path === changed ? valuesOf(path)[1] : values[path]?.[0];
    });
    const { api } = serviceOf({ ...others, [row]: reply }, { dialect });
    return (await text(api, t)).replaceAll(/(?<=\d),(?=\d{3})/g, "");
  };
  const before = await textWith();
  for (const path of shownIn(row, view)) {
    const [, after, shownAs = String(after)] = valuesOf(path);
    const now = await textWith(path);
    assert.notEqual(now, before, `${path}: ${now}`);
    if (shownAs === differs) continue;
    assert.ok(!before.includes(shownAs), `${path}: ${shownAs} is shown without it:\n${before}`);
    assert.ok(now.includes(shownAs), `${path}: ${shownAs} is not in:\n${now}`);
  }
}
