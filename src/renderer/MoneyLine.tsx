import type { JSX } from "preact";
import { usdAmount, usdText } from "../shared/rpc/usdText.ts";
import type { RpcCall, RpcOutput } from "../shared/rpcOutput.ts";
import { cutFieldText } from "./fieldText.ts";
import { counted, msText } from "./numbers.ts";
import { HexText } from "./parts/Hex.tsx";
import { Paged } from "./parts/Paged.tsx";
import { TableFrame } from "./parts/TableFrame.tsx";

/** What a run cost and how long it took; each request with its id opens below. */
export function MoneyLine({ output }: { readonly output: RpcOutput }): JSX.Element {
  const { calls } = output;
  return (
    <footer class="money">
      {calls.length === 0 ? (
        <p class="quiet">{output.done ? "No request was answered." : "No request has been answered yet."}</p>
      ) : (
        <details>
          <summary>{runCostText(output)}</summary>
          <Calls calls={calls} isPlayMoney={output.isPlayMoney} />
        </details>
      )}
    </footer>
  );
}

/** `2 requests, 60 credits, $0.000038, 84 ms`, with what is out of the ordinary behind it. */
function runCostText({ calls, lines, total, done, polling, isPlayMoney }: RpcOutput): string {
  const failed = lines.filter(({ outcome }) => outcome.kind === "error");
  const failedCredits = failed.reduce((sum, { credits = 0 }) => sum + credits, 0);
  const replayed = calls.filter((call) => call.replayed).length;
  const resends = calls.reduce((sum, call) => sum + call.resends, 0);
  const foreseen = done && total.estimatedCredits !== total.credits;
  const parts = [
    polling ? counted(polling.round, "round") : counted(calls.length, "request"),
    counted(total.credits, "credit"),
    usdAmount(total.usd, isPlayMoney),
    msText(total.ms),
    foreseen ? `${counted(total.estimatedCredits, "credit")} foreseen` : "",
    failed.length > 0
      ? `${counted(failed.length, "error item")} for ${counted(failedCredits, "credit")}`
      : "",
    replayed > 0 ? `${counted(replayed, "answer")} replayed, not charged` : "",
    resends > 0 ? `sent again ${counted(resends, "time")}` : "",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

interface CallsProps {
  readonly calls: readonly RpcCall[];
  readonly isPlayMoney: boolean | undefined;
}

function Calls({ calls, isPlayMoney }: CallsProps): JSX.Element {
  const money = isPlayMoney ? "USD play money" : "USD";
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
          <td title={call.usd === undefined ? undefined : `${call.usd} ${money}`}>
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
    resends > 0 ? `sent again ${counted(resends, "time")}` : "",
    status !== undefined && status !== 200 ? `HTTP ${status}` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}
