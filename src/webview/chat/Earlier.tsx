import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ChatPageDeps } from "./chatDeps.ts";

/** Comes into sight where the reader nears the first message that is here, and fetches those before it. */
export function Earlier({ deps }: { readonly deps: ChatPageDeps }): JSX.Element | null {
  const button = useRef<HTMLButtonElement>(null);
  const count = deps.store.earlierCount.value;
  const show = () => deps.bridge.post("showEarlier", {});
  useEffect(() => {
    if (!button.current) return undefined;
    // A busy page hears of several changes at once: the first may be that it was not near, and no other follows.
    const handle = (entries: readonly IntersectionObserverEntry[]) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) show();
    };
    const near = new IntersectionObserver(handle, {
      root: button.current.closest(".scroller"),
      rootMargin: "1600px 0px 0px",
    });
    near.observe(button.current);
    return () => near.disconnect();
  }, [count]);
  if (count === 0) return null;
  return (
    <button ref={button} type="button" class="earlier" onClick={show}>
      {count === 1 ? "1 earlier message" : `${count} earlier messages`}
    </button>
  );
}

/** At the very top the browser stays there when messages come before, and what the reader looks at would move away. */
export function useAwayFromTop(scroller: HTMLElement | null, earlierCount: number): void {
  const known = useRef(earlierCount);
  if (scroller && earlierCount < known.current && scroller.scrollTop < 1) scroller.scrollTop = 1;
  known.current = earlierCount;
}
