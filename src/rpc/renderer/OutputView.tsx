import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { RpcOutput } from "../output/rpcOutput.ts";
import type { RpcOutputMessage } from "../output/rpcOutputMessage.ts";
import { BatchTable } from "./Batch.tsx";
import { cutFieldText, type Radix } from "./data/fields/fieldText.ts";
import { clockText } from "./data/fields/numbers.ts";
import { structured } from "./data/fields/structured.ts";
import { accountsIn, saidOnce, wholesIn } from "./data/readOutput.ts";
import { DrawingContext, type OutputContext } from "./drawing.ts";
import { Expectations } from "./line/Expectations.tsx";
import { LineView } from "./line/LineView.tsx";
import { MoneyLine } from "./line/MoneyLine.tsx";
import { PollingLine } from "./line/Polling.tsx";
import { Guard } from "./parts/Guard.tsx";
import { NetworkBadge } from "./parts/NetworkBadge.tsx";

export interface OutputProps {
  readonly output: RpcOutput;
  readonly stored: Map<string, unknown>;
  readonly post: ((message: RpcOutputMessage) => void) | undefined;
}

/** The output of one run of a cell. */
export function OutputView({ output, stored, post }: OutputProps): JSX.Element {
  const [radix, setRadix] = useState<Radix>(stored.get("radix") === "hex" ? "hex" : "decimal");
  const coin = cutFieldText(output.networks[0]?.coin ?? "ETH", 20);
  const wholes = useMemo(() => wholesIn(output), [output]);
  const accounts = useMemo(() => accountsIn(output), [output]);
  const drawing: OutputContext = { radix, coin, atMs: output.atMs, post, stored, wholes, accounts };
  const chooseRadix = (next: Radix) => {
    stored.set("radix", next);
    setRadix(next);
  };
  return (
    <DrawingContext.Provider value={drawing}>
      <article class="run" aria-label="Result of the cell" aria-busy={!output.done}>
        <Head output={output} radix={radix} onRadix={chooseRadix} post={post} />
        {output.problem && <Problem output={output} post={post} />}
        <Guard
          instead={
            <p class="state bad">
              ✗ This result can't be displayed. Choose JSON as the presentation of the output to see it.
            </p>
          }
        >
          {output.polling && <PollingLine output={output} polling={output.polling} />}
          <Body output={saidOnce(output)} />
          <Expectations output={output} />
          <MoneyLine output={output} />
        </Guard>
      </article>
    </DrawingContext.Provider>
  );
}

function Body({ output }: { readonly output: RpcOutput }): JSX.Element | null {
  const [only] = output.lines;
  if (!only) return null;
  const Comparison = output.networks.length > 1 && structured()?.Comparison;
  if (Comparison) return <Comparison output={output} />;
  return output.lines.length === 1 ? (
    <LineView line={only} output={output} />
  ) : (
    <BatchTable output={output} />
  );
}

interface HeadProps {
  readonly output: RpcOutput;
  readonly radix: Radix;
  readonly onRadix: (radix: Radix) => void;
  readonly post: OutputProps["post"];
}

function Head({ output, radix, onRadix, post }: HeadProps): JSX.Element {
  const { networks, lines, runId, atMs } = output;
  const hasBefore = lines.some(({ changed }) => changed !== undefined);
  return (
    <header class="head">
      {networks.length === 1 &&
        networks.map((network) => <NetworkBadge key={network.slug} network={network} />)}
      <span class="space" />
      <time class="quiet" dateTime={new Date(atMs).toISOString()}>
        {clockText(atMs, Date.now())}
      </time>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame and a legend */}
      <div class="choice" role="group" aria-label="Numbers">
        {(["decimal", "hex"] as const).map((one) => (
          <button
            key={one}
            type="button"
            class="button"
            aria-pressed={radix === one}
            onClick={() => onRadix(one)}
          >
            {one === "hex" ? "Hex" : "Decimal"}
          </button>
        ))}
      </div>
      {post && hasBefore && (
        <button
          type="button"
          class="button"
          title="Shows this run and the previous one as a diff"
          onClick={() => post({ type: "compare", runId })}
        >
          Compare with the previous run
        </button>
      )}
    </header>
  );
}

function Problem({ output, post }: Pick<OutputProps, "output" | "post">): JSX.Element {
  const { problem, runId } = output;
  const TopUpNote = problem?.topUp && structured()?.TopUpNote;
  return (
    <div class="problem" role="alert">
      <p>{cutFieldText(problem?.sentence ?? "", 4000)}</p>
      {post &&
        problem?.actions.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            class="button"
            onClick={() => post({ type: "errorAction", runId, action: id })}
          >
            {cutFieldText(label, 80)}
          </button>
        ))}
      {TopUpNote && <TopUpNote value={problem.topUp} />}
    </div>
  );
}
