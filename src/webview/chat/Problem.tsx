import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ErrorActionId, Explanation } from "../../shared/errorActions.ts";
import { Icon } from "./icons.tsx";

export interface ProblemProps {
  readonly explanation: Explanation;
  readonly onAction: (action: ErrorActionId) => void;
}

/** What went wrong, in a sentence, with the buttons that help. */
export function Problem({ explanation, onAction }: ProblemProps): JSX.Element {
  const { sentence, actions, retryAtMs } = explanation;
  const seconds = useSecondsUntil(retryAtMs);
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div class="problem-body">
        <p>{sentence}</p>
        <div class="buttons">
          {actions.map(({ id, label }, index) => {
            const waits = id === "retry" && seconds > 0;
            return (
              <button
                key={id}
                type="button"
                class={index === 0 ? "button primary" : "button"}
                disabled={waits}
                onClick={() => onAction(id)}
              >
                {waits ? `${label} in ${seconds} s` : label}
              </button>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Whole seconds until that time, counted down; 0 once it is past or where there is none. */
export function useSecondsUntil(atMs: number | null | undefined): number {
  const left = () => Math.max(0, Math.ceil(((atMs ?? 0) - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    if (!atMs || atMs <= Date.now()) return;
    const timer = setInterval(() => {
      setSeconds(left());
      if (left() === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [atMs]);
  return seconds;
}
