import { isMembers } from "../../../shared/members.ts";
import { inputText, type ToolInput, toolSchema } from "../../../tools/serviceTool.ts";
import type { UserQuestion } from "../../protocol/userQuestion.ts";
import { builtIn, type ChatTool } from "./tool.ts";

const [maxQuestionLength, maxLabelLength, maxDescriptionLength] = [2000, 200, 400];

/** Asks the user a question. The user's answer is its result, and no approval. */
export function createAskTool(): ChatTool {
  return {
    ...builtIn("ask_user", "Question to you", "plan"),
    description:
      "Asks the user a question and waits for the answer, which may be in other words. Only for what you can't find out or decide. An answer approves no call.",
    parameters: toolSchema(
      {
        question: { type: "string", minLength: 1, maxLength: maxQuestionLength },
        choices: {
          type: "array",
          minItems: 2,
          maxItems: 6,
          items: toolSchema(
            {
              label: { type: "string", minLength: 1, maxLength: maxLabelLength },
              description: { type: "string", maxLength: maxDescriptionLength },
            },
            ["description"],
          ),
        },
        multiple: { type: "boolean", description: "Several may be chosen." },
      },
      ["choices", "multiple"],
    ),
    summary: (input) => inputText(input, "question"),
    asksUser: toQuestion,
  };
}

function toQuestion(input: ToolInput): UserQuestion {
  const list = Array.isArray(input.choices) ? input.choices.filter(isMembers) : [];
  const choices = list.map((choice) => {
    const description = inputText(choice, "description");
    return { label: inputText(choice, "label"), ...(description === "" ? {} : { description }) };
  });
  return { question: inputText(input, "question"), choices, multiple: input.multiple === true };
}
