import { formatUsd } from "../../shared/formatUsd.ts";
import type { PlayerState } from "../../shared/speechProtocol.ts";

/** What this reading cost so far, and what all of it would. */
export function Costs({ state }: { readonly state: PlayerState }) {
  const { characters, totalUsd, spentUsd = 0, isFree } = state;
  const count = `${characters.toLocaleString("en-US")} characters`;
  if (totalUsd === undefined) return <p class="quiet">{count}; the service names no price.</p>;
  return (
    <p class="quiet costs">
      {formatUsd(spentUsd, isFree)} paid · {formatUsd(totalUsd, isFree)} for all {count}
    </p>
  );
}
