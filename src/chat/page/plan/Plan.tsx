import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { drawInlineMarkdown } from "../../../webview/markdown/markdownStream.ts";
import { Icon } from "../icons.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";
import { handleClick } from "../store/clickHandlers.ts";

interface PlanProps {
  readonly deps: ChatPageDeps;
  /** Markdown of the model or of the user, with items `- [ ]` and `- [x]`. */
  readonly plan: string;
}

/** Plans of conversations whose editing has not ended, which the page keeps. */
const mostUnsaved = 20;
const item = /^(\s*)(?:[-*+]|\d+[.)]) \[([ xX])\] (.*)$/;
/** A line that is no item: without the marks of a heading or of a list. */
const lead = /^\s*(?:#{1,6}\s+|[-*+]\s+)?/;
const deepest = 4;

/** The number of items of a plan, and of those that are done. */
export function planCount(plan: string): { readonly done: number; readonly all: number } {
  const marks = plan.split("\n").flatMap((line) => item.exec(line)?.[2] ?? []);
  return { done: marks.filter((mark) => mark !== " ").length, all: marks.length };
}

/** The items of a plan. Each is one line of Markdown: code, bold text and links are drawn, blocks are not. */
function PlanItems({ deps, plan }: PlanProps): JSX.Element {
  const lines = plan.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on one of its links is a click.
    <ul class="task-items" onClick={(event) => handleClick(event, deps)}>
      {lines.map((line, index) => (
        <PlanLine key={index} deps={deps} line={line} />
      ))}
    </ul>
  );
}

function PlanLine({ deps, line }: { readonly deps: ChatPageDeps; readonly line: string }): JSX.Element {
  const [, indent = "", mark, text] = item.exec(line) ?? [];
  if (mark === undefined)
    return (
      <li class="task-text">
        <InlineMarkdown deps={deps} text={line.replace(lead, "")} />
      </li>
    );
  const isDone = mark !== " ";
  const depth = Math.min(deepest, Math.floor(indent.replaceAll("\t", "  ").length / 2));
  return (
    <li
      class={isDone ? "task-item done" : "task-item"}
      style={depth > 0 ? { marginInlineStart: `${depth * 14}px` } : undefined}
    >
      <span class="task-mark">{isDone && <Icon name="check" />}</span>
      <span class="visually-hidden">{isDone ? "Done: " : "Open: "}</span>
      <InlineMarkdown deps={deps} text={text ?? ""} />
    </li>
  );
}

/** One line of Markdown, drawn outside of Preact as answers are. */
export function InlineMarkdown({
  deps,
  text,
}: {
  readonly deps: ChatPageDeps;
  readonly text: string;
}): JSX.Element {
  const root = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (!root.current) return;
    drawInlineMarkdown(root.current, text, deps.markdown);
    deps.paths.look(root.current);
  }, [text]);
  return <span class="markdown plan-line" ref={root} dir="auto" />;
}

/** The plan with its editor. What is typed is kept by the page until it is saved or cancelled. */
export function PlanView({ deps, plan }: PlanProps): JSX.Element {
  const { bridge, store } = deps;
  const conversationId = store.conversationId.value;
  const unsaved = bridge.kept?.plans?.find(({ of }) => of === conversationId)?.text;
  const keep = (...texts: readonly string[]) => {
    const others = (bridge.kept?.plans ?? []).filter(({ of }) => of !== conversationId);
    const kept = [...others, ...texts.map((text) => ({ of: conversationId, text }))];
    bridge.keep({ plans: kept.slice(-mostUnsaved) });
  };
  const [isEdited, setEdited] = useState(unsaved !== undefined);
  const box = useRef<HTMLTextAreaElement>(null);
  const close = () => {
    keep();
    setEdited(false);
  };
  const save = () => {
    bridge.post("setPlan", { plan: box.current?.value ?? plan });
    close();
  };
  if (!isEdited)
    return (
      <>
        <PlanItems deps={deps} plan={plan} />
        <div class="buttons">
          {store.field("settings").mode === "plan" && !store.field("busy") && (
            <button
              type="button"
              class="button primary"
              title="Switches to the mode Agent and carries out the plan"
              onClick={() => bridge.post("startPlan", {})}
            >
              Start
            </button>
          )}
          <button type="button" class="link" onClick={() => setEdited(true)}>
            Edit Plan
          </button>
        </div>
      </>
    );
  return (
    <>
      <textarea
        ref={box}
        rows={8}
        maxLength={20_000}
        aria-label="Plan"
        dir="auto"
        onInput={({ currentTarget: { value } }) => keep(value)}
      >
        {unsaved ?? plan}
      </textarea>
      <div class="buttons">
        <button type="button" class="button primary" onClick={save}>
          Save Plan
        </button>
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
      </div>
    </>
  );
}

/** True if the user was editing the plan of this conversation when the page was last closed. */
export function isPlanUnsaved({ bridge, store }: ChatPageDeps): boolean {
  const conversationId = store.conversationId.peek();
  return (bridge.kept?.plans ?? []).some(({ of }) => of === conversationId);
}
