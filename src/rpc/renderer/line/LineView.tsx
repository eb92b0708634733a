import type { JSX } from "preact";
import { exactJsonText } from "../../../shared/text/json/exactJson.ts";
import { Copy } from "../../../webview/ui/Copy.tsx";
import type { JsonObject } from "../../output/json.ts";
import type { Json, RpcLine, RpcOutput, RpcResult } from "../../output/rpcOutput.ts";
import { Changes } from "../Changes.tsx";
import { cutFieldText } from "../data/fields/fieldText.ts";
import { bytesText } from "../data/fields/numbers.ts";
import { structured } from "../data/fields/structured.ts";
import { DrawingContext, type OutputContext, useDrawing, useStored } from "../drawing.ts";
import { Guard } from "../parts/Guard.tsx";
import { JsonTree } from "../views/JsonTree.tsx";
import { ResultView } from "../views/ResultView.tsx";
import { ErrorView } from "./Failure.tsx";

/** The complete outcome of a line. */
export function LineView({
  line,
  output,
}: {
  readonly line: RpcLine;
  readonly output: RpcOutput;
}): JSX.Element {
  const { outcome, note, key, isExpected, simulation, network } = line;
  const Simulation = simulation && structured()?.Simulation;
  const coin = output.networks.find(({ slug }) => slug === network)?.coin ?? "ETH";
  return (
    <section class="line" aria-label={cutFieldText(`${line.source || line.method} on ${line.network}`, 160)}>
      {note && <p class="note">{cutFieldText(note, 400)}</p>}
      {outcome.kind === "waiting" && (
        <p class="quiet">{output.done ? "This line was not sent." : "Waiting for the response…"}</p>
      )}
      {outcome.kind === "unsent" && (
        <Guard instead={<p class="note">{cutFieldText(outcome.reason, 2000)}</p>}>
          {simulation && Simulation ? (
            <Simulation simulation={simulation} coin={cutFieldText(coin, 20)} />
          ) : (
            <p class="note">{cutFieldText(outcome.reason, 2000)}</p>
          )}
        </Guard>
      )}
      {isExpected === true && <p class="note">An expect line expects this error.</p>}
      {outcome.kind === "error" && <ErrorView failure={outcome} path={key} />}
      {outcome.kind === "result" && <Result line={line} result={outcome} output={output} />}
    </section>
  );
}

interface ResultProps {
  readonly line: RpcLine;
  readonly result: RpcResult;
  readonly output: RpcOutput;
}

function Result({ line, result, output }: ResultProps): JSX.Element {
  const { value, decoded, cut } = result;
  const drawing = useDrawing();
  const { post } = drawing;
  const openWhole = post && (() => post({ type: "openResult", runId: output.runId, key: line.key }));
  const isEvm = !/^(solana|starknet)-/.test(line.network);
  const lookUp: OutputContext["lookUp"] = (kind, text) =>
    post?.({ type: "lookUp", runId: output.runId, network: line.network, kind, value: text });
  const getAbi: OutputContext["getAbi"] = (address) =>
    post?.({ type: "getAbi", runId: output.runId, network: line.network, address });
  const replayed = isEvm ? transactionOf(line.method, value) : undefined;
  const calldata = calldataIn(decoded);
  const [isRaw, setRaw] = useStored(`raw ${line.key}`, output.view === "json");
  const json = <JsonTree value={value} path={line.key} />;
  const hasParts = typeof value === "object" && value !== null;
  return (
    <DrawingContext.Provider
      value={{
        ...drawing,
        calldata,
        ...(openWhole ? { openWhole } : {}),
        ...(post && isEvm ? { lookUp, getAbi } : {}),
      }}
    >
      <ResultTools
        result={result}
        raw={hasParts || decoded ? { isRaw, setRaw } : undefined}
        replay={post && replayed !== undefined ? () => lookUp("replay", replayed) : undefined}
        openWhole={cut || hasParts ? openWhole : undefined}
      />
      {cut && (
        <p class="note">Only the beginning is shown. The complete result has {bytesText(result.bytes)}.</p>
      )}
      {line.changed && <Changes line={line} />}
      <Guard instead={json}>
        {isRaw ? (
          json
        ) : (
          <ResultView
            {...result}
            method={line.method}
            wanted={output.view}
            path={line.key}
            changed={new Set(line.changed)}
          />
        )}
      </Guard>
    </DrawingContext.Provider>
  );
}

/** The decoded calls by their calldata. */
function calldataIn(decoded: RpcResult["decoded"]): NonNullable<OutputContext["calldata"]> {
  const calls = decoded?.kind === "calls" ? decoded.calls : [];
  return new Map(calls.map((call) => [call.input, call]));
}

interface ToolsProps {
  readonly result: RpcResult;
  /** Undefined for a result that looks the same as JSON. */
  readonly raw: { readonly isRaw: boolean; setRaw(isRaw: boolean): void } | undefined;
  readonly replay: (() => void) | undefined;
  readonly openWhole: (() => void) | undefined;
}

function ResultTools({ result: { value, cut }, raw, replay, openWhole }: ToolsProps): JSX.Element {
  return (
    <div class="tools">
      {raw && (
        <button type="button" class="button" aria-pressed={raw.isRaw} onClick={() => raw.setRaw(!raw.isRaw)}>
          JSON
        </button>
      )}
      <Copy
        text={() => (typeof value === "string" ? value : exactJsonText(value, 2))}
        what={cut ? "the shown part of the result" : "the result"}
        label={cut ? "Copy shown part" : "Copy"}
      />
      {replay && (
        <button
          type="button"
          class="button"
          title="Adds a cell that replays this transaction with its trace"
          onClick={replay}
        >
          Replay
        </button>
      )}
      {openWhole && (
        <button
          type="button"
          class="button"
          title="Opens the complete result in an editor"
          onClick={openWhole}
        >
          Open in full
        </button>
      )}
    </div>
  );
}

/** The hash of a mined transaction or of a receipt, which can be replayed. */
function transactionOf(method: string, value: Json): string | undefined {
  if (!/^eth_getTransaction(By|Receipt)/.test(method)) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { hash, transactionHash = hash, blockNumber } = value as JsonObject;
  const isHash = typeof transactionHash === "string" && /^0x[0-9a-f]{64}$/i.test(transactionHash);
  return isHash && blockNumber !== null ? transactionHash : undefined;
}
