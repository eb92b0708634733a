import { agentPrograms } from "../gateway/programs/agentPrograms.ts";
import { Refusal } from "../platform/errors/refusal.ts";
import type { ConsentKey } from "../session/consent/consent.ts";
import type { Consents } from "../session/consent/consents.ts";
import type { HostedAgentOffer } from "../shared/chat/hostedAgentNames.ts";
import { optionalMember } from "../shared/members.ts";
import { SerialQueue } from "../shared/serialQueue.ts";
import { type HostedAgent, hostedAgents } from "./hostedAgents.ts";

/** Where an agent works, and what starts it. */
export interface AgentPlace {
  readonly agent: HostedAgent;
  /** Absolute path of its program. */
  readonly program: string;
  /** Absolute path of the folder of the workspace. */
  readonly folder: string;
}

export interface AgentPlacesDeps {
  readonly consents: Pick<Consents, "use" | "give">;
  /** Asks the user whether the program may be started there. Resolves to undefined without an answer. */
  ask(place: AgentPlace, signal: AbortSignal): Promise<boolean | undefined>;
  /** The user trusts the workspace. */
  isTrusted(): boolean;
  /** Absolute path of the first folder of the workspace; undefined without one on this machine. */
  folder(): string | undefined;
  /** Absolute path of the first of these programs on PATH. */
  programOf(names: readonly string[]): Promise<string | undefined>;
}

/** The agents that this window can start, each in a folder that the user has allowed to it. */
export class AgentPlaces {
  readonly #deps: AgentPlacesDeps;
  readonly #questions = new SerialQueue();

  constructor(deps: AgentPlacesDeps) {
    this.#deps = deps;
  }

  /** All that this version knows. Nothing is run. */
  offers(): Promise<readonly HostedAgentOffer[]> {
    return Promise.all(
      hostedAgents.map(async (agent) => {
        const place = await this.#placeOf(agent);
        return {
          name: agent.name,
          ...optionalMember("problem", typeof place === "string" ? place : undefined),
        };
      }),
    );
  }

  /**
   * Finds an agent, and asks the user whether it may be started in the folder, unless that was allowed before. Rejects with
   * a Refusal if it may not or can't be started, and with the signal's reason. `signal` ends the question.
   */
  async find(name: string, signal: AbortSignal): Promise<AgentPlace> {
    signal.throwIfAborted();
    const agent = hostedAgents.find((known) => known.name === name);
    if (!agent)
      throw new Refusal("This agent is not known here. Choose “Agent” as the mode. Nothing was sent.");
    const place = await this.#placeOf(agent);
    if (typeof place === "string") throw new Refusal(`${place} Nothing was sent.`);
    if (await this.#isAllowed(place, signal)) return place;
    signal.throwIfAborted();
    throw new Refusal(
      `${name} was not allowed to start in this folder. Ask again to allow it, or choose “Agent” as the mode. Nothing was sent.`,
    );
  }

  /** A sentence if it can't be started. */
  async #placeOf(agent: HostedAgent): Promise<AgentPlace | string> {
    const { name, install } = agent;
    const commands = agentPrograms.find((known) => known.name === name)?.commands ?? [];
    const program = await this.#deps.programOf(commands);
    if (program === undefined)
      return `${name} was not found: “${commands.join("” or “")}” is neither on PATH nor where npm, Homebrew, Bun and installers put programs. Install it with “${install}”, and choose it again. If it is elsewhere, add its folder to PATH, and restart the editor.`;
    const folder = this.#deps.folder();
    if (folder === undefined) return `${name} needs a folder to work in. Open one, and try again.`;
    if (!this.#deps.isTrusted())
      return `${name} is started only in a workspace that you trust. Trust this one, and try again.`;
    return { agent, program, folder };
  }

  #isAllowed(place: AgentPlace, signal: AbortSignal): Promise<boolean> {
    const { consents, ask } = this.#deps;
    const key = keyOf(place);
    return this.#questions.run(async () => {
      // Perhaps answered for another chat meanwhile.
      if (consents.use(key)) return true;
      if (signal.aborted || (await ask(place, signal)) !== true || signal.aborted) return false;
      await consents.give({ ...key, says: `${place.agent.name} in ${place.folder}` });
      return true;
    });
  }
}

function keyOf({ agent, program, folder }: AgentPlace): ConsentKey {
  return { kind: "agent", receiver: program, subject: [agent.name, folder] };
}
