import type { JSX } from "preact";
import { requestText } from "../../output/requestText.ts";
import type { RpcOutput } from "../../output/rpcOutput.ts";
import type { RpcPolling } from "../../output/rpcRun.ts";
import { cutFieldText } from "../data/fields/fieldText.ts";
import { counted } from "../data/fields/numbers.ts";
import { Paged } from "../parts/Paged.tsx";
import { TableFrame } from "../parts/TableFrame.tsx";

/** The progress of a polling cell, and the results of its rounds. */
export function PollingLine({
  output,
  polling,
}: {
  readonly output: RpcOutput;
  readonly polling: RpcPolling;
}): JSX.Element {
  const { history } = polling;
  return (
    <details class="part">
      <summary>{pollingText(polling, output.total.credits)}</summary>
      <Paged
        name="rounds"
        items={history.toReversed()}
        atOnce={20}
        frame={(drawn) => (
          <TableFrame label="Rounds, newest first" head={["At", ...output.lines.map(titleOf), "Credits"]}>
            {drawn}
          </TableFrame>
        )}
        draw={({ atMs, credits, values }) => (
          <tr>
            <th scope="row">{new Date(atMs).toLocaleTimeString()}</th>
            {values.map((value, at) => (
              <td key={at} class="result">
                {cutFieldText(value, 160)}
              </td>
            ))}
            <td>{credits}</td>
          </tr>
        )}
      />
    </details>
  );
}

function titleOf(line: RpcOutput["lines"][number]): string {
  return cutFieldText(line.name ?? requestText(line), 60);
}

const endings: Readonly<Record<NonNullable<RpcPolling["ended"]>, string>> = {
  rounds: "all rounds are complete",
  budget: "ended, because the next round could exceed the budget",
  stopped: "stopped",
  problem: "ended by an error",
};

function pollingText({ round, rounds, everyMs, budgetCredits, ended }: RpcPolling, credits: number): string {
  const spent = budgetCredits === undefined ? "" : `, ${credits} of ${counted(budgetCredits, "credit")}`;
  const state = ended ? endings[ended] : `every ${everyMs / 1000} s`;
  return `Round ${round} of ${rounds}${spent}, ${state}`;
}
