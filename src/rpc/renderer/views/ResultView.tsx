import type { JSX } from "preact";
import { structured } from "../data/fields/structured.ts";
import { Decoded } from "./evm/Decoded.tsx";
import { JsonTree } from "./JsonTree.tsx";
import { Scalar } from "./Scalar.tsx";
import type { ResultProps } from "./viewProps.ts";

/** Shows a result in the view for its type. */
export function ResultView(props: ResultProps): JSX.Element {
  const { view, wanted, value, method, path, decoded } = props;
  const hasParts = typeof value === "object" && value !== null;
  if (wanted === "tree" && view !== "trace" && hasParts) return <JsonTree value={value} path={path} />;
  if (decoded?.kind === "values") {
    return (
      <>
        <Decoded values={decoded.values} label="Decoded values" />
        {typeof value === "string" && (
          <details class="part">
            <summary>Bytes</summary>
            <Scalar view="data" value={value} />
          </details>
        )}
      </>
    );
  }
  if (!hasParts && view !== "solana") return <Scalar view={view} value={value} method={method} />;
  const views = structured();
  return views ? <views.StructuredView {...props} /> : <JsonTree value={value} path={path} />;
}
