import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { JsonObject } from "../../output/json.ts";
import { columnsOf } from "../data/fields/columns.ts";
import { cutFieldText, wholeLength } from "../data/fields/fieldText.ts";
import { ownMembers } from "../data/readOutput.ts";
import type { Column } from "../data/tableRows.ts";
import { useDrawing } from "../drawing.ts";
import { DataTable } from "../parts/DataTable.tsx";
import { FieldValue } from "../parts/Field.tsx";

/** Similar objects as a table. */
export function RowsTable({
  rows,
  name,
  label,
  columns: chosen,
}: {
  readonly rows: readonly JsonObject[];
  readonly name: string;
  readonly label: string;
  readonly columns?: readonly string[];
}): JSX.Element {
  const writing = useDrawing();
  const columns = useMemo(
    () => (chosen ?? columnsOf(rows)).map((one): Column<JsonObject> => ({ name: one, read: memberOf(one) })),
    [rows, chosen],
  );
  return (
    <DataTable
      name={`rows ${name}`}
      label={cutFieldText(label, 60)}
      rows={rows}
      whole={wholeLength(rows, writing)}
      columns={columns}
      counter="#"
      draw={(row, at) => {
        const members = ownMembers(row);
        return (
          <tr>
            <th scope="row">{at}</th>
            {columns.map((column) => (
              <td key={column.name}>
                {members.has(column.name) && (
                  <FieldValue name={column.name} value={members.get(column.name) ?? null} short />
                )}
              </td>
            ))}
          </tr>
        );
      }}
    />
  );
}

/** The own member of that name, so that `constructor` is plain data. */
function memberOf(name: string): (row: JsonObject) => JsonObject[string] | undefined {
  return (row) => (Object.hasOwn(row, name) ? row[name] : undefined);
}
