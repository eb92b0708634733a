import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ErrorAction, Explanation } from "../../../../shared/errorActions.ts";
import { Icon } from "../../icons.ts";
import type { ChatBridge } from "../../store/bridge.ts";

export interface ProblemProps {
  readonly explanation: Explanation;
  readonly bridge: ChatBridge;
  readonly onRetry: () => void;
}

/** An error sentence with buttons for its actions. */
export function ProblemNote({ explanation, bridge, onRetry }: ProblemProps): JSX.Element {
  const { sentence, actions, retryAtMs } = explanation;
  const seconds = useSecondsUntil(retryAtMs);
  const act = ({ id }: ErrorAction) => {
    if (id === "retry") onRetry();
    else if (id === "sendAsText") bridge.post("sendAsText", {});
    else if (id === "withoutTools") {
      bridge.post("withoutTools", {});
      onRetry();
    } else bridge.post("act", { action: id });
  };
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div class="problem-body">
        <p>{sentence}</p>
        <div class="buttons">
          {actions.map((action, index) => {
            const waits = action.id === "retry" && seconds > 0;
            return (
              <button
                key={action.id}
                type="button"
                class={index === 0 ? "button primary" : "button"}
                disabled={waits}
                onClick={() => act(action)}
              >
                {waits ? `${action.label} in ${seconds} s` : action.label}
              </button>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Seconds until that time, rounded up; 0 if it is past or missing. */
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
