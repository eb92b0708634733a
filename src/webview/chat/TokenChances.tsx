import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { TokenChance } from "../../shared/chatMessages.ts";

/** How sure the model was of each token: the fainter the bar below it, the surer. Drawn once somebody looks: there may be tens of thousands. */
export function TokenChances({ tokens }: { readonly tokens: readonly TokenChance[] }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="chances" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Token probabilities</summary>
      {isOpen && (
        <p dir="auto">
          {tokens.map((chance, index) => (
            <span key={index} class={`chance ${gradeOf(chance)}`} title={titleOf(chance)}>
              {chance.token}
            </span>
          ))}
        </p>
      )}
    </details>
  );
}

function gradeOf({ logprob }: TokenChance): string {
  const probability = Math.exp(logprob);
  if (probability >= 0.9) return "sure";
  return probability >= 0.5 ? "likely" : "unsure";
}

function titleOf({ token, logprob, others }: TokenChance): string {
  const line = (text: string, log: number) => `${JSON.stringify(text)} ${(Math.exp(log) * 100).toFixed(1)} %`;
  return [line(token, logprob), ...others.map((other) => line(other.token, other.logprob))].join("\n");
}
