import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type ChatState, isBusy } from "../../shared/chatState.ts";

/** Tells a screen reader that an answer began and, once, what it came to; text that streams would drown all else. */
export function Announcer({ state }: { readonly state: ChatState }): JSX.Element {
  const busy = isBusy(state);
  const [said, setSaid] = useState("");
  const [wasBusy, setWasBusy] = useState(busy);
  useEffect(() => {
    if (busy === wasBusy) return;
    setWasBusy(busy);
    const last = state.messages.at(-1);
    if (busy) setSaid("Answering");
    else if (last?.role === "assistant") setSaid(last.text.slice(0, 2000) || "No answer came");
  }, [busy]);
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {said}
    </div>
  );
}
