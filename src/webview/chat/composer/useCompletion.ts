import type { RefObject } from "preact";
import { useId, useState } from "preact/hooks";
import type { Mention } from "../../../shared/chatAttachments.ts";
import type { ChatPageDeps } from "../chatDeps.ts";
import { attachmentIcons } from "./AttachmentChip.tsx";
import type { Suggestion } from "./Completion.tsx";
import { completeTrigger, matching, slashCommands, type Trigger, triggerAt } from "./slashCommands.ts";

export interface CompletionState {
  readonly listId: string;
  readonly label: string;
  /** Empty if there is nothing to complete. */
  readonly items: readonly Suggestion[];
  readonly active: number;
  /** The text or the cursor has changed. */
  look(): void;
  close(): void;
  /** True if the key was handled. */
  handle(event: KeyboardEvent): boolean;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** `put` sets the text of the prompt as if the user had typed it. */
export function useCompletion(
  deps: ChatPageDeps,
  box: RefObject<HTMLTextAreaElement | null>,
  put: (text: string, cursor: number) => void,
): CompletionState {
  const [trigger, setTrigger] = useState<Trigger | undefined>(undefined);
  const [active, setActive] = useState(0);
  const listId = useId();

  const close = () => setTrigger(undefined);
  const finish = (inserted: string) => {
    if (!trigger) return;
    close();
    const { text, cursor } = completeTrigger(box.current?.value ?? "", trigger, inserted);
    put(text, Math.min(cursor, text.length));
  };
  const items = trigger ? suggestionsFor(deps, trigger, finish) : [];
  const shown = Math.min(active, Math.max(0, items.length - 1));
  return {
    listId,
    label: trigger?.sign === "/" ? "Commands" : "Attachments",
    items,
    active: shown,
    close,
    look() {
      const element = box.current;
      const isOne = element && element.selectionStart === element.selectionEnd;
      const next = isOne ? triggerAt(element.value, element.selectionStart) : undefined;
      if (next?.sign === trigger?.sign && next?.query === trigger?.query && next?.from === trigger?.from)
        return;
      if (next && next.sign !== "/") deps.bridge.post("mention", { query: next.query });
      setTrigger(next);
      setActive(0);
    },
    handle(event) {
      if (items.length === 0) return false;
      const step = steps[event.key];
      if (step !== undefined) setActive((shown + step + items.length) % items.length);
      else if (event.key === "Escape") close();
      else if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") items[shown]?.take();
      else return false;
      event.preventDefault();
      return true;
    },
  };
}

function suggestionsFor(
  deps: ChatPageDeps,
  trigger: Trigger,
  finish: (inserted: string) => void,
): Suggestion[] {
  if (trigger.sign === "/") return commandsFor(deps, trigger.query, finish);
  const mentions = deps.store.field("mentions");
  // The results for the shorter query are shown until the new ones arrive.
  if (!mentions || !trigger.query.startsWith(mentions.query)) return [];
  const found = mentions.items.filter(({ request }) => trigger.sign === "@" || request.kind !== "uri");
  return found.map((mention) => ({
    key: JSON.stringify(mention.request),
    icon: attachmentIcons[mention.icon],
    name: mention.name,
    detail: mention.detail,
    take() {
      deps.bridge.post("attach", { request: mention.request });
      finish(wordFor(mention));
    },
  }));
}

function commandsFor(deps: ChatPageDeps, query: string, finish: (inserted: string) => void): Suggestion[] {
  const press = (selector: string) => document.querySelector<HTMLElement>(selector)?.click();
  return matching(slashCommands(deps, press), query).map(({ name, detail, text = "", run }) => ({
    key: name,
    name: `/${name}`,
    detail,
    take() {
      finish(text);
      run();
    },
  }));
}

/** The text that stays in the question after the attachment is added. */
function wordFor({ request, name }: Mention): string {
  return request.kind === "uri" ? `@${name}` : `#${name}`;
}
