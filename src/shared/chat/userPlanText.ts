const removed = "The user has removed the plan. Write a new one only if the work needs it.";
const changed = "The plan as the user has changed it, which replaces yours:\n";

/** What a model is told of a plan that the user has changed: Markdown, or nothing if the user has removed it. */
export function userPlanText(plan: string): string {
  return plan.trim() === "" ? removed : `${changed}${plan}`;
}

/** True for a message that only tells of such a plan. The task goes on with the question before it. */
export function isUserPlanText(text: string): boolean {
  return text === removed || text.startsWith(changed);
}
