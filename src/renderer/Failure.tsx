import type { JSX } from "preact";
import type { RpcFailure } from "../shared/rpcOutput.ts";
import { cutText } from "./fieldText.ts";
import { Decoded } from "./views/Decoded.tsx";
import { JsonTree } from "./views/JsonTree.tsx";
import { Scalar } from "./views/Scalar.tsx";

/** An error item: what the node said and, for a revert, what the contract did. */
export function Failure({
  failure,
  path,
}: {
  readonly failure: RpcFailure;
  readonly path: string;
}): JSX.Element {
  const { code, message, revert, data } = failure;
  return (
    <div class="failure">
      {revert && (
        <p class="state bad">
          ✗ Reverted: {cutText(revert.reason ?? revert.name, 2000)}{" "}
          {revert.reason && <span class="quiet">{cutText(revert.name, 80)}</span>}
        </p>
      )}
      {revert && !revert.reason && revert.values.length > 0 && (
        <Decoded values={revert.values} label={`Values of ${revert.name}`} />
      )}
      <p class={revert ? "quiet" : "state bad"}>
        {revert ? "" : "✗ "}Error {code}: {cutText(message, 4000)}
      </p>
      {data !== undefined && data !== null && (
        <details class="part">
          <summary>Data of the error</summary>
          {typeof data === "object" ? (
            <JsonTree value={data} path={`${path}/data`} />
          ) : (
            <Scalar view="data" value={data} />
          )}
        </details>
      )}
    </div>
  );
}
