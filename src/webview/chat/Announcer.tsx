import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { AnswerState } from "../../shared/chatMessages.ts";
import type { ChatPageDeps } from "./chatDeps.ts";

const endings: Readonly<Partial<Record<AnswerState | "none", string>>> = {
  done: "The answer is complete.",
  stopped: "The answer was stopped.",
  "cut-off": "The answer was cut off.",
};

/** Tells a screen reader that an answer begins, what it says sentence by sentence, and how it ends. */
export function Announcer({ deps: { store, liveRegion } }: { readonly deps: ChatPageDeps }): JSX.Element {
  const region = useRef<HTMLDivElement>(null);
  const wasBusy = useRef(false);
  const busy = store.field("busy");
  useEffect(() => {
    if (region.current) liveRegion.attach(region.current);
  }, []);
  useEffect(() => {
    if (busy && !wasBusy.current) liveRegion.end("Answering.");
    if (!busy && wasBusy.current) liveRegion.end(endings[store.lastState()] ?? "No answer came.");
    wasBusy.current = busy;
  }, [busy]);
  return <div ref={region} class="visually-hidden" aria-live="polite" />;
}
