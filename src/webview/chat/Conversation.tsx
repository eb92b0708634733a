import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { UserMessage } from "../../shared/chatState.ts";
import { Answer } from "./Answer.tsx";
import type { ChatDeps } from "./chatDeps.ts";
import { handleClick } from "./clicks.ts";
import { createFollower, type Follower } from "./follow.ts";
import { Icon } from "./icons.tsx";

/** All turns, oldest first, with the end kept in sight while the reader stays there. */
export function Conversation({ deps }: { readonly deps: ChatDeps }): JSX.Element {
  const { store, bridge } = deps;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follower = useRef<Follower | undefined>(undefined);
  const [follows, setFollows] = useState(true);
  const ids = store.turnIds.value;
  useEffect(() => {
    const element = scroller.current;
    if (!element || !content.current) return undefined;
    const created = createFollower(element, content.current, setFollows);
    follower.current = created;
    // One listener for all links and code buttons: the markdown that holds them is no component.
    const onClick = (event: MouseEvent) => handleClick(event, bridge);
    element.addEventListener("click", onClick);
    element.addEventListener("auxclick", onClick);
    return () => {
      created.dispose();
      element.removeEventListener("click", onClick);
      element.removeEventListener("auxclick", onClick);
    };
  }, []);
  // A question just asked is at the end, and so is its asker.
  useEffect(() => follower.current?.toEnd(), [ids.length, store.conversationId.value]);
  return (
    <div class="conversation">
      <div class={follows ? "scroller following" : "scroller"} ref={scroller}>
        <div class="turns" ref={content} role="log" aria-live="off" aria-label="Conversation">
          {ids.map((id, index) => (
            <Turn key={id} deps={deps} id={id} isLast={index === ids.length - 1} />
          ))}
        </div>
      </div>
      {!follows && (
        <button type="button" class="to-end" onClick={() => follower.current?.toEnd()}>
          <Icon name="down" />
          {store.busy.value ? "Follow the answer" : "Jump to latest"}
        </button>
      )}
    </div>
  );
}

interface TurnProps {
  readonly deps: ChatDeps;
  readonly id: string;
  readonly isLast: boolean;
}

function Turn({ deps, id, isLast }: TurnProps): JSX.Element {
  const message = deps.store.turn(id).value;
  if (message.role === "user") return <Question message={message} />;
  return <Answer deps={deps} message={message} isLast={isLast} />;
}

function Question({ message }: { readonly message: UserMessage }): JSX.Element {
  return (
    <article class="turn question" aria-label="Your question" dir="auto">
      {message.text}
    </article>
  );
}
