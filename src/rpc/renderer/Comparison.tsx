import type { JSX } from "preact";
import type { RpcNetwork, RpcOutput } from "../output/rpcOutput.ts";
import { Before, Opener } from "./Batch.tsx";
import { cutFieldText } from "./data/fields/fieldText.ts";
import { counted, msText } from "./data/fields/numbers.ts";
import { shortResult } from "./data/shortResult.ts";
import { type ComparedLine, networkSum, toComparison } from "./data/toComparison.ts";
import { DrawingContext, useDrawing, useStored } from "./drawing.ts";
import { LineView } from "./line/LineView.tsx";
import { NetworkBadge } from "./parts/NetworkBadge.tsx";
import { Paged } from "./parts/Paged.tsx";
import { TableFrame } from "./parts/TableFrame.tsx";

/** The same lines on several networks, side by side. */
export function Comparison({ output }: { readonly output: RpcOutput }): JSX.Element {
  const { networks } = output;
  const head = [
    "Line",
    "Request",
    ...networks.map((network) => <NetworkBadge key={network.slug} network={network} />),
  ];
  return (
    <Paged
      name="comparison"
      items={toComparison(output)}
      atOnce={50}
      frame={(drawn) => (
        <TableFrame label="Results by network" head={head}>
          {drawn}
          <tr class="sum">
            <th scope="row" colSpan={2}>
              Total
            </th>
            {networks.map((network) => {
              const { credits, ms } = networkSum(output, network);
              return (
                <td key={network.slug}>
                  {counted(credits, "credit")}, {msText(ms)}
                </td>
              );
            })}
          </tr>
        </TableFrame>
      )}
      draw={(row, at) => <Row row={row} at={at} output={output} />}
    />
  );
}

interface RowProps {
  readonly row: ComparedLine;
  readonly at: number;
  readonly output: RpcOutput;
}

function Row({ row, at, output }: RowProps): JSX.Element {
  const [isOpen, setOpen] = useStored(`compared ${at}`, false);
  const { networks } = output;
  const first = row.lines.find((line) => line !== undefined);
  return (
    <>
      <tr>
        <th scope="row">{first && first.line + 1}</th>
        <td>{first && <Opener line={first} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />}</td>
        {networks.map((network, column) => (
          <Cell key={network.slug} row={row} column={column} network={network} />
        ))}
      </tr>
      {isOpen && (
        <tr class="open-row">
          <td colSpan={networks.length + 2}>
            <div class="side-by-side">
              {networks.map((network, column) => {
                const line = row.lines[column];
                return (
                  <InCoin key={network.slug} network={network}>
                    <NetworkBadge network={network} />
                    {line && <LineView line={line} output={output} />}
                  </InCoin>
                );
              })}
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

function InCoin({
  network,
  children,
}: {
  readonly network: RpcNetwork;
  readonly children: unknown;
}): JSX.Element {
  const drawing = useDrawing();
  return (
    <DrawingContext.Provider value={{ ...drawing, coin: cutFieldText(network.coin, 20) }}>
      <div class="side">{children as JSX.Element}</div>
    </DrawingContext.Provider>
  );
}

function Cell({
  row,
  column,
  network,
}: {
  readonly row: ComparedLine;
  readonly column: number;
  readonly network: RpcNetwork;
}): JSX.Element {
  const drawing = useDrawing();
  const line = row.lines[column];
  if (!line) return <td />;
  const mark = column === row.lowest ? "lowest" : column === row.highest ? "highest" : undefined;
  return (
    <td class={line.outcome.kind === "error" ? "result failed" : "result"}>
      {line.outcome.kind === "error" && "✗ "}
      {shortResult(line, { ...drawing, coin: network.coin })}
      {mark && <span class={`extreme ${mark}`}> {mark}</span>}
      {(line.changed?.length ?? 0) > 0 && <Before line={line} />}
    </td>
  );
}
