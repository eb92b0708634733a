import { inputText, toolSchema } from "../../../tools/serviceTool.ts";
import { builtIn, type ChatTool } from "./tool.ts";

/** Replaces the plan of the task. */
export function createPlanTool(): ChatTool {
  return {
    ...builtIn("update_plan", "Update the plan", "plan"),
    description:
      "Replaces the plan that the user sees and can edit. Keep it current while you work: tick items that are done.",
    parameters: toolSchema({
      plan: {
        type: "string",
        minLength: 1,
        maxLength: 20_000,
        description: "Markdown, with items `- [ ]` and `- [x]`.",
      },
    }),
    summary: (input) => `Update the plan: ${planProgress(inputText(input, "plan"))}`,
    async run(input, _, { planned }) {
      planned(inputText(input, "plan"));
      return "The plan is shown to the user.";
    },
  };
}

function planProgress(plan: string): string {
  const items = plan.match(/^\s*[-*] \[[ xX]\]/gm) ?? [];
  const done = items.filter((item) => /x/i.test(item)).length;
  return `${done} of ${items.length} done`;
}
