import type { JSX, RefObject } from "preact";
import { useState } from "preact/hooks";
import type { Mention } from "../../../../shared/chat/chatAttachments.ts";
import { type Listbox, useListbox } from "../../../../webview/ui/listbox.ts";
import { Icon, type IconName } from "../../icons.ts";
import type { ChatPageDeps } from "../../store/chatDeps.ts";
import { MiddleCut } from "../../turn/answer/MiddleCut.tsx";
import { attachmentIcons } from "../attachments/AttachmentChip.tsx";
import { usePopupRoom } from "../usePopupRoom.ts";
import { completeTrigger, matching, slashCommands, type Trigger, triggerAt } from "./slashCommands.ts";

/** One row, with the action for selecting it. */
interface Suggestion {
  readonly key: string;
  readonly icon?: IconName;
  readonly name: string;
  readonly detail?: string | undefined;
  take(): void;
}

export interface PromptCompletion {
  readonly label: string;
  /** Empty if there is nothing to complete. */
  readonly items: readonly Suggestion[];
  readonly listbox: Listbox;
  /** The text or the cursor has changed. */
  look(): void;
  close(): void;
  /** True if the key was handled. */
  handle(event: KeyboardEvent): boolean;
}

/** `put` sets the text of the prompt as if the user had typed it. */
export function useCompletion(
  deps: ChatPageDeps,
  box: RefObject<HTMLTextAreaElement | null>,
  put: (text: string, cursor: number) => void,
): PromptCompletion {
  const [trigger, setTrigger] = useState<Trigger | undefined>(undefined);
  const [chosen, setActive] = useState(0);

  const close = () => setTrigger(undefined);
  const finish = (inserted: string) => {
    if (!trigger) return;
    close();
    const { text, cursor } = completeTrigger(box.current?.value ?? "", trigger, inserted);
    put(text, Math.min(cursor, text.length));
  };
  const items = trigger ? suggestionsFor(deps, trigger, finish) : [];
  const active = Math.min(chosen, Math.max(0, items.length - 1));
  const listbox = useListbox({
    count: items.length,
    wraps: true,
    isTyping: true,
    active,
    onMove: setActive,
  });
  return {
    label: trigger?.sign === "/" ? "Commands" : "Attachments",
    items,
    listbox,
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
      if (listbox.handle(event)) return true;
      if (event.key === "Escape") close();
      else if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") items[active]?.take();
      else return false;
      event.preventDefault();
      return true;
    },
  };
}

/** Suggestions for the typed text. The focus stays in the prompt, which refers to the active row. */
export function CompletionList({ label, items, listbox }: PromptCompletion): JSX.Element {
  usePopupRoom(listbox.ref, false);
  return (
    <div ref={listbox.ref} class="completion" role="listbox" tabIndex={0} id={listbox.id} aria-label={label}>
      {items.map((item, index) => {
        const option = listbox.option(index, () => item.take());
        return (
          <div
            {...option}
            key={item.key}
            class={option["aria-selected"] ? "picker-row active" : "picker-row"}
          >
            {item.icon && <Icon name={item.icon} />}
            <MiddleCut class="completion-name" text={item.name} />
            {item.detail !== undefined && <MiddleCut class="completion-detail" text={item.detail} />}
          </div>
        );
      })}
    </div>
  );
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
