import type { JSX } from "preact";
import type { RpcFailure } from "../../output/rpcOutput.ts";
import { cutFieldText } from "../data/fields/fieldText.ts";
import { CalledName } from "../parts/CalledName.tsx";
import { Decoded } from "../views/evm/Decoded.tsx";
import { JsonTree } from "../views/JsonTree.tsx";
import { Scalar } from "../views/Scalar.tsx";

/** An error of a call, with the decoded reason of a revert. */
export function ErrorView({
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
          ✗ Reverted: {revert.reason ? cutFieldText(revert.reason, 2000) : <CalledName item={revert} />}{" "}
          {revert.reason && <span class="quiet">{cutFieldText(revert.name, 80)}</span>}
        </p>
      )}
      {revert && !revert.reason && revert.values.length > 0 && (
        <Decoded values={revert.values} label={`Values of ${revert.name}`} />
      )}
      <p class={revert ? "quiet" : "state bad"}>
        {revert ? "" : "✗ "}Error {code}: {cutFieldText(message, 4000)}
      </p>
      {data !== undefined && data !== null && (
        <details class="part">
          <summary>Error data</summary>
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
