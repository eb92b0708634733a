import type { Page } from "playwright-core";
import type { Api } from "../../../../src/api/call/client.ts";
import type { Table } from "../../../../src/api/table.ts";
import { openChat, openView, type TestService } from "../../chat/chat.ts";
import { openApp } from "../../chat/openApp.ts";
import type { TestBrowser } from "../../webview/browser.ts";
import type { Check, Values } from "../check.ts";
import { sampleOf } from "../sample.ts";
import { rows, serviceOf } from "../service.ts";
import { pageText } from "./openForms.ts";
import type { PageCheck } from "./pageChecks.ts";

/** The chat has another client, and asks no sandbox. */
const noSandbox = {
  sandbox: { baseUrl: "https://service.example", apiKey: "key" },
  remembered: new Map(),
} as unknown as TestService;

const models = sampleOf(rows["models.list"].output, (path) => (path === "data.id" ? "model-1" : undefined));
const others = { "models.list": models };

async function openAnswers(browser: TestBrowser): Promise<Check["text"]> {
  return async (api, t) => {
    const { controller } = openChat(t, { ...noSandbox, remembered: new Map() }, { api: answeringOnce(api) });
    const view = await openView(controller);
    await view.until((state) => state.models.status === "ready");
    const { page, close } = await openApp(browser, controller);
    await view.say("send", { text: "Why?", revision: 0 });
    await view.until(({ busy, messages }) => !busy && messages.some(({ role }) => role === "assistant"));
    await page.locator(".answer footer").last().waitFor();
    const text = await answerText(page);
    await close();
    return text;
  };
}

/** The first answer is the service's. A tool that it calls has a result, to which a second one replies. */
function answeringOnce(api: Api<Table>): Api<Table> {
  const delta = { role: "assistant", content: "Done." };
  const last = serviceOf({ "chat.stream": { choices: [{ index: 0, delta, finish_reason: "stop" }] } });
  let count = 0;
  const stream: Api<Table>["chat"]["stream"] = (...asked) =>
    (count++ === 0 ? api : last.api).chat.stream(...asked);
  return { ...api, chat: { ...api.chat, stream } };
}

/** All texts of the page, with the cards of the sources that the answer cites. */
async function answerText(page: Page): Promise<string> {
  for (const summary of await page.locator(".chances summary, .calls summary").all()) await summary.click();
  const texts = [await pageText(page)];
  for (const mark of await page.locator(".cite-mark").all()) {
    await mark.hover();
    texts.push((await page.locator("#source-card").textContent()) ?? "");
  }
  return texts.join("\n");
}

const token = (text: string) => ({ content: [{ token: text, logprob: -0.1 }] });

const values: Readonly<Record<string, Values>> = {
  created: [1_900_000_000, 1_990_000_000, "2033"],
  "choices.index": [0, 0],
  "choices.logprobs": [token("rain"), token("snow"), "snow"],
  "choices.delta.content": ["Hail falls ^1^ ^2^", "Dew falls ^1^ ^2^", "Dew falls"],
  "usage.prompt_tokens": [3200, 3300],
  "usage.completion_tokens": [2200, 2300],
  "usage.total_tokens": [5400, 5600],
  "usage.prompt_tokens_details.cached_tokens": [410, 420],
  "usage.prompt_tokens_details.cache_creation_input_tokens": [5, 6],
  "usage.completion_tokens_details.reasoning_tokens": [510, 520],
  "cost.usd": [0.21, 0.37],
  "cost.diem": [0.41, 0.53],
  "service_parameters.web_search_citations.url": ["https://one.example/a", "https://two.example/b"],
  "search_results.url": ["https://three.example/c", "https://four.example/d"],
  "choices.delta.reasoning_encrypted": [false, false],
  "choices.delta.tool_calls.index": [0, 0],
  "choices.delta.tool_calls.id": ["call-1", "call-1"],
  "choices.delta.tool_calls.type": ["function", "function"],
  "choices.delta.tool_calls.function.arguments": ['{"a": "ice"}', '{"a": "fog"}', "fog"],
  "choices.delta.function_call.arguments": ['{"a": "ice"}', '{"a": "fog"}', "fog"],
};

/** The cards of sources are those of marks in the text. */
const cited = ["service_parameters", "search_results"];

const check = (without: readonly string[]): PageCheck => ({
  row: "chat.stream",
  view: "Chat",
  values,
  others,
  without: ["choices.message", ...without],
  open: openAnswers,
});

const calls = "choices.delta.tool_calls";
const formerCall = "choices.delta.function_call";
const said = (name: string) => `choices.delta.${name}`;
const noCalls = [calls, formerCall];
/** Members of an answer that is no refusal, by a model whose reasoning has the name of the spec. */
const usual = [said("reasoning"), said("refusal"), "cost.diem"];

/** An answer shows one of several members: text in place of a refusal, a call in place of the older form of one. */
export const chatChecks: readonly PageCheck[] = [
  check([...noCalls, ...usual]),
  check([...noCalls, said("reasoning_content"), said("refusal"), "cost.usd"]),
  check([...noCalls, said("reasoning"), said("content"), "cost.diem", ...cited]),
  check([...usual, formerCall, `${calls}.custom`]),
  check([...usual, formerCall, `${calls}.function`]),
  check([...usual, calls]),
];
