/** The agents of other vendors that can answer in the chat, as the lists of programs name them. */
export const hostedAgentNames = ["OpenCode", "Cline"] as const;
export type HostedAgentName = (typeof hostedAgentNames)[number];

/** An agent that the user can choose, or why not now. */
export interface HostedAgentOffer {
  readonly name: HostedAgentName;
  /** A sentence with the next step. */
  readonly problem?: string;
}

/** The agent of this name; undefined for one that this version does not know. */
export function hostedAgentNamed(name: string | undefined): HostedAgentName | undefined {
  return hostedAgentNames.find((known) => known === name);
}
