import { needsLanguageModel } from "../../shared/sandboxCodes.ts";
import { toTerm, wordsOf } from "../docs/terms.ts";
import { Refusal } from "../refusal.ts";
import type { ServiceCall, State } from "../state.ts";
import { type Ask, lastUserMessage, messageText, type PromptPart, partsOf, readAsk } from "./ask.ts";
import type { AnswerContext, AnswerDraft, Author, SearchCitation } from "./draft.ts";
import { guide } from "./guide.ts";
import { long } from "./long.ts";
import { instanceOf } from "./schemaInstance.ts";
import { type Script, type ScriptCall, toScript } from "./script.ts";
import { useTools } from "./tools.ts";
import { echoedParameters, searchInside, toSearchCitation } from "./webSearch.ts";

/** A whole answer, before it is put into one reply or many events. */
export interface ComposedAnswer {
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly ask: Ask;
  readonly scripts: readonly Script[];
  readonly citations: readonly SearchCitation[];
  /** The echoed switches, with the citations. */
  readonly parameters: object;
}

const authors: Readonly<Record<string, Author>> = { guide, "guide-classic": guide, thinker, echo, long };

/** Writes the answer to a request. Throws the refusal of one that can't be answered. */
export function compose(state: State, call: ServiceCall): ComposedAnswer {
  const ask = readAsk(state, call);
  const found = searchInside(ask, state.library);
  const citations = found.map((hit) => toSearchCitation(hit, state.library));
  const scripts = Array.from({ length: ask.body.n ?? 1 }, (_, choice) => {
    const draft = write({ ask, library: state.library, found, choice }, state.declines);
    return withDocuments(toScript(draft, ask, state.ids), ask, citations, state);
  });
  return {
    id: `chatcmpl-${state.ids.hex(32)}`,
    created: Math.floor(state.now() / 1000),
    ask,
    scripts,
    citations,
    parameters: echoedParameters(ask.switches, citations),
  };
}

function write(context: AnswerContext, declines: boolean): AnswerDraft {
  const { body, model } = context.ask;
  const byTools = useTools(body);
  if (byTools) return byTools;
  const author = authors[model.record.id];
  if (!author) throw new Error(`nobody writes for ${model.record.id}`);
  const draft = author(context);
  // A schema can be filled in by rule, whatever the question.
  const isPlain = (context.ask.body.response_format?.type ?? "text") === "text";
  if (draft.isDeclined && isPlain && declines)
    throw new Refusal(422, draft.content, { code: needsLanguageModel });
  return formatted(draft, context.ask);
}

/** Structured output: the answer's first line, put where the schema wants text. */
function formatted(draft: AnswerDraft, { body }: Ask): AnswerDraft {
  const line = draft.content.split("\n").find((text) => /^[\p{L}\p{N}]/u.test(text)) ?? draft.content;
  switch (body.response_format?.type) {
    case "json_schema":
      return {
        ...draft,
        content: JSON.stringify(instanceOf(body.response_format.json_schema.schema ?? {}, line)),
      };
    case "json_object":
      return { ...draft, content: JSON.stringify({ answer: line }) };
    default:
      return draft;
  }
}

/** Sources as the result of a call that nobody is to make (wire.md section 5, return_search_results_as_documents). */
function withDocuments(script: Script, ask: Ask, citations: readonly SearchCitation[], state: State): Script {
  if (!ask.switches.return_search_results_as_documents || citations.length === 0) return script;
  const documents = citations.map(({ title, url, content }, index) => ({
    id: `doc_${index}`,
    title,
    url,
    snippet: content,
  }));
  const name = ask.dialect === "venice" ? "venice_web_search_documents" : "web_search";
  const given = { name, arguments: JSON.stringify({ documents }) };
  const call: ScriptCall = { id: `call_${state.ids.hex(24)}`, type: "function", function: given };
  return { ...script, calls: [call, ...script.calls] };
}

/** Repeats the last user message, with a line for each part that is not text. */
function echo({ ask }: AnswerContext): AnswerDraft {
  const message = lastUserMessage(ask.body);
  if (!message) return { content: "" };
  const lines = partsOf(message).map(describe);
  return { content: [messageText(message), ...lines].filter((line) => line !== "").join("\n") };
}

function describe(part: PromptPart): string {
  switch (part.type) {
    case "image_url":
      return `[image: ${sizeOf(part.image_url.url)}]`;
    case "input_audio":
      return `[${part.input_audio.format} audio: ${part.input_audio.data.length} base64 characters]`;
    case "video_url":
      return `[video: ${sizeOf(part.video_url.url)}]`;
    case "file":
      return `[file ${part.file.filename ?? "without a name"}: ${sizeOf(part.file.file_data)}]`;
    case "text":
      return part.text;
  }
}

function sizeOf(url: string): string {
  const type = /^data:([^;,]+)/.exec(url)?.[1];
  return type ? `${type}, ${url.length} characters` : url;
}

/** The guide with a reasoning text: which sections it found and why it quotes one of them. */
function thinker(context: AnswerContext): AnswerDraft {
  const { body, switches } = context.ask;
  const answer = guide(context);
  // reasoning_effort wins over reasoning.effort (spec E10).
  const effort = body.reasoning_effort ?? body.reasoning?.effort ?? "medium";
  if (switches.disable_thinking || effort === "none") return answer;
  return { ...answer, reasoning: think(context, effort) };
}

function think({ ask, library }: AnswerContext, effort: string): string {
  const message = lastUserMessage(ask.body);
  const question = message ? messageText(message).trim() : "";
  const telling = wordsOf(question).filter((word) => toTerm(word) !== undefined);
  const hits = library.search(question).slice(0, effort === "low" || effort === "minimal" ? 1 : 4);
  const asked = `The user says: “${question.slice(0, 200)}”.`;
  if (telling.length === 0) return `${asked} No word in it names a topic, so I say what I can be asked.`;
  const words = `The words that carry meaning: ${telling.join(", ")}.`;
  if (hits.length === 0)
    return `${asked} ${words}\n\nNo section holds any of them. I should say so and guess nothing.`;
  const found = hits.map(({ section, score, coverage }) => {
    const share = Math.round(coverage * 100);
    return `- ${section.page} › ${section.heading}: ${share} % of the words, score ${score.toFixed(1)}`;
  });
  return [
    `${asked} ${words}`,
    `I look them up in ${library.sections().length} sections of the documentation:`,
    found.join("\n"),
    `I quote “${hits[0]?.section.heading}”, which fits best, and point to what is close to it.`,
  ].join("\n\n");
}
