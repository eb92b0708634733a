import { choiceTexts, numberTexts, switchTexts } from "../../../../src/chat/page/settings/controlTexts.ts";
import { settings } from "../../../../src/shared/names/ids.ts";
import type { Place, Places } from "../place.ts";

const inSettings = (control: string): Place => ({ control, in: "chat settings" });
const inComposer = (control: string): Place => ({ control, in: "chat" });

/** Each label of a list of controls, by the member that it sets. */
function labels(texts: Readonly<Record<string, { readonly label: string }>>, below = ""): Places {
  return Object.fromEntries(
    Object.entries(texts).map(([name, { label }]) => [below + name, inSettings(label)]),
  );
}

const { verbosity, reasoning_summary, ...choices } = choiceTexts;
const attached = inComposer("Attach…");
const echoed: Place = {
  automatic: "sent back as the model wrote it: some models refuse the next turn without it",
};
const tool: Place = { automatic: "the declaration of a chosen tool" };
const cacheMark: Place = {
  unused: "the service caches the start of a prompt by itself; see prompt_cache_retention",
};
const noAttachment: Place = { open: "later" };

/** The request of POST /chat/completions (spec E10), in the order of the schema. */
export const chatRequest: Places = {
  "messages.role: system": inSettings("System prompt"),
  "messages.role: developer": inSettings("Sent as"),
  "messages.role: user": inComposer("Your question"),
  "messages.role: assistant": { automatic: "the answers before" },
  "messages.role: tool": { automatic: "the results of the tools that a model called" },
  "messages.content": inComposer("Your question"),
  "messages.content.type: text": inComposer("Your question"),
  "messages.content.type: image_url": attached,
  "messages.content.type: input_audio": noAttachment,
  "messages.content.type: video_url": noAttachment,
  "messages.content.type: file": attached,
  "messages.content.text": inComposer("Your question"),
  "messages.content.cache_control.type: ephemeral": cacheMark,
  "messages.content.cache_control.ttl": cacheMark,
  "messages.content.image_url.url": attached,
  "messages.content.input_audio.data": noAttachment,
  "messages.content.input_audio.format": noAttachment,
  "messages.content.video_url.url": noAttachment,
  "messages.content.file.file_data": attached,
  "messages.content.file.filename": attached,
  "messages.name": inSettings("Your name"),
  "messages.reasoning_content": echoed,
  "messages.reasoning_details": echoed,
  "messages.thought_signature": echoed,
  "messages.reasoning_encrypted": echoed,
  "messages.tool_calls.id": echoed,
  "messages.tool_calls.type: function": echoed,
  "messages.tool_calls.type: custom": echoed,
  "messages.tool_calls.function.name": echoed,
  "messages.tool_calls.function.arguments": echoed,
  "messages.tool_calls.custom.name": echoed,
  "messages.tool_calls.custom.input": echoed,
  "messages.tool_call_id": { automatic: "the id of the call that the result belongs to" },
  model: inComposer("Search models"),
  ...labels(numberTexts),
  logprobs: inSettings("Token probabilities"),
  max_tokens: { unused: "deprecated in favour of max_completion_tokens" },
  prompt_cache_key: {
    automatic:
      "the id of the conversation; a hash with a random salt for edits, commit messages and the editor's models",
  },
  ...labels(choices),
  "reasoning.effort": { unused: "reasoning_effort takes precedence" },
  "reasoning.summary": inSettings(reasoning_summary.label),
  stop: inSettings("Stop at"),
  stop_token_ids: inSettings("Stop at tokens"),
  "stream_options.include_usage": { automatic: "always true: the cost of each answer is shown" },
  user: { unused: "the service discards it" },
  store: { unused: "the service does not use it" },
  "text.verbosity": inSettings(verbosity.label),
  verbosity: { unused: "text.verbosity is the same in both dialects" },
  "fallbacks.model": {
    automatic: "an extension that asks a model through VS Code can set it in its options",
  },
  include: { unused: "the service does not use it" },
  metadata: { unused: "the service does not use it" },
  ...labels(switchTexts, "service_parameters."),
  "service_parameters.character_slug": inSettings("Persona"),
  "service_parameters.enable_web_search": inSettings("Web search"),
  parallel_tool_calls: inSettings("Several at once"),
  "response_format.type: json_schema": inSettings("JSON schema"),
  "response_format.type: json_object": { unused: "a schema of {} asks for the same" },
  "response_format.type: text": { unused: "the default" },
  "response_format.json_schema.schema": inSettings("JSON schema"),
  "tool_choice.type": {
    unused: "a question is no place to force one tool by name; required forces some tool",
  },
  "tool_choice.function.name": {
    unused: "a question is no place to force one tool by name; required forces some tool",
  },
  "tools.type: function": tool,
  "tools.function.name": inComposer("Tools of This Chat"),
  "tools.function.description": tool,
  "tools.function.parameters": tool,
  "tools.function.strict": { unused: "arguments are checked here before a tool runs" },
};

const code: Place = { automatic: "the code around the cursor" };

/** Of inline completions, which alone are not streamed. What they do not send is set in the chat. */
export const wholeRequest: Places = {
  ...chatRequest,
  "messages.role: user": code,
  "messages.role: system": code,
  "messages.content": code,
  model: { setting: settings.completionsModel },
};
