import type { ChatMessage, ChatRequest } from "../../../api/endpoints/chat/chatRequest.ts";
import { maxStops } from "../../../shared/chat/chatParameters.ts";
import { isMembers } from "../../../shared/members.ts";
import type { AgentFormat } from "../agentFormat.ts";
import { BodyIssues, BodyValue } from "../bodyValue.ts";
import { errorBody } from "../chat/errorBody.ts";
import { createTextWriter } from "./textWriter.ts";

/** What is translated. Other members are refused by name. */
const known = [
  ...([
    "model",
    "prompt",
    "suffix",
    "echo",
    "max_tokens",
    "stop",
    "n",
    "best_of",
    "logprobs",
    "stream",
  ] as const),
  ...(["stream_options", "temperature", "top_p", "frequency_penalty", "presence_penalty", "seed"] as const),
  ...(["logit_bias", "user"] as const),
];
type Body = Readonly<Record<(typeof known)[number], BodyValue>>;

/** Of the format, for a request that names none. */
const usualLength = 16;
const maxTokenChances = 5;

const goOn =
  "You complete text. The user's message is the beginning of a text. Write what comes next, from the very next character on. Do not repeat the beginning, and add no comment, greeting or code fence.";
const fillIn =
  "You complete text. The user's message has two parts: the beginning of a text, and its ending. Write what stands between them, from the very next character on. Do not repeat either, and add no comment, greeting or code fence.";

/**
 * `POST /v1/completions`, the older format of OpenAI, in which a model goes on with a text. The rule for it is the system
 * message, because the chat route has conversations alone. Reasoning is off where a model can do without: the format has no
 * place for it.
 */
export const completionsFormat: AgentFormat = {
  read(members, context) {
    const issues = new BodyIssues();
    const body = new BodyValue(members, issues).members(known);
    const read = body && readKnown(body);
    issues.check();
    if (!read) throw new TypeError("a body without issues was not read");
    const { request, echo, hasUsage, isStreamed } = read;
    return {
      request,
      isStreamed,
      openWriter: () =>
        createTextWriter({
          model: request.model,
          id: context.newId("cmpl-"),
          now: context.now,
          isStreamed,
          echo,
          hasUsage,
        }),
    };
  },
  errorBody,
};

function readKnown(body: Body) {
  const prompt = readPrompt(body.prompt);
  const suffix = body.suffix.text();
  const isEchoed = body.echo.flag() ?? false;
  if (isEchoed && !body.logprobs.isAbsent)
    body.logprobs.refuse("can't be used with echo: this service has no chances of the prompt's tokens");
  refuseOthers(body);
  const options = body.stream_options.members(["include_usage", "include_obfuscation"]);
  options?.include_obfuscation.flag();
  const request: ChatRequest = {
    model: body.model.neededText() ?? "",
    messages: messagesOf(prompt, suffix),
    max_completion_tokens: body.max_tokens.number("max_completion_tokens") ?? usualLength,
    service_parameters: {
      disable_thinking: true,
      strip_thinking_response: true,
      include_venice_system_prompt: false,
    },
    ...readNumbers(body),
    ...readStops(body.stop),
    ...readChances(body.logprobs),
    ...(body.user.text() ? { user: body.user.text() } : {}),
  };
  return {
    request,
    echo: isEchoed ? prompt : "",
    hasUsage: options?.include_usage.flag() ?? false,
    isStreamed: body.stream.flag() ?? false,
  };
}

function readPrompt(prompt: BodyValue): string {
  const { value } = prompt;
  const texts = Array.isArray(value) ? value : [value];
  const [text] = texts;
  if (texts.length === 1 && typeof text === "string" && text !== "") return text;
  const isOfTokens = texts.some((one) => typeof one === "number" || Array.isArray(one));
  if (prompt.isAbsent) prompt.refuse("is missing");
  else if (isOfTokens) prompt.refuse("must be text: this service has no tokens of other models");
  else prompt.refuse("must be one text that is not empty; send each further one as a request of its own");
  return "";
}

function messagesOf(prompt: string, suffix: string | undefined): ChatMessage[] {
  if (!suffix)
    return [
      { role: "system", content: goOn },
      { role: "user", content: prompt },
    ];
  const parts = [prompt, suffix].map((text) => ({ type: "text" as const, text }));
  return [
    { role: "system", content: fillIn },
    { role: "user", content: parts },
  ];
}

function refuseOthers({ best_of, n, logit_bias }: Body): void {
  const answers = typeof n.value === "number" ? n.value : 1;
  if (!best_of.isAbsent && best_of.value !== answers)
    best_of.refuse("must be the same as n: this service does not choose between answers");
  const hasBias = isMembers(logit_bias.value) && Object.keys(logit_bias.value).length > 0;
  if (hasBias || !(logit_bias.isAbsent || isMembers(logit_bias.value)))
    logit_bias.refuse("can't be translated for this service; leave it out");
}

const numbers = ["temperature", "top_p", "frequency_penalty", "presence_penalty", "seed", "n"] as const;

function readNumbers(body: Body): Partial<ChatRequest> {
  const read = numbers.map((name) => [name, body[name].number(name)] as const);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

function readStops(stop: BodyValue): Partial<ChatRequest> {
  const one = typeof stop.value === "string" ? [stop.value] : undefined;
  const stops = one ?? stop.list().flatMap((value) => value.neededText() ?? []);
  if (stops.length > maxStops) stop.refuse(`must have at most ${maxStops} texts, and has ${stops.length}`);
  return stops.length > 0 ? { stop: [...stops] } : {};
}

function readChances(logprobs: BodyValue): Partial<ChatRequest> {
  const count = logprobs.number("top_logprobs");
  if (count === undefined) return {};
  if (count > maxTokenChances) logprobs.refuse(`must be at most ${maxTokenChances}, and is ${count}`);
  return { logprobs: true, top_logprobs: count };
}
