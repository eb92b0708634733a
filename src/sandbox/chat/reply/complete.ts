import { type Charge, chatCharge, requestCharge } from "../../billing/ledger/charge.ts";
import { addNano, costOf, type Nano, nanoNumber } from "../../billing/ledger/decimal.ts";
import type { Reply } from "../../http/reply.ts";
import type { Handler, ServiceCall, State } from "../../state/state.ts";
import type { WorkerPool } from "../../work/workerPool.ts";
import { readAsk } from "../ask.ts";
import { completeLocally, findLocalModel, type LocalChatDeps } from "../local/localChat.ts";
import type { Script } from "../script.ts";
import { lookAtPictures } from "../viewer/lookAtPictures.ts";
import { toEvents } from "./chunks.ts";
import { type Authors, type ComposedAnswer, compose } from "./compose.ts";
import { logprobOf, promptLogprobs } from "./logprobs.ts";
import { paced } from "./pace.ts";
import { tokensOf } from "./tokens.ts";
import { usageOf } from "./usage.ts";

/** Handles POST /chat/completions, whole or as events (spec E10, wire.md section 5). */
export const chatHandler =
  (authors: Authors, deps: LocalChatDeps & { readonly workerPool: Pick<WorkerPool, "run"> }): Handler =>
  async (state, call) => {
    const local = await findLocalModel(state, call);
    if (local) return completeLocally(state, call, local, deps);
    const ask = readAsk(state, call);
    const pictures = await lookAtPictures(ask, deps.workerPool, call.signal);
    const answer = compose(state, ask, pictures, authors);
    const cost = chargeFor(state, call, answer);
    state.rates.spend(call.scope, usageOf(answer.ask, answer.scripts).total_tokens);
    const headers = deprecationHeaders(answer);
    if (call.streamed) return streamed(state, call, answer, cost, headers);
    const value = completion(state, answer, cost);
    cost.charge();
    return { status: 200, headers, body: { kind: "json", value, mayCompress: true } };
  };

/** Charges one answer. */
interface AnswerCharge {
  /** Members with the cost of the whole answer. Only venice sends them (wire.md section 5). */
  readonly priced: object;
  /** Enters the tokens that were written into the ledger. */
  charge(completionTokens?: number): void;
}

function chargeFor(
  { billing, dialect }: State,
  { key, requestId }: ServiceCall,
  answer: ComposedAnswer,
): AnswerCharge {
  const startMs = performance.now();
  const { completion_tokens: all } = usageOf(answer.ask, answer.scripts);
  const charges = (written: number) => {
    const executionMs = performance.now() - startMs;
    const completionTokens = Math.min(all, written);
    return chargesOf(answer, { keyId: key?.id ?? null, requestId, completionTokens, executionMs });
  };
  const usd = usdOf(charges(all));
  return {
    priced: dialect.id === "venice" ? { cost: { usd, diem: usd } } : {},
    charge(completionTokens = all) {
      for (const charge of charges(completionTokens)) billing.charge(charge);
    },
  };
}

function streamed(
  state: State,
  call: ServiceCall,
  answer: ComposedAnswer,
  cost: AnswerCharge,
  headers: Record<string, string>,
): Reply {
  const { before, paced: rest, after } = toEvents(answer, state.dialect.parametersMember, cost.priced);
  const batches = async function* () {
    // After a disconnect only the written tokens are charged. Each event is one token.
    let written: number | undefined = 0;
    try {
      yield before;
      for await (const batch of paced(rest, state.tokensPerSecond, call.signal)) {
        written += batch.length;
        yield batch;
      }
      written = undefined;
      yield after;
    } finally {
      cost.charge(written);
    }
  };
  return { status: 200, headers, body: { kind: "events", batches: batches() } };
}

function completion({ dialect }: State, answer: ComposedAnswer, { priced }: AnswerCharge): object {
  const { id, created, ask, scripts, parameters } = answer;
  return {
    id,
    object: "chat.completion",
    created,
    model: ask.model.record.id,
    choices: scripts.map((script, index) => choiceOf(script, index, answer)),
    usage: usageOf(ask, scripts),
    ...priced,
    prompt_logprobs: promptLogprobs(ask),
    [dialect.parametersMember]: parameters,
  };
}

function choiceOf(script: Script, index: number, { ask }: ComposedAnswer): object {
  const { logprobs, top_logprobs = 0 } = ask.body;
  const entries = () => [...tokensOf(script.content)].map((token) => logprobOf(token, top_logprobs));
  return {
    index,
    finish_reason: script.finish,
    stop_reason: script.stopReason,
    logprobs: logprobs ? { content: entries() } : null,
    message: {
      role: "assistant",
      content: script.content,
      reasoning_content: script.reasoning === "" ? null : script.reasoning,
      tool_calls: script.calls,
    },
  };
}

/** venice warns of deprecated models (wire.md section 8). */
function deprecationHeaders({ ask }: ComposedAnswer): Record<string, string> {
  const { deprecation } = ask.model.record.model_spec;
  if (ask.dialect === "standard" || !deprecation) return {};
  return {
    "x-venice-model-deprecation-warning": `Use ${deprecation.replacementModelId}`,
    "x-venice-model-deprecation-date": deprecation.removesAt,
  };
}

/** A search inside a chat costs about 0.01 USD (wire.md section 5). */
const searchUsd = 0.01;

/** The caller and the size of the answer. */
interface Asked {
  readonly keyId: string | null;
  readonly requestId: string;
  readonly completionTokens: number;
  /** Milliseconds. */
  readonly executionMs: number;
}

/** The charges for an answer: its tokens, and the web search if one was made. */
function chargesOf({ ask, citations }: ComposedAnswer, asked: Asked): readonly Charge[] {
  const { model, promptTokens, cachedTokens } = ask;
  const { id } = model.record;
  const chat = chatCharge({ ...asked, model: id, price: model.price, promptTokens, cachedTokens });
  const search = requestCharge({ keyId: asked.keyId, name: "search", usd: searchUsd });
  return citations.length > 0 ? [chat, search] : [chat];
}

/** The sum, rounded as the ledger shows it. */
function usdOf(charges: readonly Charge[]): number {
  const lines = charges.flatMap((charge) => charge.lines);
  return nanoNumber(
    lines.map(({ pricePerUnitUsd, units }) => costOf(pricePerUnitUsd, units)).reduce<Nano>(addNano, 0),
  );
}
