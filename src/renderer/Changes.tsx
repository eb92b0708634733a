import type { JSX } from "preact";
import { mostChanged, type RpcLine } from "../shared/rpcOutput.ts";
import { changeText } from "./changeText.ts";
import { useDrawing, useKept } from "./drawing.ts";
import { cutText } from "./fieldText.ts";
import { counted } from "./numbers.ts";
import { TableFrame } from "./parts/TableFrame.tsx";

const few = 6;
const most = 50;

/** What differs from the run before. */
export function Changes({ line }: { readonly line: RpcLine }): JSX.Element {
  const { changed = [], changes = [], key } = line;
  const writing = useDrawing();
  const [isOpen, setOpen] = useKept(`changes ${key}`, changes.length <= few);
  if (changed.length === 0) return <p class="quiet">The same as in the run before.</p>;
  const least = changed.length >= mostChanged ? "At least " : "";
  const title = `${least}${counted(changed.length, "value")} changed since the run before`;
  const rows = changes.slice(0, most);
  if (rows.length === 0) return <p class="changed-line">{title}</p>;
  return (
    <details class="part" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="changed-line">{title}</summary>
      <TableFrame label={title} head={["Where", "Before", "Now", "By"]}>
        {rows.map((change) => {
          const { before, now, by } = changeText(change, writing);
          return (
            <tr key={change.path}>
              <th scope="row">{cutText(change.path || "the result", 120)}</th>
              <td>
                <del>{cutText(before, 200)}</del>
              </td>
              <td>
                <ins>{cutText(now, 200)}</ins>
              </td>
              <td>{by}</td>
            </tr>
          );
        })}
      </TableFrame>
      {changed.length > rows.length && (
        <p class="quiet">{changed.length - rows.length} more: compare the runs.</p>
      )}
    </details>
  );
}
