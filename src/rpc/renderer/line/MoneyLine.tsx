import type { JSX } from "preact";
import { decimalText } from "../../../shared/money/exact.ts";
import type { RpcOutput } from "../../output/rpcOutput.ts";
import type { RpcCall } from "../../output/rpcRun.ts";
import { type PriceUnit, priceOf, usdText } from "../../output/usdText.ts";
import { cutFieldText } from "../data/fields/fieldText.ts";
import { counted, msText } from "../data/fields/numbers.ts";
import { HexText } from "../parts/Hex.tsx";
import { Paged } from "../parts/Paged.tsx";
import { TableFrame } from "../parts/TableFrame.tsx";

/** The cost and time of a run, with an expandable list of its requests. */
export function MoneyLine({ output }: { readonly output: RpcOutput }): JSX.Element {
  const { calls } = output;
  return (
    <footer class="money">
      {calls.length === 0 ? (
        <p class="quiet">{output.done ? "No request was completed." : "No request is completed yet."}</p>
      ) : (
        <details>
          <summary>{runCostText(output)}</summary>
          <Calls calls={calls} unit={output} />
        </details>
      )}
    </footer>
  );
}

/** `2 requests · 60 credits · $0.000038 · 84 ms`, followed by deviations, errors, replays and retries. */
function runCostText(output: RpcOutput): string {
  const { calls, lines, total, done, polling } = output;
  const failed = lines.filter(({ outcome }) => outcome.kind === "error");
  const failedCredits = failed.reduce((sum, { credits = 0 }) => sum + credits, 0);
  const replayed = calls.filter((call) => call.replayed).length;
  const resends = calls.reduce((sum, call) => sum + call.resends, 0);
  // The estimate is that of sending, which a simulation does not do.
  const isSimulated = lines.some(({ simulation }) => simulation !== undefined);
  const isUnexpected = done && !isSimulated && total.estimatedCredits !== total.credits;
  const parts = [
    polling ? counted(polling.round, "round") : counted(calls.length, "request"),
    counted(total.credits, "credit"),
    priceOf(total.usd, output),
    msText(total.ms),
    isUnexpected ? `${counted(total.estimatedCredits, "credit")} expected` : "",
    failed.length > 0
      ? `${counted(failed.length, "error item")} for ${counted(failedCredits, "credit")}`
      : "",
    replayed > 0 ? `${counted(replayed, "response")} replayed, not charged` : "",
    resends > 0 ? `retried ${counted(resends, "time")}` : "",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

interface CallsProps {
  readonly calls: readonly RpcCall[];
  readonly unit: PriceUnit;
}

function Calls({ calls, unit }: CallsProps): JSX.Element {
  const money = `${unit.isDiem ? "DIEM" : "USD"}${unit.isPlayMoney ? " play money" : ""}`;
  const head = ["#", "Network", "Items", "Time", "Credits", money, "Request id", "Notes"];
  return (
    <Paged
      name="calls"
      items={calls}
      atOnce={25}
      frame={(drawn) => (
        <TableFrame label="Requests" head={head}>
          {drawn}
        </TableFrame>
      )}
      draw={(call, at) => (
        <tr>
          <th scope="row">{at + 1}</th>
          <td>{cutFieldText(call.network, 60)}</td>
          <td>{call.items}</td>
          <td>{msText(call.ms)}</td>
          <td>{call.credits ?? "not stated"}</td>
          <td title={call.usd === undefined ? undefined : `${decimalText(call.usd)} ${money}`}>
            {call.usd === undefined ? "not stated" : usdText(call.usd)}
          </td>
          <td>{call.requestId ? <HexText text={call.requestId} what="the request id" /> : "none"}</td>
          <td>{notesOf(call)}</td>
        </tr>
      )}
    />
  );
}

function notesOf({ replayed, resends, status }: RpcCall): string {
  return [
    replayed ? "replayed, not charged" : "",
    resends > 0 ? `retried ${counted(resends, "time")}` : "",
    status !== undefined && status !== 200 ? `HTTP ${status}` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}
