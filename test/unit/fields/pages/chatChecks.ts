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

/** All texts of the page, with the facts of each round and the cards of the sources that the answer cites. */
async function answerText(page: Page): Promise<string> {
  const folds = page.locator(".chances summary, .calls summary, .rounds-button");
  for (const fold of await folds.all()) await fold.click();
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
  prompt_logprobs: [
    [{ 7: { logprob: -0.2, decoded_token: "sun" } }],
    [{ 8: { logprob: -0.2, decoded_token: "moon" } }],
    "moon",
  ],
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

/** The list of models with one of them active, so that its facts are shown. `typed` is the text of its search field. */
function openPicker(typed: string): PageCheck["open"] {
  return async (browser) => async (api, t) => {
    const { controller } = openChat(t, { ...noSandbox, remembered: new Map() }, { api });
    const { page, close } = await openApp(browser, controller);
    await page.locator(".picker-button").click();
    // Ends as well if the list is empty: then its text says so.
    await page.locator(".picker-row, .picker-popup .quiet").first().waitFor();
    const search = page.getByRole("combobox", { name: "Search models" });
    await search.fill(typed);
    if (typed !== "") await page.locator(".picker-stands").getByText("model-").first().waitFor();
    const text = await pageText(page, ".picker");
    await close();
    return text;
  };
}

const flags = {
  optimizedForCode: "code",
  supportsFunctionCalling: "tools",
  supportsReasoning: "reasoning",
  supportsResponseSchema: "JSON schema",
  supportsVision: "vision",
  supportsAudioInput: "audio",
  supportsVideoInput: "video",
  supportsWebSearch: "web search",
  supportsXSearch: "X search",
  supportsLogProbs: "logprobs",
  supportsTeeAttestation: "TEE",
  supportsE2EE: "E2EE",
} as const;

const modelValues: Readonly<Record<string, Values>> = {
  "data.owned_by": ["Ash Labs", "Elm Labs", "by Elm Labs"],
  "data.created": [1_893_500_000, 1_990_000_000, "since Jan 2033"],
  "data.context_length": [1000, 7000, "7K"],
  "data.model_spec.availableContextTokens": [1000, 7000, "7K"],
  "data.model_spec.betaModel": [false, true, "beta"],
  "data.model_spec.offline": [false, true, "offline"],
  "data.model_spec.deprecation.date": ["2031-01-01", "2032-02-02"],
  "data.model_spec.deprecation.removesAt": ["2031-01-01", "2032-02-02"],
  "data.model_spec.deprecation.replacementModelId": ["oak-1", "oak-2", "replaced by oak-2"],
  "data.model_spec.regionRestrictions": [["AA"], ["BB", "CC"], "restricted in: BB, CC"],
  "data.model_spec.capabilities.quantization": ["fp16", "fp8"],
  "data.model_spec.capabilities.maxImages": [3, 6, "up to 6 pictures"],
  "data.model_spec.capabilities.supportsMultipleImages": [false, true, "several pictures"],
  "data.model_spec.pricing": [
    { input: { usd: 1 }, output: { usd: 2 } },
    { input: { usd: 3 }, output: { usd: 4 } },
    "$3.00 / $4.00",
  ],
  ...Object.fromEntries(
    Object.entries(flags).map(([flag, badge]) => [
      `data.model_spec.capabilities.${flag}`,
      [false, true, badge],
    ]),
  ),
};

/** The number of pictures is shown in place of the word that there may be several. */
const pictures = (name: string) => `data.model_spec.capabilities.${name}`;
const spec = (...names: readonly string[]) => names.map((name) => `data.model_spec.${name}`);
const inPicker = { view: "Model picker", others } as const;
const list = { ...inPicker, row: "models.list", values: modelValues, open: openPicker("") } as const;
/** Its two models are those that the name may stand for. */
const twoModels = { data: [{ id: "model-1" }, { id: "model-2" }] };
const names = {
  ...inPicker,
  values: { data: [{ fastest: "model-1" }, { fastest: "model-2" }, "model-2"] },
  others: { "models.list": twoModels },
  open: openPicker("fastest"),
} as const;

export const pickerChecks: readonly PageCheck[] = [
  {
    ...list,
    without: ["data.context_length", ...spec("deprecation.date")],
    unseen: ["data.id", pictures("supportsMultipleImages")],
  },
  {
    ...list,
    without: [
      ...spec("description", "name", "availableContextTokens", "deprecation.removesAt"),
      pictures("maxImages"),
    ],
  },
  { ...names, row: "models.traits" },
  { ...names, row: "models.compatibilityMapping" },
];
