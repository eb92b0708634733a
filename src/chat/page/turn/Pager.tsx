import type { JSX } from "preact";
import { IconButton } from "../icons.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";

/** Switches between the versions of a question or an answer. */
export function Pager({
  deps,
  id,
}: {
  readonly deps: ChatPageDeps;
  readonly id: string;
}): JSX.Element | null {
  const { store, bridge } = deps;
  const ids = store.siblings(id);
  if (ids.length < 2 || store.together(id).length === ids.length) return null;
  const index = ids.indexOf(id);
  const go = (step: number) => {
    const messageId = ids[index + step];
    if (messageId !== undefined) bridge.post("showBranch", { messageId });
  };
  return (
    <span class="pager">
      <IconButton name="left" label="Previous Version" disabled={index === 0} onClick={() => go(-1)} />
      <span title={`Version ${index + 1} of ${ids.length}`}>
        {index + 1}/{ids.length}
      </span>
      <IconButton
        name="right"
        label="Next Version"
        disabled={index === ids.length - 1}
        onClick={() => go(1)}
      />
    </span>
  );
}
