import type { JSX } from "preact";
import { mostChanged, type RpcChange, type RpcLine, type RpcValue } from "../output/rpcOutput.ts";
import { changeText, cutFieldText } from "./data/fields/fieldText.ts";
import { counted, grouped, toWhole } from "./data/fields/numbers.ts";
import { useDrawing, useStored } from "./drawing.ts";
import { TableFrame } from "./parts/TableFrame.tsx";

const few = 6;
const most = 50;

/** The changes since the previous run. */
export function Changes({ line }: { readonly line: RpcLine }): JSX.Element {
  const { changed = [], changes = [], key } = line;
  const writing = useDrawing();
  const [isOpen, setOpen] = useStored(`changes ${key}`, changes.length <= few);
  if (changed.length === 0) return <p class="quiet">No change since the previous run.</p>;
  const least = changed.length >= mostChanged ? "At least " : "";
  const title = `${least}${counted(changed.length, "value")} changed since the previous run`;
  const rows = [...decodedChanges(line), ...changes].slice(0, most);
  if (rows.length === 0) return <p class="changed-line">{title}</p>;
  return (
    <details class="part" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="changed-line">{title}</summary>
      <TableFrame label={title} head={["Where", "Before", "Now", "By"]}>
        {rows.map((change) => {
          const { before, now, by } = changeText(change, writing);
          return (
            <tr key={change.path}>
              <th scope="row">{cutFieldText(change.path || "the result", 120)}</th>
              <td>
                <del>{cutFieldText(before, 200)}</del>
              </td>
              <td>
                <ins>{cutFieldText(now, 200)}</ins>
              </td>
              <td>{by}</td>
            </tr>
          );
        })}
      </TableFrame>
      {changed.length > rows.length && (
        <p class="quiet">{changed.length - rows.length} more. Compare the runs to see them.</p>
      )}
    </details>
  );
}

/** Changes of decoded values, which are more readable than changed bytes. */
function decodedChanges({ was, outcome }: RpcLine): readonly RpcChange[] {
  if (outcome.kind !== "result" || was?.decoded?.kind !== "values") return [];
  if (outcome.decoded?.kind !== "values") return [];
  const before = was.decoded.values;
  return outcome.decoded.values.flatMap((value, at) => {
    const [old, now] = [before[at], value].map((one) => one && plainText(one));
    return old === now ? [] : [{ path: value.name || `value ${at}`, ...sides(old, now) }];
  });
}

function sides(before: string | undefined, now: string | undefined): Pick<RpcChange, "before" | "now"> {
  return { ...(before === undefined ? {} : { before }), ...(now === undefined ? {} : { now }) };
}

function plainText({ type, value }: RpcValue): string {
  if (typeof value !== "string") return `(${value.map(plainText).join(", ")})`;
  const whole = /^u?int/.test(type) ? toWhole(value) : undefined;
  return whole === undefined ? value : grouped(whole);
}
