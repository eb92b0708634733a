import type { JSX } from "preact";
import { isTopUp } from "../../../shared/money/topUp.ts";
import { TopUpCard } from "../../../webview/ui/TopUpCard.tsx";
import topUpSheet from "../../../webview/ui/topUp.css";
import { isList, isObject, type JsonObject } from "../../output/json.ts";
import type { Json } from "../../output/rpcOutput.ts";
import { toFeeRows } from "../data/feeRows.ts";
import { areRows } from "../data/fields/columns.ts";
import { wholeLength } from "../data/fields/fieldText.ts";
import { counted } from "../data/fields/numbers.ts";
import { toTraces } from "../data/traceTree.ts";
import { useDrawing } from "../drawing.ts";
import { BlockView } from "./evm/Block.tsx";
import { FeeHistory } from "./evm/FeeHistory.tsx";
import { Logs } from "./evm/Logs.tsx";
import { Receipt } from "./evm/Receipt.tsx";
import { Steps, Trace } from "./evm/Trace.tsx";
import { TransactionView } from "./evm/Transaction.tsx";
import { JsonTree } from "./JsonTree.tsx";
import { ObjectFields } from "./ObjectFields.tsx";
import { RowsTable } from "./RowsTable.tsx";
import { Scalar } from "./Scalar.tsx";
import { SolanaView } from "./Solana.tsx";
import type { ResultProps, ViewProps } from "./viewProps.ts";

export { Comparison } from "../Comparison.tsx";
export { solanaText } from "../data/solana.ts";
export { Simulation } from "./evm/Simulation.tsx";
export { topUpSheet };

export function TopUpNote({ value }: { readonly value: unknown }): JSX.Element | null {
  return isTopUp(value) ? <TopUpCard topUp={value} /> : null;
}

/** The views of results with parts. */
export function StructuredView({ view, wanted, value, method, ...rest }: ResultProps): JSX.Element {
  if (view === "solana" && wanted !== "table") return <SolanaView value={value} path={rest.path} />;
  if (isList(value)) return <ListView view={view} value={value} {...rest} />;
  if (isObject(value)) return <ObjectView view={wanted === "table" ? "any" : view} value={value} {...rest} />;
  return <Scalar view={view} value={value} method={method} />;
}

function ListView({
  view,
  value,
  path,
  decoded,
}: ViewProps<readonly Json[]> & Pick<ResultProps, "view">): JSX.Element {
  const writing = useDrawing();
  if (value.length === 0) return <p>{view === "logs" ? "No logs" : "Empty list"}</p>;
  if (view === "logs" && areRows(value))
    return <Logs logs={value} path={path} events={decoded?.kind === "events" ? decoded.events : []} />;
  const traces = view === "trace" ? toTraces(value, writing) : undefined;
  if (traces) return <Trace roots={traces} path={path} />;
  if (areRows(value))
    return <RowsTable rows={value} name={path} label={counted(wholeLength(value, writing), "row")} />;
  return <JsonTree value={value} path={path} />;
}

function ObjectView({ view, ...props }: ViewProps<JsonObject> & Pick<ResultProps, "view">): JSX.Element {
  const { value, path } = props;
  const writing = useDrawing();
  switch (view) {
    case "block":
      return <BlockView {...props} />;
    case "transaction":
      return <TransactionView {...props} />;
    case "receipt":
      return <Receipt {...props} />;
    case "feeHistory": {
      const rows = toFeeRows(value);
      return rows ? <FeeHistory rows={rows} path={path} /> : <ObjectFields {...props} />;
    }
    case "trace": {
      const roots = toTraces(value, writing);
      if (roots) return <Trace roots={roots} path={path} />;
      if (isList(value.structLogs))
        return <Steps value={{ ...value, structLogs: value.structLogs }} path={path} />;
      return <JsonTree value={value} path={path} />;
    }
    case "json":
      return <JsonTree value={value} path={path} />;
    default:
      return <ObjectFields {...props} />;
  }
}
