import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type AnswerMessage, type AnswerPart, isRunning } from "../../shared/chatMessages.ts";
import { type AnswerRenderer, createAnswerRenderer } from "./answerRenderer.ts";
import type { ChatPageDeps } from "./chatDeps.ts";

export interface MarkdownViewProps {
  readonly deps: ChatPageDeps;
  readonly message: AnswerMessage;
  readonly part: AnswerPart;
}

/** The place of a text that streams. The sink draws it; the component only gives it its place, and its end. */
export function MarkdownView({ deps, message, part }: MarkdownViewProps): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  const sink = useRef<AnswerRenderer | undefined>(undefined);
  useLayoutEffect(() => {
    if (!root.current) return undefined;
    sink.current = createAnswerRenderer(root.current, deps.markdown, deps.frames);
    return deps.store.stream(message.id, part, sink.current);
  }, [message.id, part]);
  useLayoutEffect(() => {
    if (isRunning(message)) return;
    sink.current?.sync(message[part], true);
    // After the drawing, which was asked for before.
    deps.frames.request(() => root.current && deps.paths.look(root.current));
  }, [message]);
  useLayoutEffect(() => {
    if (part === "text") sink.current?.cite(message.sources ?? []);
  }, [message.id, message.sources]);
  return <div class="markdown" ref={root} dir="auto" />;
}
