import type { JSX } from "preact";
import { columnsOf } from "../columns.ts";
import { cutFieldText } from "../fieldText.ts";
import { FieldValue } from "../parts/Field.tsx";
import { Paged } from "../parts/Paged.tsx";
import { TableFrame } from "../parts/TableFrame.tsx";
import { type JsonObject, ownMembers } from "../readOutput.ts";

/** Similar objects as a table. */
export function RowsTable({
  rows,
  name,
  label,
  columns = columnsOf(rows),
}: {
  readonly rows: readonly JsonObject[];
  readonly name: string;
  readonly label: string;
  readonly columns?: readonly string[];
}): JSX.Element {
  return (
    <Paged
      name={`rows ${name}`}
      items={rows}
      atOnce={25}
      frame={(drawn) => (
        <TableFrame
          label={cutFieldText(label, 60)}
          head={["#", ...columns.map((column) => cutFieldText(column, 60))]}
        >
          {drawn}
        </TableFrame>
      )}
      draw={(row, at) => {
        const members = ownMembers(row);
        return (
          <tr>
            <th scope="row">{at}</th>
            {columns.map((column) => (
              <td key={column}>
                {members.has(column) && (
                  <FieldValue name={column} value={members.get(column) ?? null} short />
                )}
              </td>
            ))}
          </tr>
        );
      }}
    />
  );
}
