import type { Hit, Library } from "../docs/library.ts";
import { termsOf } from "../docs/terms.ts";
import { type Body, lastUserMessage, textOf } from "./ask.ts";
import type { Author, Desk } from "./draft.ts";
import { capabilities, greeting, notFound, notWriting, thanks } from "./guideTalk.ts";
import { handiwork, holdsCode } from "./handiwork.ts";
import { quote } from "./quote.ts";

/** Answers out of the documentation, in its own words; says so where it holds nothing that fits. */
export const guide: Author = (desk) => {
  const message = lastUserMessage(desk.ask.body);
  const question = message ? textOf(message).trim() : "";
  return { content: answer(question, desk) };
};

function answer(question: string, desk: Desk): string {
  const { library } = desk;
  const words = question.split(/\s+/).length;
  if (question === "") return capabilities(library);
  if (
    words <= 6 &&
    /^(hi|hello|hey|hallo|moin|servus|yo|good (morning|afternoon|evening|day))\b/i.test(question)
  ) {
    return greeting(library);
  }
  if (words <= 5 && /^(thanks|thank you|thx|danke|great|cool|ok|okay|nice)\b/i.test(question))
    return thanks();
  if (isAboutMe(question)) return capabilities(library);
  const done = handiwork(question);
  if (done !== undefined) return done;
  if (asksToWrite(question) || asksAboutCode(question)) return notWriting(question);
  const hits = relevant(lookUp(question, desk.ask.body, library));
  return hits.length === 0 ? notFound(question, library) : quote(hits, desk);
}

function isAboutMe(question: string): boolean {
  return (
    /\b(what|which things?) (can|could|do) (you|i) (do|ask|know|help|answer)/i.test(question) ||
    /\b(who|what) are you\b/i.test(question) ||
    /\bhow (can|could) you help\b/i.test(question) ||
    /^(please )?help( me)?[.!?]*$/i.test(question)
  );
}

/** Work for a model that thinks: an extractive guide can only decline it. */
function asksToWrite(question: string): boolean {
  return /^(please |can you |could you |would you )*(write|implement|code|compose|draft|translate|summari[sz]e|refactor|fix|debug|invent|tell me a (joke|story)|calculate|solve)\b/i.test(
    question,
  );
}

/** Nothing that the documentation could answer. */
function asksAboutCode(question: string): boolean {
  return /^(please )?(explain|review|improve|describe)\b/i.test(question) && holdsCode(question);
}

/** A question too short to stand alone ("and on Windows?") is looked up with the one before it. */
function lookUp(question: string, body: Body, library: Library): readonly Hit[] {
  const alone = library.search(question);
  const [best] = alone;
  const earlier = body.messages.filter(({ role }) => role === "user").at(-2);
  const follows = /^(and|but|what about|how about|tell me more|more|why|how so)\b/i.test(question);
  const short = question.split(/\s+/).length <= 5;
  const weak = !best || best.coverage < 0.5;
  if (!earlier || !short || !(follows || (weak && termsOf(question).length <= 2))) return alone;
  const shown = textOf(body.messages.findLast(({ role }) => role === "assistant") ?? earlier);
  const both = library.search(`${question} ${textOf(earlier)}`);
  const fresh = both.filter(({ section }) => !shown.includes(`## ${section.heading}\n`));
  return fresh.map((hit) => ({ ...hit, coverage: Math.max(hit.coverage, 0.5) }));
}

/** Sections that hold enough of the question's words to be an answer to it. */
function relevant(hits: readonly Hit[]): readonly Hit[] {
  const told = hits.filter(({ section }) => section.text !== "");
  const [best] = told;
  if (!best || best.coverage < 0.5 || best.score < 6) return [];
  return told.filter(({ score, coverage }) => score >= best.score * 0.35 && coverage >= best.coverage * 0.5);
}
