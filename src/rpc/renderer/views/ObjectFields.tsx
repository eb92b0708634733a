import type { JSX } from "preact";
import { isList, type JsonObject } from "../../output/json.ts";
import type { Json } from "../../output/rpcOutput.ts";
import { areRows } from "../data/fields/columns.ts";
import { ownMembers } from "../data/readOutput.ts";
import { Field, Fields, FieldValue } from "../parts/Field.tsx";
import { JsonTree } from "./JsonTree.tsx";
import { RowsTable } from "./RowsTable.tsx";

interface Props {
  readonly value: JsonObject;
  readonly path: string;
  readonly changed: ReadonlySet<string>;
  /** Members to show first, in this order. */
  readonly first?: readonly string[];
  /** Members that are shown elsewhere. */
  readonly without?: readonly string[];
  /** Custom rendering of a member; undefined for the default. */
  readonly draw?: (name: string, member: Json) => JSX.Element | undefined;
}

const most = 120;

/** The members of an object as rows, including additional members of some chains. */
export function ObjectFields({ value, path, changed, first = [], without = [], draw }: Props): JSX.Element {
  const members = ownMembers(value);
  const names = [
    ...first.filter((name) => members.has(name)),
    ...[...members.keys()].filter((name) => !first.includes(name)),
  ];
  const shown = names.filter((name) => !without.includes(name));
  return (
    <>
      <Fields>
        {shown.slice(0, most).map((name) => {
          const member = members.get(name) ?? null;
          return (
            <Field key={name} name={name} changed={isChanged(changed, name)}>
              {draw?.(name, member) ?? <Member name={name} value={member} path={`${path}/${name}`} />}
            </Field>
          );
        })}
      </Fields>
      {shown.length > most && <p class="quiet">{shown.length - most} more members, shown in JSON.</p>}
    </>
  );
}

function Member({
  name,
  value,
  path,
}: {
  readonly name: string;
  readonly value: Json;
  readonly path: string;
}): JSX.Element {
  if (isList(value) && areRows(value)) return <RowsTable rows={value} name={path} label={name} />;
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  if (typeof value === "object" && value !== null && !isEmpty) return <JsonTree value={value} path={path} />;
  return <FieldValue name={name} value={value} />;
}

/** True if the member or a part of it has changed since the previous run. */
function isChanged(changed: ReadonlySet<string>, name: string): boolean {
  for (const path of changed) {
    if (path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`)) return true;
  }
  return false;
}
