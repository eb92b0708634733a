import { needsLanguageModel } from "../../../shared/names/sandboxCodes.ts";
import { Refusal } from "../../refusal.ts";
import type { State } from "../../state/state.ts";
import type { Ask } from "../ask.ts";
import type { AnswerContext, AnswerDraft, Author, SearchCitation } from "../draft.ts";
import { instanceOf } from "../schemaInstance.ts";
import { type Script, type ScriptCall, toScript } from "../script.ts";
import { scriptedId } from "../scripted/scripted.ts";
import { useTools } from "../tools.ts";
import { asksWithPicture } from "../viewer/viewer.ts";
import { echoedParameters, searchInside, toSearchCitation } from "../webSearch.ts";

/** A whole answer before encoding. */
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

/** Writers of answers, by model id. */
export type Authors = Readonly<Record<string, Author>>;

/** Writes the answer to a request. Throws a Refusal if there is none. */
export function compose(
  state: State,
  ask: Ask,
  pictures: AnswerContext["pictures"],
  authors: Authors,
): ComposedAnswer {
  const found = searchInside(ask, state.library);
  const citations = found.map((hit) => toSearchCitation(hit, state.library));
  const scripts = Array.from({ length: ask.body.n ?? 1 }, (_, choice) => {
    const draft = write({ ask, library: state.library, found, pictures, choice }, authors);
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

function write(context: AnswerContext, authors: Authors): AnswerDraft {
  const { body, model } = context.ask;
  // A script decides on its calls by itself, and a picture is the result of a call that was made.
  const isAnswered = model.record.id === scriptedId || (context.pictures.length > 0 && asksWithPicture(body));
  const byTools = isAnswered ? undefined : useTools(body);
  if (byTools) return byTools;
  const author = authors[model.record.id];
  if (!author) throw new Error(`no author for the model ${model.record.id}`);
  const draft = author(context);
  // A schema can be filled in for any question.
  const isPlain = (context.ask.body.response_format?.type ?? "text") === "text";
  if (draft.isDeclined && isPlain) throw new Refusal(422, draft.content, { code: needsLanguageModel });
  return formatted(draft, context.ask);
}

/** Structured output: an instance of the schema with the answer's first line as text. */
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

/** Adds the sources as a tool call (wire.md section 5, return_search_results_as_documents). */
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
