import type { ServiceParameters } from "../../api/endpoints/chat/chatRequest.ts";
import type { DocsHit, DocsLibrary } from "../docs/library.ts";
import type { Ask } from "./ask.ts";
import { lastUserMessage, questionText } from "./ask.ts";
import type { SearchCitation } from "./draft.ts";

const maxSources = 5;

/** The web search of a chat. It searches the documentation. */
export function searchInside(ask: Ask, library: DocsLibrary): readonly DocsHit[] {
  const wanted = ask.switches.enable_web_search ?? "off";
  const message = lastUserMessage(ask.body);
  const able = ask.model.record.model_spec.capabilities?.supportsWebSearch;
  if (wanted === "off" || !able || !message) return [];
  const hits = library.search(questionText(message)).slice(0, maxSources);
  // With `auto` the model decides.
  return wanted === "on" || (hits[0]?.coverage ?? 0) >= 0.5 ? hits : [];
}

export function toSearchCitation({ section }: DocsHit, library: DocsLibrary): SearchCitation {
  return {
    title: section.page === section.heading ? section.page : `${section.page} › ${section.heading}`,
    url: library.urlOf(section),
    content: section.text.slice(0, 400),
    date: "",
  };
}

/** The effective switches, with the sources (spec E10, response). */
export function echoedParameters(switches: ServiceParameters, citations: readonly SearchCitation[]) {
  return {
    strip_thinking_response: false,
    disable_thinking: false,
    enable_e2ee: false,
    enable_web_search: "off",
    enable_web_scraping: false,
    enable_web_citations: false,
    include_search_results_in_stream: false,
    return_search_results_as_documents: false,
    include_venice_system_prompt: true,
    enable_x_search: false,
    ...switches,
    web_search_citations: citations,
  };
}
