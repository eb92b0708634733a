import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { TokenChance } from "../../protocol/chatMessages.ts";

/** Tokens rendered at once: tens of thousands would block the page for seconds. */
const pageLength = 2000;

/** The probability of each token: a fainter bar means a higher one. Rendered when it is opened. */
export function TokenChances({
  title,
  tokens,
}: {
  readonly title: string;
  readonly tokens: readonly TokenChance[] | undefined;
}): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  const [drawn, setDrawn] = useState(pageLength);
  if (!tokens?.length) return null;
  return (
    <details class="chances" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && (
        <p dir="auto">
          {tokens.slice(0, drawn).map((chance, index) => (
            <span key={index} class={`chance ${gradeOf(chance)}`} title={titleOf(chance)}>
              {chance.token}
            </span>
          ))}
        </p>
      )}
      {isOpen && drawn < tokens.length && (
        <button type="button" class="button" onClick={() => setDrawn(drawn + pageLength)}>
          Show More ({drawn.toLocaleString("en")} of {tokens.length.toLocaleString("en")})
        </button>
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
