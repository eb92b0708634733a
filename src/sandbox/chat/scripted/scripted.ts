import * as z from "zod";
import type { ChatMessage } from "../../../api/endpoints/chat/chatRequest.ts";
import { askPromptStart, isEditorNote } from "../../../shared/chat/promptTexts.ts";
import { type LoggedMessage, splitSummary, summaryRules } from "../../../shared/chat/taskSummary.ts";
import { isUserPlanText } from "../../../shared/chat/userPlanText.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import { type ChatBody, messageText, questionText } from "../ask.ts";
import type { AnswerDraft, Author } from "../draft.ts";
import { guide, isContinuation } from "../guide/guide.ts";
import { builtInScripts } from "./builtInScripts.ts";
import { type Play, play, readToolScript, type ScriptRound } from "./toolScript.ts";

/** The model that plays scripts of tool calls. */
export const scriptedId = "scripted";

/**
 * Plays the script that the last question names. The position follows from the answers with calls since that question, so
 * any chat can be rewound and regenerated.
 */
export const scripted: Author = (context) => {
  const { body, switches } = context.ask;
  const log = loggedTask(body.messages);
  if (log) return { content: summaryOf(log) };
  const start = body.messages.findLastIndex(isQuestion);
  const question = body.messages[start];
  const { summary, rest } = splitSummary(question ? typedText(question) : "");
  const playing = playOf(rest);
  // An action of the editor, such as the message of a commit, has rules of its own and no tools.
  const [first] = body.messages;
  const isAction = first?.role === "system" && !body.tools && !messageText(first).includes(askPromptStart);
  if (!playing) return isAction ? guide(context) : { content: listOfScripts() };
  const round = roundAfter(playing, [...turnsInSummary(summary), ...turnsOf(body.messages.slice(start + 1))]);
  const refusal = whyNotCalled(body, round);
  if (refusal) return { content: refusal };
  const calls = body.parallel_tool_calls === false ? round.calls.slice(0, 1) : round.calls;
  return draftOf({ ...round, calls }, switches.disable_thinking === true);
};

/** False for what the chat adds during a task. */
function isQuestion(message: ChatMessage): boolean {
  const text = message.role === "user" ? typedText(message) : undefined;
  return text !== undefined && !isContinuation(text) && !isUserPlanText(text) && !isEditorNote(text);
}

/** The log of a task that is to be summarised; undefined if this is not asked for. */
function loggedTask(messages: readonly ChatMessage[]): readonly LoggedMessage[] | undefined {
  const [rules, log] = messages;
  if (rules?.role !== "system" || messageText(rules) !== summaryRules || !log) return undefined;
  return messageText(log).split("\n").flatMap(readLogged);
}

const Logged = z.object({
  from: z.enum(["user", "model"]),
  text: z.string(),
  calls: z.array(z.object({ name: z.string(), arguments: z.string(), result: z.string() })).exactOptional(),
}) satisfies z.ZodType<LoggedMessage>;

/** Lines that were cut are left out. */
function readLogged(line: string): readonly LoggedMessage[] {
  const message = Logged.safeParse(parseJson(line));
  return message.success ? [message.data] : [];
}

const turnsBefore = "Turns before this summary: ";
/** Characters of a result in a summary, but for those of the script. */
const resultLength = 200;
/** Turns before the end whose results a summary has: a step looks at those of the one before it. */
const turnsWithResults = 2;

/** A model would write about the work. This one needs its turns only, to know its place in the script. */
function summaryOf(log: readonly LoggedMessage[]): string {
  const start = log.findLastIndex(({ from }) => from === "user");
  const turns: Turn[] = [...turnsInSummary(splitSummary(log[start]?.text ?? "").summary)];
  for (const { calls = [] } of log.slice(start + 1)) {
    const isOfScript = turns.every((turn) => isCutScript(turn.results));
    const results = calls.map(({ result }) => (isOfScript ? result : result.slice(-resultLength)));
    if (calls.length > 0) turns.push({ callCount: calls.length, results });
  }
  const script = turns.findIndex(({ results }) => !isCutScript(results));
  const last = turns.length - turnsWithResults;
  const kept = turns.map((turn, at) => (at > script && at < last ? { ...turn, results: [] } : turn));
  const calls = turns.reduce((sum, { callCount }) => sum + callCount, 0);
  return `I have played ${turns.length} rounds with ${calls} calls.\n\n${turnsBefore}${JSON.stringify(kept)}`;
}

function turnsInSummary(summary: string): readonly Turn[] {
  const at = summary.indexOf(turnsBefore);
  const turns = Turns.safeParse(at < 0 ? [] : parseJson(summary.slice(at + turnsBefore.length)));
  return turns.success ? turns.data : [];
}

/** The last text of a message. Attached files are texts before it. */
function typedText(message: ChatMessage): string {
  const { content } = message;
  const last = Array.isArray(content) && content.findLast(({ type }) => type === "text");
  return last ? questionText({ role: "user", content: [last] }) : questionText(message);
}

function playOf(question: string): Play | undefined {
  const [, quoted, bare] =
    /\bplay\s+(?:["'`]([^"'`]{1,300}\.json)["'`]|(\S{1,300}\.json))/i.exec(question) ?? [];
  const path = quoted ?? bare;
  if (path !== undefined) return playFile(path);
  const asked = question.toLowerCase();
  const script = builtInScripts.find(({ name }) => asked.includes(name.toLowerCase()));
  return script && play(script);
}

/** The sandbox can't read the workspace, so the script comes as the result of a call. */
function* playFile(path: string): Play {
  const results = yield {
    reasoning: "",
    say: `I read the script \`${path}\` and play it.`,
    calls: [{ name: "read_file", arguments: { path } }],
  };
  const parts = [...results];
  // A long script comes in parts.
  for (let part = parts.join("\n"); parts.length < maxScriptParts; part = parts.at(-1) ?? "") {
    const offset = readOn.exec(part)?.[1];
    if (offset === undefined) break;
    const more = yield {
      reasoning: "",
      say: "I read on.",
      calls: [{ name: "read_file", arguments: { path, offset: Number(offset) } }],
    };
    parts.push(more.join("\n"));
  }
  const script = readToolScript(parts.map(withoutLineNumbers).join("\n"), path);
  if (typeof script === "string") return { reasoning: "", say: script, calls: [] };
  return yield* play(script);
}

const maxScriptParts = 8;
/** The end of a part of a file. */
const readOn = /; to read on, use offset (\d+)\)\s*$/;

/** A turn that has read a part of a script, and not its last one. */
function isCutScript(results: readonly string[]): boolean {
  return results.length === 1 && readOn.test(results[0] ?? "");
}

/** The lines of a file as they are: read_file gives each after its number, and a note at the end. */
function withoutLineNumbers(text: string): string {
  return text.replace(/\n\([^\n]*\)\s*$/, "").replace(/^ *\d+\t/gm, "");
}

/** An answer with calls, and their results. */
const Turn = z.object({ callCount: z.int().min(1).max(1000), results: z.array(z.string()) });
type Turn = z.infer<typeof Turn>;
const Turns = z.array(Turn).max(10_000);

function turnsOf(messages: readonly ChatMessage[]): readonly Turn[] {
  const turns: { callCount: number; results: string[] }[] = [];
  for (const message of messages) {
    if (message.role === "assistant" && message.tool_calls?.length) {
      turns.push({ callCount: message.tool_calls.length, results: [] });
    } else if (message.role === "tool") turns.at(-1)?.results.push(messageText(message));
  }
  return turns;
}

/** The calls of a round can be spread over several answers, if they must not run in parallel. */
function roundAfter(playing: Play, turns: readonly Turn[]): ScriptRound {
  let next = playing.next();
  let [made, results]: [number, string[]] = [0, []];
  for (const turn of turns) {
    made += turn.callCount;
    results.push(...turn.results);
    if (next.done || made < next.value.calls.length) continue;
    next = playing.next(results);
    [made, results] = [0, []];
  }
  if (next.done || made === 0) return next.value;
  return { reasoning: "", say: "", calls: next.value.calls.slice(made) };
}

function whyNotCalled({ tools, tool_choice }: ChatBody, { calls }: ScriptRound): string | undefined {
  const offered = tool_choice === "none" ? [] : (tools ?? []).map((tool) => tool.function.name);
  const missing = calls.find(({ name }) => !offered.includes(name));
  if (!missing) return undefined;
  const which = offered.length === 0 ? "no tools" : "other tools only";
  return `The next step of the script calls \`${missing.name}\`, and this request offers ${which}. Choose the mode **Agent** beside **Send**, and turn on tools that cost money under **Tools of This Chat**. Then ask again.`;
}

function draftOf({ reasoning, say, calls }: ScriptRound, isThinkingOff: boolean): AnswerDraft {
  return {
    ...(isThinkingOff ? {} : { reasoning }),
    content: say === "" && calls.length === 0 ? "The script has ended." : say,
    calls: calls.map(({ name, arguments: given }) => ({ name, arguments: JSON.stringify(given) })),
  };
}

function listOfScripts(): string {
  return [
    "I am **Scripted**. I play scripts of tool calls, so that you can try the agent without an account. Choose the mode **Agent** beside **Send** and ask one of these:",
    [
      "| Ask | The script |",
      "|---|---|",
      ...builtInScripts.map(({ name, about }) => `| ${name} | ${about} |`),
      "| Play path/to/script.json | plays a script of your workspace |",
    ].join("\n"),
    "They write in the folder `inference-demo` of your workspace, which you can delete.",
  ].join("\n\n");
}
