import type { JSX } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { createSourceCard } from "../details/sourceCard.ts";
import { Find } from "../find/FindWidget.tsx";
import { Icon } from "../icons.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";
import { copyAsWritten, handleClick } from "../store/clickHandlers.ts";
import { CutLine, TurnGroup } from "./TurnGroup.tsx";
import { createFollower, type Follower } from "./window/follow.ts";
import { type GroupedTurns, groupTurns } from "./window/turnGroups.ts";
import { createTurnWindow, type TurnWindow } from "./window/turnWindow.ts";

/** Groups rendered at first, from the end: more than a screen shows. */
const drawnAtFirst = 6;

/** All turns, oldest first. It scrolls with new text while the user is at the end. */
export function Conversation({ deps }: { readonly deps: ChatPageDeps }): JSX.Element {
  const { store } = deps;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follower = useRef<Follower | undefined>(undefined);
  const turnWindow = useRef<TurnWindow | undefined>(undefined);
  const [follows, setFollows] = useState(true);
  const ids = store.turnIds.value;
  useAwayFromTop(scroller.current, store.earlierCount.value);
  const groups = useRef<readonly GroupedTurns[]>([]);
  groups.current = groupTurns(groups.current, ids);
  // Children are mounted before the effects of their parents run.
  const watch = useCallback<TurnWindow["watch"]>((element, group) => {
    if (!scroller.current) return () => {};
    turnWindow.current ??= createTurnWindow(scroller.current);
    return turnWindow.current.watch(element, group);
  }, []);
  /** Number of loaded messages that do not fit the model's context. */
  const unsent = (store.field("context")?.dropped ?? 0) - store.earlierCount.value;
  const cutId = unsent > 0 ? ids[unsent] : undefined;
  useEffect(() => {
    const element = scroller.current;
    if (!element || !content.current) return undefined;
    const created = createFollower(element, content.current, setFollows);
    follower.current = created;
    // One listener for all links and code buttons, because Markdown is rendered without components.
    const onClick = (event: MouseEvent) => handleClick(event, deps);
    element.addEventListener("click", onClick);
    element.addEventListener("auxclick", onClick);
    element.addEventListener("copy", copyAsWritten);
    const card = createSourceCard(element);
    return () => {
      created.dispose();
      turnWindow.current?.dispose();
      card.dispose();
      element.removeEventListener("copy", copyAsWritten);
      element.removeEventListener("click", onClick);
      element.removeEventListener("auxclick", onClick);
    };
  }, []);
  // After a question is sent, the view scrolls to it.
  useEffect(() => follower.current?.toEnd(), [ids.at(-1), store.conversationId.value]);
  let place = store.earlierCount.value + 1;
  const drawn = ({ key, ids: some }: GroupedTurns, index: number) => {
    const group = (
      <TurnGroup
        key={key}
        deps={deps}
        ids={some}
        place={place}
        isDrawn={index >= groups.current.length - drawnAtFirst}
        watch={watch}
        lastId={some.at(-1) === ids.at(-1) ? ids.at(-1) : undefined}
        cutId={cutId !== undefined && some.includes(cutId) ? cutId : undefined}
      />
    );
    place += some.length;
    return group;
  };
  return (
    <div class="conversation">
      <Find deps={deps} scroller={scroller} />
      <div class={follows ? "scroller following" : "scroller"} ref={scroller}>
        <div class="turns" ref={content} role="log" aria-live="off" aria-label="Conversation">
          <Earlier deps={deps} />
          {groups.current.map(drawn)}
          {unsent > 0 && unsent >= ids.length && <CutLine />}
        </div>
      </div>
      {!follows && (
        <button type="button" class="to-end" onClick={() => follower.current?.toEnd()}>
          <Icon name="down" />
          {store.field("busy") ? "Follow the answer" : "Jump to latest"}
        </button>
      )}
    </div>
  );
}

/** A button above the first loaded message. It loads earlier messages as soon as the reader scrolls near it. */
function Earlier({ deps }: { readonly deps: ChatPageDeps }): JSX.Element | null {
  const button = useRef<HTMLButtonElement>(null);
  const count = deps.store.earlierCount.value;
  const show = () => deps.bridge.post("showEarlier", {});
  useEffect(() => {
    if (!button.current) return undefined;
    // A busy page gets several entries at once, and the first may be out of date.
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

/** Moves the scroller off the very top, where the browser would not keep the position when messages are inserted. */
function useAwayFromTop(scroller: HTMLElement | null, earlierCount: number): void {
  const known = useRef(earlierCount);
  if (scroller && earlierCount < known.current && scroller.scrollTop < 1) scroller.scrollTop = 1;
  known.current = earlierCount;
}
