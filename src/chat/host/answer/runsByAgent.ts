import { explain } from "../../../platform/errors/errorMessage.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { hostedAgentNamed } from "../../../shared/chat/hostedAgentNames.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import type { AnswerMessage } from "../../protocol/chatMessages.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import type { AnswerRuns, RollBack } from "./answerRuns.ts";

interface RunsByAgentDeps {
  readonly chat: LiveChat;
  /** Of the models. */
  readonly own: AnswerRuns;
  /** Of other agents; undefined where none can be started. */
  readonly agents: AnswerRuns | undefined;
}

/** The runs of all answers: an answer of another agent is started by that. One of an agent that can't be started is refused. */
export function runsByAgent({ chat, own, agents }: RunsByAgentDeps): AnswerRuns {
  const all = agents ? [own, agents] : [own];
  return {
    get areRunning() {
      return all.some((runs) => runs.areRunning);
    },
    start(answers, rollBack) {
      const agent = answers[0]?.agent;
      if (agent === undefined) own.start(answers, rollBack);
      else if (agents && hostedAgentNamed(agent)) agents.start(answers, rollBack);
      else refuse(chat, answers, agent, rollBack);
    },
    stop() {
      for (const runs of all) runs.stop();
    },
    dispose() {
      for (const runs of all) runs.dispose();
    },
  };
}

function refuse(chat: LiveChat, answers: readonly AnswerMessage[], agent: string, rollBack: RollBack): void {
  const error = new Refusal(
    `${visibleLine(agent)} can't be started here. Choose “Agent” as the mode, and ask again. Nothing was sent.`,
  );
  const problem = explain(error, { service: agent });
  if (rollBack(problem, error)) return;
  for (const { id, text, reasoning } of answers) {
    const state = text + reasoning === "" ? "failed" : "cut-off";
    chat.change({ op: "patch", id, patch: { state, problem } });
  }
}
