import { toTerm, wordsOf } from "../docs/terms.ts";
import { lastUserMessage, messageText } from "./ask.ts";
import type { AnswerContext, Author } from "./draft.ts";
import { guide } from "./guide.ts";

/** The guide, thinking aloud first: it tells what it looked up and why it chose what it says. */
export const thinker: Author = (context) => {
  const { body, switches } = context.ask;
  const answer = guide(context);
  // reasoning_effort wins over reasoning.effort (spec E10).
  const effort = body.reasoning_effort ?? body.reasoning?.effort ?? "medium";
  if (switches.disable_thinking || effort === "none") return answer;
  return { ...answer, reasoning: think(context, effort) };
};

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
