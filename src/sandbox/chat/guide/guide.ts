import type { ChatMessage } from "../../../api/endpoints/chat/chatRequest.ts";
import { completionRules, readCompletionPrompt } from "../../../shared/chat/completionPrompt.ts";
import { readSources } from "../../../shared/chat/sources/sourcesPrompt.ts";
import { readSample } from "../../../shared/names/sampleCode.ts";
import type { DocsHit, DocsLibrary } from "../../docs/library.ts";
import { termsOf, toTerm, wordsOf } from "../../docs/terms.ts";
import { type ChatBody, lastUserMessage, messageText, questionText } from "../ask.ts";
import type { AnswerContext, AnswerDraft, Author } from "../draft.ts";
import { commitMessage } from "./commitMessage.ts";
import {
  capabilities,
  codeDeclined,
  greeting,
  notDocumented,
  sampleDeclined,
  thanks,
  writingDeclined,
} from "./guideTalk.ts";
import { type CodeQuestion, readCodeQuestion } from "./question.ts";
import { quote } from "./quote.ts";
import { quoteSources } from "./quoteSources.ts";
import { answerAboutSample, completeSample } from "./sampleAnswers.ts";

/** Quotes the documentation, has written answers about the sample of the tour, and declines everything else. */
export const guide: Author = (context) => {
  const { messages } = context.ask.body;
  const [first, last] = [messages[0], messages.at(-1)];
  if (first && last && messageText(first) === completionRules) return complete(messageText(last));
  const question = questionIn(messages.at(-1)) ?? "";
  if (!isContinuation(question)) return answer(question, context);
  const partial = messages.at(-2);
  const earlier = { ...context.ask, body: { ...context.ask.body, messages: messages.slice(0, -2) } };
  const whole = guide({ ...context, ask: earlier });
  const shown = partial?.role === "assistant" ? messageText(partial) : "";
  const isCut = shown !== "" && whole.content.startsWith(shown) && whole.content.length > shown.length;
  return { content: isCut ? whole.content.slice(shown.length) : "\n\nThat was the whole answer." };
};

/** The guide with reasoning about the sections that it found. */
export const thinker: Author = (context) => {
  const { body, switches } = context.ask;
  const answer = guide(context);
  // reasoning_effort takes precedence over reasoning.effort (spec E10).
  const effort = body.reasoning_effort ?? body.reasoning?.effort ?? "medium";
  if (switches.disable_thinking || effort === "none") return answer;
  return { ...answer, reasoning: think(context, effort) };
};

function think({ ask, library }: AnswerContext, effort: string): string {
  const message = lastUserMessage(ask.body);
  const question = message ? questionText(message) : "";
  const terms = wordsOf(question).filter((word) => toTerm(word) !== undefined);
  const hits = library.search(question).slice(0, effort === "low" || effort === "minimal" ? 1 : 4);
  const asked = `The user says: “${question.slice(0, 200)}”.`;
  if (terms.length === 0) return `${asked} No word in it names a topic, so I list what I can answer.`;
  const words = `The search terms: ${terms.join(", ")}.`;
  if (hits.length === 0) return `${asked} ${words}\n\nNo section contains any of them, so I can't answer.`;
  const found = hits.map(({ section, score, coverage }) => {
    const share = Math.round(coverage * 100);
    return `- ${section.page} › ${section.heading}: ${share} % of the words, score ${score.toFixed(1)}`;
  });
  return [
    `${asked} ${words}`,
    `I search ${library.sections().length} sections of the documentation:`,
    found.join("\n"),
    `I quote “${hits[0]?.section.heading}”, which fits best, and link to related sections.`,
  ].join("\n\n");
}

/** The chat's request to continue a cut answer, or the user's. */
export function isContinuation(question: string): boolean {
  return /^(your answer broke off\b|(please )?(continue|go on)[.!]?$)/i.test(question);
}

function questionIn(message: ChatMessage | undefined): string | undefined {
  return message?.role === "user" ? questionText(message) : undefined;
}

function answer(question: string, context: AnswerContext): AnswerDraft {
  const { library } = context;
  const given = readSources(question);
  if (given) return { content: quoteSources(given) };
  const words = question.split(/\s+/).length;
  if (question === "" || isAboutMe(question)) return { content: capabilities(library) };
  if (
    words <= 6 &&
    /^(hi|hello|hey|hallo|moin|servus|yo|good (morning|afternoon|evening|day))\b/i.test(question)
  ) {
    return { content: greeting(library) };
  }
  if (words <= 5 && /^(thanks|thank you|thx|danke|great|cool|ok|okay|nice)\b/i.test(question)) {
    return { content: thanks() };
  }
  const code = readCodeQuestion(question);
  if (code) return answerAboutCode(code);
  if (asksToWrite(question)) return declined(writingDeclined);
  const hits = relevant(lookUp(question, context.ask.body, library));
  return hits.length === 0 ? declined(notDocumented(library)) : { content: quote(hits, context) };
}

/** The text to insert for a prompt of the inline completion. */
function complete(prompt: string): AnswerDraft {
  const cursor = readCompletionPrompt(prompt);
  const content = cursor && completeSample(cursor);
  return content === undefined ? declined(codeDeclined) : { content };
}

function answerAboutCode({ instruction, language, code }: CodeQuestion): AnswerDraft {
  if (language === "diff" && /\bcommit\b/i.test(instruction)) return { content: commitMessage(code) };
  const parts = readSample(code);
  if (!parts) return declined(codeDeclined);
  const content = answerAboutSample(instruction, parts);
  return content === undefined ? declined(sampleDeclined) : { content };
}

function declined(content: string): AnswerDraft {
  return { content, isDeclined: true };
}

function isAboutMe(question: string): boolean {
  return (
    /\b(what|which things?) (can|could|do) (you|i) (do|ask|know|help|answer)/i.test(question) ||
    /\b(who|what) are you\b/i.test(question) ||
    /\bhow (can|could) you help\b/i.test(question) ||
    /^(please )?help( me)?[.!?]*$/i.test(question)
  );
}

/** Requests that need a language model. */
function asksToWrite(question: string): boolean {
  return /^(please |can you |could you |would you )*(write|implement|code|compose|draft|translate|summari[sz]e|refactor|fix|debug|invent|tell me a (joke|story)|calculate|solve)\b/i.test(
    question,
  );
}

/** A follow-up question ("and on Windows?") is searched together with the previous one. */
function lookUp(question: string, body: ChatBody, library: DocsLibrary): readonly DocsHit[] {
  const alone = library.search(question);
  const [best] = alone;
  const earlier = body.messages.filter(({ role }) => role === "user").at(-2);
  const follows = /^(and|but|what about|how about|tell me more|more|why|how so)\b/i.test(question);
  const short = question.split(/\s+/).length <= 5;
  const weak = !best || best.coverage < 0.5;
  if (!earlier || !short || !(follows || (weak && termsOf(question).length <= 2))) return alone;
  const shown = messageText(body.messages.findLast(({ role }) => role === "assistant") ?? earlier);
  const both = library.search(`${question} ${messageText(earlier)}`);
  const fresh = both.filter(({ section }) => !shown.includes(`## ${section.heading}\n`));
  return fresh.map((hit) => ({ ...hit, coverage: Math.max(hit.coverage, 0.5) }));
}

/** Sections that contain enough of the question's words. */
function relevant(hits: readonly DocsHit[]): readonly DocsHit[] {
  const reported = hits.filter(({ section }) => section.text !== "");
  const [best] = reported;
  if (!best || best.coverage < 0.5 || best.score < 6.3) return [];
  return reported.filter(
    ({ score, coverage }) => score >= best.score * 0.35 && coverage >= best.coverage * 0.5,
  );
}
