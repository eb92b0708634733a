import type { Tool } from "../../api/endpoints/chat/chatRequest.ts";
import { fenced } from "../../shared/text/fence.ts";
import { termsOf } from "../docs/terms.ts";
import { type ChatBody, lastUserMessage, messageText, questionText } from "./ask.ts";
import type { AnswerDraft, DraftCall } from "./draft.ts";
import { instanceOf } from "./schemaInstance.ts";

/**
 * The tool calls of the answer. Undefined for a plain answer. Calls the tool that `tool_choice` forces,
 * else each tool that the question names. After a result it quotes the result.
 */
export function useTools(body: ChatBody): AnswerDraft | undefined {
  const last = body.messages.at(-1);
  if (last?.role === "tool") return { content: `The tool answered:\n\n${quoted(messageText(last))}` };
  const message = lastUserMessage(body);
  if (!message || body.tool_choice === "none") return undefined;
  const question = questionText(message);
  const chosen = choose(body, question);
  if (chosen.length === 0) return undefined;
  const calls = body.parallel_tool_calls === false ? chosen.slice(0, 1) : chosen;
  return { content: "", calls: calls.map((tool) => callOf(tool, question)) };
}

function choose({ tools, tool_choice }: ChatBody, question: string): Tool[] {
  const all = tools ?? [];
  if (typeof tool_choice === "object") {
    return all.filter((tool) => tool.function.name === tool_choice.function.name);
  }
  const named = all.filter((tool) => names(question, tool));
  return named.length === 0 && tool_choice === "required" ? all.slice(0, 1) : named;
}

/** True if the question contains the tool's name, or each word of it. A path counts as a file. */
function names(question: string, tool: Tool): boolean {
  const { name } = tool.function;
  if (question.includes(name)) return true;
  const parts = termsOf(name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/_/g, " "));
  const things = [pathIn(question) ? "file document" : "", urlIn(question) ? "page" : ""].join(" ");
  const asked = new Set(termsOf(`${question} ${things}`));
  return parts.length > 0 && parts.every((part) => asked.has(part));
}

function callOf(tool: Tool, question: string): DraftCall {
  const { name, parameters } = tool.function;
  const given = parameters ? instanceOf(parameters, question) : {};
  return { name, arguments: JSON.stringify(withFacts(given, question)) };
}

/** Fills the parameters of a tool with the path, URL, quoted words and network from the question. */
function withFacts(given: unknown, question: string): unknown {
  if (typeof given !== "object" || given === null) return given;
  const facts: ReadonlyMap<string, string | undefined> = new Map([
    ["path", pathIn(question)],
    ["url", urlIn(question)],
    ["query", /["“”`]([^"“”`]+)["“”`]/.exec(question)?.[1] ?? /\bfor (.+?)[.?!]*$/.exec(question)?.[1]],
    ["network", /\b[a-z]+(?:-[a-z]+)*-(?:mainnet|testnet|sepolia|devnet)\b/.exec(question)?.[0]],
    ["method", /\b(?:eth|net|web3|debug|trace|zks|starknet)_\w+/.exec(question)?.[0]],
  ]);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === "string" ? (facts.get(name) ?? value) : value,
    ]),
  );
}

function pathIn(question: string): string | undefined {
  return /(?<![\w:/@.-])(?:[\w-]+\/)*[\w-]+\.[A-Za-z]\w{0,7}(?![\w/])/.exec(question)?.[0];
}

function urlIn(question: string): string | undefined {
  return /https?:\/\/[^\s)>"'`]*[^\s)>"'`.,;:!?]/.exec(question)?.[0];
}

function quoted(text: string): string {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) return fenced(trimmed, "json");
  // The lines of a file or of a list stay lines.
  return trimmed.includes("\n") ? fenced(trimmed, "text") : `> ${trimmed}`;
}
