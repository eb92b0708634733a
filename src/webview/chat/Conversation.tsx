import { Component, Fragment, type JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Answer } from "./Answer.tsx";
import type { ChatDeps } from "./chatDeps.ts";
import { handleClick } from "./clicks.ts";
import { copyAsWritten } from "./copying.ts";
import { createFollower, type Follower } from "./follow.ts";
import { Icon } from "./icons.ts";
import { Question } from "./Question.tsx";
import { createSourceCard } from "./sourceCard.ts";
import { Together } from "./Together.tsx";
import { groupTurns, type TurnGroup } from "./turnGroups.ts";

/** All turns, oldest first, with the end kept in sight while the reader stays there. */
export function Conversation({ deps }: { readonly deps: ChatDeps }): JSX.Element {
  const { store } = deps;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follower = useRef<Follower | undefined>(undefined);
  const [follows, setFollows] = useState(true);
  const ids = store.turnIds.value;
  const groups = useRef<readonly TurnGroup[]>([]);
  groups.current = groupTurns(groups.current, ids);
  /** So many of those that are here do not fit the model. */
  const unsent = (store.field("context")?.dropped ?? 0) - store.earlierCount.value;
  const cutId = unsent > 0 ? ids[unsent] : undefined;
  useEffect(() => {
    const element = scroller.current;
    if (!element || !content.current) return undefined;
    const created = createFollower(element, content.current, setFollows);
    follower.current = created;
    // One listener for all links and code buttons: the markdown that holds them is no component.
    const onClick = (event: MouseEvent) => handleClick(event, deps);
    element.addEventListener("click", onClick);
    element.addEventListener("auxclick", onClick);
    element.addEventListener("copy", copyAsWritten);
    const card = createSourceCard(element);
    return () => {
      created.dispose();
      card.dispose();
      element.removeEventListener("copy", copyAsWritten);
      element.removeEventListener("click", onClick);
      element.removeEventListener("auxclick", onClick);
    };
  }, []);
  // A question just asked is at the end, and so is its asker.
  useEffect(() => follower.current?.toEnd(), [ids.at(-1), store.conversationId.value]);
  return (
    <div class="conversation">
      <div class={follows ? "scroller following" : "scroller"} ref={scroller}>
        <div class="turns" ref={content} role="log" aria-live="off" aria-label="Conversation">
          <Earlier deps={deps} />
          {groups.current.map(({ key, ids: some }) => (
            <Group
              key={key}
              deps={deps}
              ids={some}
              lastId={some.at(-1) === ids.at(-1) ? ids.at(-1) : undefined}
              cutId={cutId !== undefined && some.includes(cutId) ? cutId : undefined}
            />
          ))}
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

interface GroupProps {
  readonly deps: ChatDeps;
  readonly ids: readonly string[];
  /** The last turn of all, where it is in here, and the first that is sent, where others are not. */
  readonly lastId: string | undefined;
  readonly cutId: string | undefined;
}

/** Drawn anew only where something of it has changed: there may be a hundred. */
class Group extends Component<GroupProps> {
  override shouldComponentUpdate(next: GroupProps): boolean {
    const { ids, lastId, cutId } = this.props;
    return next.ids !== ids || next.lastId !== lastId || next.cutId !== cutId;
  }

  override render({ deps, ids, lastId, cutId }: GroupProps): JSX.Element {
    return (
      <div class="turn-group">
        {ids.map((id) => (
          <Fragment key={id}>
            {id === cutId && <CutLine />}
            <Turn deps={deps} id={id} isLast={id === lastId} />
          </Fragment>
        ))}
      </div>
    );
  }
}

interface TurnProps {
  readonly deps: ChatDeps;
  readonly id: string;
  readonly isLast: boolean;
}

function Turn({ deps, id, isLast }: TurnProps): JSX.Element {
  const message = deps.store.turn(id).value;
  if (message.role === "user") return <Question deps={deps} message={message} />;
  const ids = deps.store.together(id);
  if (ids.length > 1) return <Together deps={deps} chosenId={id} ids={ids} isLast={isLast} />;
  return <Answer deps={deps} message={message} isLast={isLast} />;
}

/** Comes into sight where the reader nears the first message that is here, and fetches those before it. */
function Earlier({ deps }: { readonly deps: ChatDeps }): JSX.Element | null {
  const button = useRef<HTMLButtonElement>(null);
  const count = deps.store.earlierCount.value;
  const show = () => {
    const scroller = button.current?.closest(".scroller");
    // At the very top the browser would stay there, and what the reader looks at would move away.
    if (scroller?.scrollTop === 0) scroller.scrollTop = 1;
    deps.bridge.post("showEarlier", {});
  };
  useEffect(() => {
    if (!button.current) return undefined;
    const near = new IntersectionObserver(([entry]) => entry?.isIntersecting && show(), {
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

/** Where what is sent begins. */
function CutLine(): JSX.Element {
  return <p class="cut-line">What is above is not sent any more</p>;
}
