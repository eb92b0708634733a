import { Refusal } from "../../../platform/errors/refusal.ts";
import { userPlanText } from "../../../shared/chat/userPlanText.ts";
import type { AnswerMessage, Message } from "../../protocol/chatMessages.ts";
import type { LiveChat } from "../conversation/liveChat.ts";

/** The answer with the plan of a path: the last one that has any. */
export function planOf(path: readonly Message[]): (AnswerMessage & { readonly plan: string }) | undefined {
  return path.findLast(hasPlan);
}

function hasPlan(message: Message): message is AnswerMessage & { readonly plan: string } {
  return message.role === "assistant" && message.plan !== undefined;
}

/** Stores the plan as the user wrote it. */
export function setUserPlan(chat: Pick<LiveChat, "path" | "change">, plan: string): void {
  const path = chat.path();
  const answer = planOf(path);
  if (!answer || answer.plan === plan) return;
  chat.change({ op: "patch", id: answer.id, patch: { plan, isPlanEdited: true } });
  // The plan stays with its answer, because the last one may be answered anew. The request of the last one may be older.
  const last = path.at(-1);
  if (last?.role === "assistant" && last !== answer)
    chat.change({ op: "patch", id: last.id, patch: { isPlanEdited: true } });
}

/** Throws if the user has changed the plan since the request of the last answer, whose model has not read it. */
export function refuseUnread(path: readonly Message[]): void {
  const last = path.at(-1);
  const plan = planOf(path)?.plan ?? "";
  if (last?.role === "assistant" && last.isPlanEdited)
    throw new Refusal(
      `The plan was not replaced, because the user has changed it since. Write it again on the basis of the user's version:\n${plan}`,
    );
}

/**
 * What the next request has to tell the model of a plan that the user has changed; undefined if the plan is the model's, or
 * if `sent`, the end of the path that is sent, tells it already.
 */
export function planToTell(path: readonly Message[], sent: readonly Message[]): string | undefined {
  const answer = planOf(path);
  if (!answer?.isPlanEdited) return undefined;
  const text = userPlanText(answer.plan);
  const after = sent.slice(sent.findIndex(({ id }) => id === answer.id) + 1);
  const told = after.findLast((message) => message.role === "assistant" && message.userPlan !== undefined);
  return told?.role === "assistant" && told.userPlan === text ? undefined : text;
}
