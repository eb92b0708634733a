import type { AgentPlaces } from "../../../agents/agentPlaces.ts";
import type { HostedAgentName } from "../../../shared/chat/hostedAgentNames.ts";
import type { LiveChat } from "../conversation/liveChat.ts";

export interface AgentChoiceDeps {
  readonly chat: LiveChat;
  /** Undefined where none can be started. */
  readonly agents: Pick<AgentPlaces, "offers"> | undefined;
  readonly report: (error: unknown) => void;
}

/** The choice of another agent that answers in this chat. */
export class AgentChoice {
  readonly #deps: AgentChoiceDeps;

  constructor(deps: AgentChoiceDeps) {
    this.#deps = deps;
  }

  /** Looks for the agents again: one may have been installed. */
  load(): void {
    void this.#read().catch(this.#deps.report);
  }

  /** The next questions go to this agent. For one that can't be started, a notice says why, and how it can. */
  async choose(name: HostedAgentName): Promise<void> {
    const { chat } = this.#deps;
    const { conversationId } = chat.state;
    const offer = (await this.#read()).find((known) => known.name === name);
    if (conversationId !== chat.state.conversationId) return;
    const problem = offer ? offer.problem : `${name} can't be started here.`;
    if (problem !== undefined) return chat.set({ notice: { text: problem, stays: true } });
    const { customMode: _, ...settings } = chat.state.settings;
    chat.set({ settings: { ...settings, mode: "agent", agent: name } });
  }

  async #read() {
    const { chat, agents } = this.#deps;
    const offers = (await agents?.offers()) ?? [];
    if (JSON.stringify(offers) !== JSON.stringify(chat.state.agents)) chat.set({ agents: offers });
    return offers;
  }
}
