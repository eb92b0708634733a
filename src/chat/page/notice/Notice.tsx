import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { IconButton } from "../icons.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";
import { useLeaving } from "./useLeaving.ts";

/** The last notice of a conversation, which can be read again after it has left. */
export interface Notices {
  /** The shown notice. */
  readonly shown: string | null;
  /** True if there is one to show again. */
  readonly hasLeft: boolean;
  dismiss(): void;
  showAgain(): void;
  /** Handlers of its element, which keep it while it has the pointer or the focus. */
  readonly attention: ReturnType<typeof useLeaving>;
}

export function useNotices({ store, bridge }: ChatPageDeps): Notices {
  const notice = store.field("notice");
  const conversationId = store.conversationId.value;
  const [last, setLast] = useState<string | null>(null);
  const [isAgain, setAgain] = useState(false);
  useEffect(() => setLast(null), [conversationId]);
  useEffect(() => {
    if (notice === null) return;
    setLast(notice.text);
    setAgain(false);
  }, [notice]);
  const dismiss = () => {
    setAgain(false);
    if (store.peek("notice") !== null) bridge.post("dismissNotice", {});
  };
  const attention = useLeaving(notice, dismiss);
  const shown = notice?.text ?? (isAgain ? last : null);
  return {
    shown,
    hasLeft: shown === null && last !== null,
    dismiss,
    showAgain: () => setAgain(true),
    attention,
  };
}

/** Over the top of the conversation, so that nothing moves when it comes and leaves. */
export function Notice({ notices }: { readonly notices: Notices }): JSX.Element {
  const { shown, dismiss, attention } = notices;
  return (
    <div class="notices" role="status">
      {shown !== null && (
        <div class="notice" {...attention}>
          <span>{shown}</span>
          <IconButton name="close" label="Dismiss" onClick={dismiss} />
        </div>
      )}
    </div>
  );
}
