import { Refused } from "../../server/refused.ts";
import type { AgentSession } from "../../server/sessionBook.ts";

const stopped =
  "The user stopped this session in VS Code. To go on, choose Resume there, at the session in the view “Agent Sessions”.";

/** Refuses the next calls of a session. */
export function pauseSession(agent: AgentSession): void {
  agent.refusal = stopped;
}

/** Ends the calls in progress of a session, and refuses its next ones. */
export function stopSession(agent: AgentSession): void {
  pauseSession(agent);
  for (const call of agent.running) call.abort(new Refused({ status: 403, sentence: stopped }));
}

export function resumeSession(agent: AgentSession): void {
  agent.refusal = undefined;
}
