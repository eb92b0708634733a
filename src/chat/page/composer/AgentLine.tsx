import type { JSX } from "preact";
import { withoutAgent } from "../../protocol/chatUsable.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";

/** Says that another agent answers, and leads back to the own one. */
export function AgentLine({ deps: { store, bridge } }: { readonly deps: ChatPageDeps }): JSX.Element | null {
  const settings = store.field("settings");
  const { agent } = settings;
  if (agent === undefined) return null;
  const title = `${agent} is another program on this machine. It has tools and settings of its own, and asks the chosen model within the cap of the task.`;
  return (
    <p class="agent-line">
      <span class="ellipsis" title={title}>
        {agent} answers
      </span>
      <button
        type="button"
        class="link"
        title="The mode Agent of this extension answers the next questions"
        onClick={() => bridge.post("setSettings", { settings: withoutAgent(settings) })}
      >
        Back to Agent
      </button>
    </p>
  );
}
