import type { KeptView } from "../protocol/keptView.ts";
import type { UsageState } from "../protocol/usageProtocol.ts";
import type { UsageBridge } from "./bridge.ts";

/** Empty for what another version kept. */
export function keptView({ kept }: Pick<UsageBridge, "kept">): KeptView {
  return kept?.v === 1 ? kept : {};
}

export function choiceIn(state: UsageState): NonNullable<KeptView["choice"]> {
  const { connection, service, lookback, from, to, groupBy, onlyCurrency: currency } = state;
  return { connection, service, lookback, from, to, groupBy, currency };
}

const scrollPauseMs = 150;
const gestures = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/**
 * Keeps how far the page is scrolled, and scrolls it there again while its parts arrive: each makes it longer. The first
 * gesture of the user ends that.
 */
export function keepScroll(bridge: UsageBridge): void {
  const { scrollTop = 0 } = keptView(bridge);
  const ended = new AbortController();
  const { signal } = ended;
  for (const gesture of gestures)
    window.addEventListener(gesture, () => ended.abort(), { signal, capture: true, passive: true });
  const again = () => {
    if (!signal.aborted) requestAnimationFrame(() => !signal.aborted && window.scrollTo(0, scrollTop));
  };
  if (scrollTop === 0) ended.abort();
  bridge.onMessage(({ type }) => {
    if (type === "moved" || type === "cleared") ended.abort();
    else again();
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  window.addEventListener("scroll", () => {
    clearTimeout(timer);
    // While it is scrolled to what was kept, that stays kept.
    if (signal.aborted)
      timer = setTimeout(() => bridge.keep({ v: 1, scrollTop: window.scrollY }), scrollPauseMs);
  });
}
