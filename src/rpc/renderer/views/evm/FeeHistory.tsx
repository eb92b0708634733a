import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { toQuantity } from "../../../../shared/rpc/hex.ts";
import type { FeeRow } from "../../data/feeRows.ts";
import { grouped, gweiText } from "../../data/fields/numbers.ts";
import { useDrawing } from "../../drawing.ts";
import { Paged } from "../../parts/Paged.tsx";
import { TableFrame } from "../../parts/TableFrame.tsx";

/** A fee history as a chart and a table. */
export function FeeHistory({
  rows,
  path,
}: {
  readonly rows: readonly FeeRow[];
  readonly path: string;
}): JSX.Element {
  return (
    <>
      {rows.length > 1 && <Chart rows={rows} />}
      <FeeTable rows={rows} path={path} />
    </>
  );
}

function Chart({ rows }: { readonly rows: readonly FeeRow[] }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let remove: (() => void) | undefined;
    let isGone = false;
    import("../../feeChart.ts").then(
      ({ drawFees }) => {
        if (!isGone && canvas.current) remove = drawFees(canvas.current, rows);
      },
      () => setFailed(true),
    );
    return () => {
      isGone = true;
      remove?.();
    };
  }, [rows]);
  if (failed)
    return <p class="quiet">The chart could not be loaded. The table below shows the same numbers.</p>;
  return (
    <div class="chart">
      <canvas ref={canvas} role="img" aria-label={summary(rows)} />
    </div>
  );
}

/** Text alternative of the chart. */
function summary(rows: readonly FeeRow[]): string {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first?.baseFee === undefined || last?.baseFee === undefined) return "Base fees of blocks";
  return `Base fee from ${gweiText(first.baseFee)} in block ${first.block} to ${gweiText(last.baseFee)} in block ${last.block}; used share of each block; tips`;
}

function FeeTable({ rows, path }: { readonly rows: readonly FeeRow[]; readonly path: string }): JSX.Element {
  const { radix } = useDrawing();
  const fee = (value: bigint | undefined) =>
    value === undefined ? "" : radix === "hex" ? toQuantity(value) : gweiText(value);
  const tips = Math.max(0, ...rows.map((row) => row.tips.length));
  const head = [
    "Block",
    "Base fee",
    "Full",
    ...Array.from({ length: tips }, (_, at) => (tips > 1 ? `Tip ${at + 1}` : "Tip")),
  ];
  return (
    <Paged
      name={path}
      items={rows.toReversed()}
      atOnce={10}
      frame={(drawn) => (
        <TableFrame label="Fees by block, newest first" head={head}>
          {drawn}
        </TableFrame>
      )}
      draw={({ block, baseFee, used, ...row }) => (
        <tr>
          <th scope="row">{radix === "hex" ? toQuantity(block) : grouped(block)}</th>
          <td>{fee(baseFee)}</td>
          <td>{used === undefined ? "pending" : `${(used * 100).toFixed(1)} %`}</td>
          {Array.from({ length: tips }, (_, at) => (
            <td key={at}>{fee(row.tips[at])}</td>
          ))}
        </tr>
      )}
    />
  );
}
