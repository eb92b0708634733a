import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useEffect, useRef, useState } from "preact/hooks";
import { type ChatState, isRunning, type UserMessage } from "../../shared/chatState.ts";
import { codeOfButton } from "../markdown/codeFrame.ts";
import { safeHref } from "../markdown/links.ts";
import { Answer, type AnswerProps } from "./Answer.tsx";
import type { Bridge } from "./bridge.ts";
import { createFollower, type Follower } from "./follow.ts";
import { Icon } from "./icons.tsx";

export interface ConversationProps
  extends Pick<AnswerProps, "highlighter" | "onCopy" | "onRetry" | "onAction"> {
  readonly state: ChatState;
  readonly bridge: Bridge;
}

/** All turns, oldest first, with the end kept in sight while the reader stays there. */
export function Conversation({ state, bridge, ...forAnswers }: ConversationProps): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follower = useRef<Follower | undefined>(undefined);
  const [follows, setFollows] = useState(true);
  useEffect(() => {
    if (!scroller.current || !content.current) return;
    follower.current = createFollower(scroller.current, content.current, setFollows);
    return () => follower.current?.dispose();
  }, []);
  const questions = state.messages.filter(({ role }) => role === "user").length;
  // A question just asked is at the end, and so is its asker.
  useEffect(() => follower.current?.toEnd(), [questions, state.conversationId]);
  const names = new Map(
    state.models.status === "ready" ? state.models.cards.map(({ id, name }) => [id, name]) : [],
  );
  const last = state.messages.at(-1);
  // One listener for all links and code buttons: the markdown that holds them is no component.
  useEffect(() => {
    const onClick = (event: MouseEvent) => clicked(event, bridge);
    scroller.current?.addEventListener("click", onClick);
    return () => scroller.current?.removeEventListener("click", onClick);
  }, [bridge]);
  return (
    <div class="conversation">
      <div class="scroller" ref={scroller}>
        <div class="turns" ref={content} role="log" aria-live="off" aria-label="Conversation">
          {state.messages.map((message) =>
            message.role === "user" ? (
              <Question key={message.id} message={message} />
            ) : (
              <Answer
                key={message.id}
                {...forAnswers}
                message={message}
                modelName={names.get(message.model) ?? message.model}
                isLast={message === last}
              />
            ),
          )}
        </div>
      </div>
      {!follows && (
        <button type="button" class="to-end" onClick={() => follower.current?.toEnd()}>
          <Icon name="down" />
          {last?.role === "assistant" && isRunning(last) ? "Follow the answer" : "To the end"}
        </button>
      )}
    </div>
  );
}

const Question = memo(function Question({ message }: { readonly message: UserMessage }): JSX.Element {
  return (
    <article class="turn question" aria-label="Your question" dir="auto">
      {message.text}
    </article>
  );
});

/** Links are opened, and code is copied, by the host: the page can do neither. */
function clicked(event: MouseEvent, bridge: Bridge): void {
  if (!(event.target instanceof Element)) return;
  const copy = event.target.closest("button.code-copy");
  const code = copy ? codeOfButton(copy) : undefined;
  if (copy && code !== undefined) {
    bridge.post("copyText", { text: code });
    confirmCopy(copy);
    return;
  }
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  const url = safeHref(link.href);
  if (url !== undefined) bridge.post("openLink", { url });
}

function confirmCopy(button: Element): void {
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = "Copy";
  }, 1500);
}
