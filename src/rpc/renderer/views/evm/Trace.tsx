import type { JSX } from "preact";
import { isList, type JsonObject } from "../../../output/json.ts";
import type { Json, RpcEvent } from "../../../output/rpcOutput.ts";
import { addressText, cutFieldText, shortHex, valueText, wholeLength } from "../../data/fields/fieldText.ts";
import { coinText, counted, grouped, toWhole } from "../../data/fields/numbers.ts";
import type { TraceCall, TraceRoot } from "../../data/traceTree.ts";
import { useDrawing, useStored } from "../../drawing.ts";
import { CalledName, GetAbi, isUnread, LikelyMark } from "../../parts/CalledName.tsx";
import { Field, Fields } from "../../parts/Field.tsx";
import { HexText } from "../../parts/Hex.tsx";
import { Meter } from "../../parts/Meter.tsx";
import { Paged } from "../../parts/Paged.tsx";
import { RowsTable } from "../RowsTable.tsx";
import { Scalar } from "../Scalar.tsx";
import { Decoded } from "./Decoded.tsx";

const openDepth = 3;

/** The calls of transactions as trees, with their shares of the gas. */
export function Trace({
  roots,
  path,
}: {
  readonly roots: readonly TraceRoot[];
  readonly path: string;
}): JSX.Element {
  return (
    <Paged
      name={path}
      items={roots}
      atOnce={10}
      frame={(drawn) => <div class="trace">{drawn}</div>}
      draw={({ title, call }, at) => (
        <>
          {title && (
            <p class="trace-title">
              {/^0x/.test(title) ? <HexText text={title} what="the hash" /> : cutFieldText(title, 120)}
            </p>
          )}
          <Call call={call} path={`${path}/${at}`} depth={roots.length > 1 ? 2 : 0} whole={call.gasUsed} />
        </>
      )}
    />
  );
}

interface CallProps {
  readonly call: TraceCall;
  readonly path: string;
  readonly depth: number;
  /** Gas of the whole tree. */
  readonly whole: bigint | undefined;
}

function Call({ call, path, depth, whole }: CallProps): JSX.Element {
  const [isOpen, setOpen] = useStored(`call ${path}`, depth < openDepth);
  return (
    <details class="call" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class={call.error ? "bad" : undefined}>
        <CallHead call={call} whole={whole} />
      </summary>
      {isOpen && (
        <div class="call-inside">
          <CallFacts call={call} path={path} />
          <Paged
            name={`calls ${path}`}
            items={call.children as readonly (JsonObject | TraceCall)[]}
            atOnce={50}
            whole={call.count}
            frame={(drawn) => drawn}
            draw={(child, at) => (
              <Call call={call.read(child)} path={`${path}/${at}`} depth={depth + 1} whole={whole} />
            )}
          />
        </div>
      )}
    </details>
  );
}

function CallHead({
  call,
  whole,
}: {
  readonly call: TraceCall;
  readonly whole: bigint | undefined;
}): JSX.Element {
  const drawing = useDrawing();
  const { coin, calldata } = drawing;
  const { type, value, gasUsed, input, output, error, count } = call;
  const to = call.to && addressText(call.to, drawing);
  const called = input === undefined ? undefined : calldata?.get(input);
  const reverted = error && output !== undefined ? calldata?.get(output) : undefined;
  const selector = input && /^0x[0-9a-f]{8}/i.test(input) ? input.slice(0, 10) : undefined;
  return (
    <>
      <span class="call-type">{cutFieldText(type.toUpperCase(), 40)}</span>{" "}
      <code title={to && cutFieldText(to, 120)}>{to ? cutFieldText(shortHex(to), 60) : "…"}</code>{" "}
      {called ? (
        <CalledFunction item={called} title={selector} />
      ) : (
        selector && <code class="quiet">{selector}</code>
      )}
      {value !== undefined && value > 0n && <span> {coinText(value, coin)}</span>}
      {gasUsed !== undefined && <Gas used={gasUsed} whole={whole} />}
      {count > 0 && <span class="quiet"> {counted(count, "call")}</span>}
      {error && <strong class="bad"> ✗ {cutFieldText(error, 200)}</strong>}
      {reverted && (
        <>
          {" "}
          <CalledFunction item={reverted} class="bad" />
        </>
      )}
    </>
  );
}

function CalledFunction({
  item,
  ...attributes
}: {
  readonly item: RpcEvent;
  readonly title?: string | undefined;
  readonly class?: string;
}): JSX.Element {
  return (
    <>
      <code {...attributes}>{calledText(item)}</code>
      <LikelyMark item={item} />
    </>
  );
}

/** The gas of a call, and its share of the whole transaction. */
function Gas({ used, whole }: { readonly used: bigint; readonly whole: bigint | undefined }): JSX.Element {
  return (
    <>
      <span> {grouped(used)} gas </span>
      {whole !== undefined && whole > 0n && <Meter share={Number((used * 1000n) / whole) / 1000} label="" />}
    </>
  );
}

function CallFacts({ call, path }: { readonly call: TraceCall; readonly path: string }): JSX.Element {
  const [isOpen, setOpen] = useStored(`facts ${path}`, false);
  const { from, to, input, output } = call;
  return (
    <details class="part" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>From, to, input, output</summary>
      {isOpen && (
        <Fields>
          {from && <Field name="from">{<HexText text={from} what="the caller's address" />}</Field>}
          {to && <Field name="to">{<HexText text={to} what="the address that is called" />}</Field>}
          {input && <Field name="input">{<Calldata input={input} to={to} />}</Field>}
          {output && (
            <Field name="output">
              {call.error ? <Calldata input={output} /> : <Scalar view="data" value={output} />}
            </Field>
          )}
        </Fields>
      )}
    </details>
  );
}

function calledText(item: RpcEvent): string {
  if (isUnread(item)) return cutFieldText(item.likely, 120);
  return `${cutFieldText(item.name, 80)}(${cutFieldText(item.values.map(valueText).join(", "), 120)})`;
}

/** Calldata or an error: the decoded name and arguments if known, and the bytes. */
export function Calldata({
  input,
  to,
}: {
  readonly input: string;
  /** The contract that is called. */
  readonly to?: Json | undefined;
}): JSX.Element {
  const called = useDrawing().calldata?.get(input);
  const isCall = input.length >= 10;
  if (!called)
    return (
      <>
        <Scalar view="data" value={input} /> {isCall && <GetAbi address={to} />}
      </>
    );
  return (
    <>
      <CalledName item={called} /> {called.likely !== undefined && <GetAbi address={to} />}
      {called.values.length > 0 && <Decoded values={called.values} label={`Arguments of ${called.name}`} />}
      <details class="part">
        <summary>Bytes</summary>
        <Scalar view="data" value={input} />
      </details>
    </>
  );
}

const stepColumns = ["pc", "op", "gas", "gasCost", "depth", "error"];

/** The steps of a trace without a tracer. */
export function Steps({
  value,
  path,
}: {
  readonly value: JsonObject & { readonly structLogs: Json };
  readonly path: string;
}): JSX.Element {
  const writing = useDrawing();
  const gas = toWhole(value.gas);
  const steps = isList(value.structLogs) ? (value.structLogs as readonly JsonObject[]) : [];
  return (
    <>
      <p class={value.failed === true ? "state bad" : "state good"}>
        {value.failed === true ? "✗ Failed" : "✓ Succeeded"}, {counted(wholeLength(steps, writing), "step")}
        {gas !== undefined && `, ${grouped(gas)} gas`}
      </p>
      {steps.length > 0 && (
        <RowsTable rows={steps} name={`${path}/steps`} label="Steps" columns={stepColumns} />
      )}
      <p class="quiet">
        {'With { tracer: "callTracer" } as the last parameter, the node returns a tree of calls.'}
      </p>
    </>
  );
}
