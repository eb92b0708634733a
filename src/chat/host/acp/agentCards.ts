import { randomUUID } from "node:crypto";
import type { AgentQuestion } from "../../../agents/agentTurn.ts";
import type { AgentCall } from "../../../agents/turnView.ts";
import {
  type AgentOption,
  type AnswerMessage,
  isCallOver,
  type ToolCallCard,
} from "../../protocol/chatMessages.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import { answerIn } from "../conversation/messageTree.ts";
import { notRunText } from "../tools/rounds/earlyEnd.ts";
import { replaced, skipped } from "../tools/rounds/toolCards.ts";
import { changedCard, type OfferedOptions, offeredOptions, shownOptions, stepCard } from "./stepCards.ts";

interface AgentCardsDeps {
  readonly chat: LiveChat;
  /** The answer that gets a new card. */
  readonly answerFor: () => string;
  /** A card waits for the user. */
  readonly onWaiting: (summary: string) => void;
}

/** A step of the agent on its card. */
interface Shown {
  readonly answerId: string;
  readonly cardId: string;
  call: AgentCall;
  /** While the user decides, the text of the card does not change. A card asks once. */
  isAsking: boolean;
  wasAsked: boolean;
}

interface Asking {
  readonly answerId: string;
  readonly offered: OfferedOptions;
  /** Undefined for a question that is obsolete. */
  readonly settle: (decision: AgentOption["decision"] | undefined) => void;
}

/** A question of this extension, which no step of the agent asks. */
interface OwnQuestion {
  readonly says: string;
  /** JSON. */
  readonly arguments: string;
  readonly question: string;
}

/** Changes of cards within this time are one change of the conversation: an agent may send thousands. */
const changesMs = 100;
const own: OfferedOptions = new Map([
  ["once", { optionId: "once", kind: "allow_once", name: "Write" }],
  ["skip", { optionId: "skip", kind: "reject_once", name: "Skip" }],
]);

/**
 * The cards of the steps of one turn. An agent names its steps as it likes, so that each card has an id of its own, and a
 * decision is about what its card has said, and nothing else.
 */
export class AgentCards {
  readonly #deps: AgentCardsDeps;
  /** By the agent's ids. */
  readonly #steps = new Map<string, Shown>();
  /** By the ids of cards. */
  readonly #asking = new Map<string, Asking>();
  readonly #changed = new Set<Shown>();
  readonly #answerIds = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(deps: AgentCardsDeps) {
    this.#deps = deps;
  }

  take(call: AgentCall): void {
    const shown = this.#steps.get(call.id);
    if (!shown) return void this.#add(call);
    shown.call = call;
    if (!shown.isAsking) this.#note(shown);
  }

  /** Resolves to the id of the chosen option; undefined if the user has skipped a step without one for that, or on an abort. */
  async ask({ call, options }: AgentQuestion, signal: AbortSignal): Promise<string | undefined> {
    const shown = this.#toAsk(call);
    const offered = offeredOptions(options);
    shown.isAsking = true;
    shown.wasAsked = true;
    const decision = await this.#decision(shown, stepCard(shown.call, shown.cardId), offered, signal);
    shown.isAsking = false;
    this.#note(shown);
    return decision === undefined ? undefined : offered.get(decision)?.optionId;
  }

  /**
   * Asks whether this side may do something for the agent. If the user allows it, `work` runs, and the card shows its
   * result or the reason of its failure. Resolves to false if it was not allowed.
   */
  async confirm(
    { says, arguments: text, question }: OwnQuestion,
    signal: AbortSignal,
    work: () => Promise<string>,
  ): Promise<boolean> {
    const answerId = this.#deps.answerFor();
    const cardId = randomUUID();
    const card: ToolCallCard = {
      ...{ id: cardId, name: "edit", title: "Edit", says, arguments: text, question, state: "runs" },
    };
    this.#append(answerId, card);
    const decision = await this.#decision({ answerId, cardId }, card, own, signal);
    if (decision !== "once") return false;
    const end = (state: "done" | "failed", result: string) =>
      this.#put(answerId, cardId, (now) => ({ ...now, state, result }));
    try {
      end("done", await work());
    } catch (error) {
      end("failed", error instanceof Error ? error.message : String(error));
      throw error;
    }
    return true;
  }

  /** False if no card of this turn asks for that. A decision that the agent does not offer changes nothing. */
  decide(answerId: string, cardId: string, decision: string, reason: string): boolean {
    const asking = this.#asking.get(cardId);
    if (asking?.answerId !== answerId) return false;
    if (decision === "skip") {
      this.#put(answerId, cardId, (card) => ({ ...card, ...skipped(reason) }));
      asking.settle("skip");
    } else if ((decision === "once" || decision === "always") && asking.offered.has(decision)) {
      this.#put(answerId, cardId, (card) => ({ ...card, state: "runs" }));
      asking.settle(decision);
    }
    return true;
  }

  /** Puts the changes so far into the conversation. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const answerId of new Set(changed.map((one) => one.answerId))) {
      const shown = new Map(changed.flatMap((one) => (one.answerId === answerId ? [[one.cardId, one]] : [])));
      this.#patch(answerId, (card) => {
        const one = shown.get(card.id);
        return one ? changedCard(card, one.call, one.wasAsked) : card;
      });
    }
  }

  /** The turn is over. `state` is that of steps whose end the agent has not told. */
  end(state: "done" | "stopped"): void {
    for (const { settle } of [...this.#asking.values()]) settle(undefined);
    this.flush();
    this.#isOver = true;
    for (const answerId of this.#answerIds)
      this.#patch(answerId, (card) => {
        if (isCallOver(card)) return card;
        const isOpen = card.state === "asks";
        return isOpen
          ? { ...card, state: "refused", result: notRunText("stopped") }
          : { ...card, state, result: card.result ?? "" };
      });
    this.#steps.clear();
  }

  #toAsk(call: AgentCall): Shown {
    const shown = this.#steps.get(call.id);
    if (!shown) return this.#add(call);
    this.flush();
    const { wasAsked, answerId, cardId } = shown;
    const card = answerIn(this.#deps.chat.tree, answerId)?.calls?.find(({ id }) => id === cardId);
    if (!wasAsked && card && !isCallOver(card)) return shown;
    this.#put(answerId, cardId, (old) =>
      old.state === "runs" ? { ...old, state: "done", result: "" } : old,
    );
    return this.#add(call);
  }

  async #decision(
    { answerId, cardId }: Pick<Shown, "answerId" | "cardId">,
    card: ToolCallCard,
    offered: OfferedOptions,
    signal: AbortSignal,
  ): Promise<AgentOption["decision"] | undefined> {
    const { result: _, ...asked } = card;
    this.#put(answerId, cardId, () => ({ ...asked, state: "asks", options: shownOptions(offered) }));
    this.#deps.onWaiting(card.says);
    const decided = Promise.withResolvers<AgentOption["decision"] | undefined>();
    const obsolete = () => decided.resolve(undefined);
    signal.addEventListener("abort", obsolete, { once: true });
    if (signal.aborted) obsolete();
    this.#asking.set(cardId, { answerId, offered, settle: decided.resolve });
    const decision = await decided.promise.finally(() => signal.removeEventListener("abort", obsolete));
    this.#asking.delete(cardId);
    this.#put(answerId, cardId, ({ options: __, ...now }) =>
      now.state === "asks" ? { ...now, state: "refused", result: notRunText("stopped") } : now,
    );
    return decision;
  }

  #add(call: AgentCall): Shown {
    const answerId = this.#deps.answerFor();
    const cardId = randomUUID();
    const shown = { answerId, cardId, call, isAsking: false, wasAsked: false };
    this.#steps.set(call.id, shown);
    this.#append(answerId, stepCard(call, cardId));
    return shown;
  }

  #append(answerId: string, card: ToolCallCard): void {
    this.#answerIds.add(answerId);
    const answer = answerIn(this.#deps.chat.tree, answerId);
    if (answer) this.#set(answer, [...(answer.calls ?? []), card]);
  }

  #note(shown: Shown): void {
    if (this.#isOver) return;
    this.#changed.add(shown);
    this.#timer ??= setTimeout(() => this.flush(), changesMs);
  }

  #put(answerId: string, cardId: string, change: (card: ToolCallCard) => ToolCallCard): void {
    const answer = answerIn(this.#deps.chat.tree, answerId);
    const card = answer?.calls?.find(({ id }) => id === cardId);
    if (answer && card) this.#set(answer, replaced(answer.calls ?? [], card, change(card)));
  }

  #patch(answerId: string, change: (card: ToolCallCard) => ToolCallCard): void {
    const answer = answerIn(this.#deps.chat.tree, answerId);
    const { calls = [] } = answer ?? {};
    const now = calls.map(change);
    if (answer && now.some((card, index) => card !== calls[index])) this.#set(answer, now);
  }

  #set({ id }: AnswerMessage, calls: readonly ToolCallCard[]): void {
    this.#deps.chat.change({ op: "patch", id, patch: { calls } });
  }
}
