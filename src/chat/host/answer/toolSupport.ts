import type { ChatRequest } from "../../../api/endpoints/chat/chatRequest.ts";
import { ApiError, isApiError } from "../../../api/errors/errors.ts";
import type { ModelCard } from "../../../shared/chat/chatModels.ts";
import type { Explanation } from "../../../shared/errorActions.ts";
import { shortened } from "../../../shared/text/shortened.ts";

/** The statuses with which servers refuse tools. */
const refusals: ReadonlySet<number> = new Set([400, 404, 422, 500, 501, 503]);
/**
 * How servers refuse tools: "does not support tools" (Ollama), "tools param requires --jinja flag" (llama.cpp),
 * '"auto" tool choice requires --enable-auto-tool-choice' (vLLM), "does not call functions", "tool use is not supported".
 */
const aboutTools =
  /(?:not support|n't support|no support for|not call) (?:the )?(?:tool|function)|(?:tool|function)s?(?: use| calls?| calling| choice| param)? (?:is |are )?(?:not supported|requires?)/i;

/** A model on this machine whose server says that it has no tools is not asked: the mode could do nothing. */
export function refuseWithoutTools({ tools = [] }: ChatRequest, card: ModelCard | undefined): void {
  if (!card?.isLocal || card.capabilities.includes("tools") || !tools?.length) return;
  const about = { endpoint: "chat.stream", mayHaveArrived: false } as const;
  throw new ApiError("invalid-request", `${card.name} does not support tools`, about);
}

/** The explanation of a request whose tools were refused: without them it would be accepted. */
export function withToolHelp(explanation: Explanation, error: unknown, name: string): Explanation {
  if (!isApiError(error) || !refusals.has(error.details.status ?? 400)) return explanation;
  const said = [error.message, ...(error.details.issues ?? []).map(({ message }) => message)].find((words) =>
    aboutTools.test(words),
  );
  if (said === undefined) return explanation;
  const words = shortened(said.replace(/\s+/g, " ").replace(/[.\s]+$/, ""), 200);
  const reason = words === `${name} does not support tools` ? "" : ` (${words})`;
  return {
    ...explanation,
    sentence: `${name} can't call tools${reason}, and the modes Plan and Agent work with them. Choose a model that can, or ask without tools.`,
    actions: [{ id: "withoutTools", label: "Ask Without Tools" }, ...explanation.actions],
  };
}
