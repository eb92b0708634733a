import { Refusal } from "../../platform/errors/refusal.ts";
import { sourceText } from "../../shared/chat/sources/sourcesPrompt.ts";
import { htmlToLine } from "../../shared/text/html/htmlToLine.ts";
import { choosePages } from "../../shared/web/choosePages.ts";
import { excerptFor } from "../../shared/web/passages.ts";
import { augmentationUsd, type ServiceAction } from "../serviceActions.ts";
import { inputText, toolSchema } from "../serviceTool.ts";
import { toolErrorText } from "../toolErrorText.ts";

const mostPages = 4;
const mostHits = 10;
/** Characters of each page. */
const longestExcerpt = 4_000;

/** USD of a call: the search and all pages. */
export const mostAskUsd = augmentationUsd * (1 + mostPages);

/** Search and pages in one call, for a model that cites them. */
export const askWebAction: ServiceAction = {
  title: "Ask the web",
  description:
    "Searches the web for a question and reads up to four of the best pages. Gives of each page what fits the question, with a number, title and URL to cite; […] stands for what is left out. Costs $0.01 for the search and $0.01 for each page.",
  parameters: toolSchema({
    question: {
      type: "string",
      minLength: 1,
      description: "The question, at most 400 characters.",
      maxLength: 400,
    },
  }),
  summary: (input) =>
    `Search the web for “${inputText(input, "question")}” and read up to ${mostPages} pages`,
  async run(input, { client }, signal) {
    const question = inputText(input, "question");
    const { api, root, connection } = await client();
    const { results } = await api.augment.search({ query: question, limit: mostHits }, { signal });
    const hits = choosePages(results, root, mostPages);
    const read = await Promise.allSettled(hits.map(({ url }) => api.augment.scrape({ url }, { signal })));
    signal.throwIfAborted();
    const sources = read.flatMap((page, index) => {
      const hit = hits[index];
      if (page.status === "rejected" || !hit) return [];
      const { url, title, date } = hit;
      const text = excerptFor(page.value.content, question, longestExcerpt);
      return [{ source: { url, title: htmlToLine(title, 500), date: htmlToLine(date, 100) }, text }];
    });
    const failed = read.flatMap((page, index) =>
      page.status === "rejected" ? [`${hits[index]?.url}: ${toolErrorText(page.reason, connection)}`] : [],
    );
    if (sources.length === 0) {
      const why = failed.length > 0 ? `No page could be read. ${failed.join(" ")}` : "Nothing was found.";
      throw new Refusal(`${why} The search was charged.`);
    }
    const texts = sources.map(({ source, text }, index) => sourceText(index + 1, source, text));
    return [...texts, ...(failed.length > 0 ? [`Not read: ${failed.join(" ")}`] : [])].join("\n");
  },
};
