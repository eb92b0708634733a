import type { ComponentChildren, JSX } from "preact";
import { toQuantity } from "../../../../shared/rpc/hex.ts";
import type { RpcSimulation } from "../../../output/rpcOutput.ts";
import { cutFieldText } from "../../data/fields/fieldText.ts";
import { coinText, counted, grouped, toWhole } from "../../data/fields/numbers.ts";
import type { SimulationProps } from "../../data/fields/structured.ts";
import { useDrawing } from "../../drawing.ts";
import { Field, Fields } from "../../parts/Field.tsx";
import { HexText } from "../../parts/Hex.tsx";
import { TableFrame } from "../../parts/TableFrame.tsx";
import { Decoded } from "./Decoded.tsx";
import { EventOfLog } from "./Logs.tsx";

/** The effects of a transaction that was not sent. */
export function Simulation({ simulation, coin }: SimulationProps): JSX.Element {
  const { method, facts, gasUsed, isGasEstimate, logs, events, unknown, left, notForked } = simulation;
  const gas = toWhole(gasUsed ?? null);
  // eth_simulateV1 gives no storage, so another request did.
  const beside = method === "eth_simulateV1" && simulation.storage ? ", storage by debug_traceCall" : "";
  const untold = simulation.status === "success" ? unknown : unknown.slice(-1);
  return (
    <div class="simulation">
      <Verdict simulation={simulation} />
      <Fields>
        {gas !== undefined && (
          <Field name={isGasEstimate ? "Gas, estimated" : "Gas used"}>{grouped(gas)}</Field>
        )}
        {facts.map(([name, value]) => (
          <Field key={name} name={name}>
            {value.startsWith("0x") ? <HexText text={value} what={name} /> : cutFieldText(value, 600)}
          </Field>
        ))}
      </Fields>
      <Balances simulation={simulation} coin={coin} />
      <Tokens simulation={simulation} />
      {logs && logs.length > 0 && (
        <Part title={counted(logs.length, "log")}>
          <ul class="decoded">
            {logs.map((log, at) => (
              <li key={at}>
                <HexText text={String(log.address)} what="the contract" short />{" "}
                <EventOfLog log={log} event={events?.[at] ?? undefined} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Storage simulation={simulation} />
      {left?.map((one) => (
        <p key={one} class="note">
          Not listed: {cutFieldText(one, 80)}.
        </p>
      ))}
      <p class="quiet">
        Simulated on the newest block by {cutFieldText(method, 40)}
        {beside}. It does not tell {untold.join(", or ")}.
      </p>
      {notForked !== undefined && <p class="note">{cutFieldText(notForked, 400)}.</p>}
    </div>
  );
}

function Verdict({ simulation }: { readonly simulation: RpcSimulation }): JSX.Element {
  const { status, revert, message } = simulation;
  if (status === "success") return <p class="state good">✓ It would succeed. Nothing was sent.</p>;
  const name = revert && (revert.likely === undefined ? revert.name : `likely ${revert.likely}`);
  const why = cutFieldText(revert?.reason ?? name ?? message ?? "no reason given", 2000);
  return (
    <>
      <p class="state bad">
        ✗ {status === "reverted" ? "It would revert" : "The node would refuse it"}: {why}
      </p>
      {revert && !revert.reason && revert.values.length > 0 && (
        <Decoded values={revert.values} label={`Values of ${revert.name}`} />
      )}
      <p class="quiet">Nothing was sent.</p>
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <details class="part" open>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

function Balances({ simulation: { balances = [] }, coin }: { simulation: RpcSimulation; coin: string }) {
  const { radix } = useDrawing();
  if (balances.length === 0) return null;
  return (
    <Part title="Balances, without the fee">
      <TableFrame label="Balances" head={["Account", "Change"]}>
        {balances.map(({ account, change }) => {
          const wei = toWhole(change) ?? 0n;
          const text =
            radix === "hex" ? `${wei < 0n ? "-" : ""}0x${(wei < 0n ? -wei : wei).toString(16)}` : "";
          return (
            <tr key={account}>
              <td>
                <HexText text={account} what="the account" short />
              </td>
              <td class={wei < 0n ? "bad" : "good"}>
                {wei < 0n ? "" : "+"}
                {text || coinText(wei, coin)}
              </td>
            </tr>
          );
        })}
      </TableFrame>
    </Part>
  );
}

function Tokens({ simulation: { tokens = [] } }: { readonly simulation: RpcSimulation }) {
  if (tokens.length === 0) return null;
  return (
    <Part title={counted(tokens.length, "token transfer")}>
      <TableFrame label="Token transfers" head={["Token", "From", "To", "Amount or id"]}>
        {tokens.map(({ token, kind, from, to, value, amount }, at) => (
          <tr key={at}>
            <td>
              <span class="quiet">{kind}</span> <HexText text={token} what="the token" short />
            </td>
            <td>
              <HexText text={from} what="the sender" short />
            </td>
            <td>
              <HexText text={to} what="the recipient" short />
            </td>
            <td>
              {kind === "ERC-721" && "#"}
              {amount === undefined ? (
                grouped(toWhole(value) ?? 0n)
              ) : (
                <>
                  {cutFieldText(amount, 120)} <span class="quiet">({grouped(toWhole(value) ?? 0n)})</span>
                </>
              )}
            </td>
          </tr>
        ))}
      </TableFrame>
    </Part>
  );
}

function Storage({ simulation: { storage = [] } }: { readonly simulation: RpcSimulation }) {
  if (storage.length === 0) return null;
  return (
    <Part title={counted(storage.length, "storage change")}>
      <TableFrame label="Storage changes" head={["Contract", "Slot", "Before", "Now"]}>
        {storage.map(({ account, slot, before, now }) => (
          <tr key={`${account} ${slot}`}>
            {[account, slot, before, now].map((text, at) => (
              <td key={at}>
                <HexText
                  text={at === 0 ? text : withoutZeros(text)}
                  what={["the contract", "the slot", "the old word", "the new word"][at] ?? ""}
                  short
                />
              </td>
            ))}
          </tr>
        ))}
      </TableFrame>
    </Part>
  );
}

/** Most words are small numbers, whose digits would be cut out of the middle. */
function withoutZeros(word: string): string {
  const value = toWhole(word);
  return value === undefined ? word : toQuantity(value);
}
