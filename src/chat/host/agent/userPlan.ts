import { Refusal } from "../../../platform/errors/refusal.ts";
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

/** What the system prompt says about a plan that the user has changed; empty if the plan is the model's. */
export function editedPlanText(path: readonly Message[]): string {
  const answer = planOf(path);
  if (!answer?.isPlanEdited) return "";
  if (answer.plan.trim() === "")
    return "The user has removed the plan. Write a new one only if the work needs it.";
  return `The plan as the user has changed it, which replaces yours:\n${answer.plan}`;
}
