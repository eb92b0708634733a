import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { requestText } from "../output/requestText.ts";
import type { Json, RpcLine, RpcOutput } from "../output/rpcOutput.ts";
import { cutFieldText, type Writing } from "./data/fields/fieldText.ts";
import { msText } from "./data/fields/numbers.ts";
import { shortResult } from "./data/shortResult.ts";
import type { Column } from "./data/tableRows.ts";
import { useDrawing, useStored } from "./drawing.ts";
import { LineView } from "./line/LineView.tsx";
import { DataTable } from "./parts/DataTable.tsx";
import { Changed } from "./parts/Field.tsx";

/** Up to this number of lines, structured results are open initially. */
const openLines = 3;

/** Several lines as a table with expandable rows. */
export function BatchTable({ output }: { readonly output: RpcOutput }): JSX.Element {
  const { lines, calls } = output;
  const writing = useDrawing();
  const { radix, coin } = writing;
  const columns = useMemo(
    (): readonly Column<RpcLine>[] => [
      { name: "", title: "Line", read: ({ line }) => line + 1 },
      {
        name: "",
        title: "Request",
        read: (line) => (line.name ? `${line.name} = ` : "") + requestText(line),
      },
      { name: "", title: "Result", read: (line) => sortedValue(line, writing) },
      { name: "", title: "Time", read: ({ call }) => (call === undefined ? undefined : calls[call]?.ms) },
      { name: "", title: "Credits", read: ({ credits }) => credits },
    ],
    [calls, radix, coin],
  );
  return (
    <DataTable
      name="batch"
      label="Results, line by line"
      rows={lines}
      whole={lines.length}
      columns={columns}
      atOnce={100}
      // A person wrote the lines of a small cell, and sees them all.
      filteredFrom={6}
      draw={(line) => <Row line={line} output={output} severalCalls={calls.length > 1} />}
    />
  );
}

/** The value of a single result, so that it is compared exactly; else its short text. */
function sortedValue(line: RpcLine, writing: Writing): Json {
  const { outcome } = line;
  if (outcome.kind !== "result") return shortResult(line, writing);
  const [only, ...more] = outcome.decoded?.kind === "values" ? outcome.decoded.values : [];
  if (only && more.length === 0 && typeof only.value === "string") return only.value;
  const isSingle = !outcome.decoded && (typeof outcome.value !== "object" || outcome.value === null);
  return isSingle ? outcome.value : shortResult(line, writing);
}

interface RowProps {
  readonly line: RpcLine;
  readonly output: RpcOutput;
  readonly severalCalls: boolean;
}

function Row({ line, output, severalCalls }: RowProps): JSX.Element {
  const writing = useDrawing();
  const { outcome, key, call, credits, changed = [] } = line;
  const isRich = line.simulation !== undefined || (outcome.kind === "result" && hasParts(outcome.value));
  const [isOpen, setOpen] = useStored(`row ${key}`, isRich && output.lines.length <= openLines);
  const sent = call === undefined ? undefined : output.calls[call];
  return (
    <>
      <tr class={outcome.kind === "error" ? "failed" : undefined}>
        <th scope="row">{line.line + 1}</th>
        <td>
          <Opener line={line} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        </td>
        <td class="result">
          {outcome.kind === "error" && "✗ "}
          {shortResult(line, writing)}
          {changed.length > 0 && <Before line={line} />}
        </td>
        <td
          title={
            severalCalls && call !== undefined ? `Request ${call + 1} of ${output.calls.length}` : undefined
          }
        >
          {sent && msText(sent.ms)}
        </td>
        <td>{credits}</td>
      </tr>
      {isOpen && (
        <tr class="open-row">
          <td colSpan={5}>
            <LineView line={line} output={output} />
          </td>
        </tr>
      )}
    </>
  );
}

/** The previous result of a changed line, if it is short; else a mark. */
export function Before({ line }: { readonly line: RpcLine }): JSX.Element {
  const writing = useDrawing();
  const { was } = line;
  if (!was) return <Changed />;
  const before = shortResult({ ...line, outcome: was }, writing);
  return (
    <span class="changed-mark">
      {" "}
      was <del>{cutFieldText(before, 100)}</del>
    </span>
  );
}

function hasParts(value: Json): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** A button with the name of a line that expands its row. */
export function Opener({
  line,
  isOpen,
  onToggle,
}: {
  readonly line: RpcLine;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}): JSX.Element {
  const { name, source } = line;
  return (
    <button
      type="button"
      class="opener"
      aria-expanded={isOpen}
      title={cutFieldText(source, 200)}
      onClick={onToggle}
    >
      <span class="chevron" aria-hidden="true" />
      {name && <strong>{cutFieldText(name, 60)} = </strong>}
      {cutFieldText(requestText(line), 80)}
    </button>
  );
}
