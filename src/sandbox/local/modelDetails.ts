import { membersOf } from "../../shared/members.ts";
import { textIn } from "../../shared/stringIn.ts";
import type { ModelServer } from "../../shared/web/modelServer.ts";
import { askServer, serverAnswerText } from "./askServer.ts";
import {
  type Ask,
  factsOfLlamaCpp,
  factsOfLmStudio,
  factsOfLmStudioV1,
  type Learn,
  type ListedModel,
  listIn,
  type ModelFacts,
  mergedFacts,
  tokensIn,
} from "./modelFacts.ts";
import { OllamaDetails } from "./ollama.ts";

/** What a server says about its models besides its OpenAI-compatible list. */
export interface ModelDetails {
  /**
   * The known facts by name. Never rejects: what the server does not say, or not in time, is missing. What was learned
   * of a model is kept until its mark changes, so that a slow server is asked for the rest the next time.
   */
  of(models: readonly ListedModel[], signal: AbortSignal): Promise<ReadonlyMap<string, ModelFacts>>;
  /** The product that answered in its own way, once `of` has resolved. */
  readonly product: ServerProduct | undefined;
  /**
   * The size that Ollama runs a model with, in tokens: it cuts a longer prompt without a word. Loads the model if need be,
   * as a chat would. Undefined for other products, and if Ollama does not tell.
   */
  runningSize(name: string, signal: AbortSignal): Promise<number | undefined>;
}

/** A product whose own questions a server answers. */
export type ServerProduct = "ollama" | "llama.cpp" | "lm-studio" | "koboldcpp" | "tgi";

/** Asks in the way of one product. Resolves to true if the server answered in that way. */
interface Source {
  readonly product: ServerProduct;
  read(ask: Ask, models: readonly ListedModel[], learn: Learn): Promise<boolean>;
}

const mostAnswerBytes = 4_000_000;
/** Loading a model from disk can take minutes. */
const loadIdleMs = 600_000;

export function createModelDetails(server: ModelServer, limitMs: number): ModelDetails {
  const ollama = new OllamaDetails();
  /** The product that answered, for the models that were listed then. */
  let found: { readonly source: Source | undefined; readonly names: string } | undefined;
  return {
    async of(models, signal) {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
      const facts = new Map<string, ModelFacts>();
      const learn: Learn = (name, more) => facts.set(name, mergedFacts(facts.get(name) ?? {}, more));
      const ask = askOf(server, limited, limitMs);
      const names = JSON.stringify(models.map(({ name }) => name));
      const isOf = (source: Source) => source.read(ask, models, learn).catch(() => false);
      if (found?.names === names) {
        if (found.source) await isOf(found.source);
        return facts;
      }
      const answered = await Promise.all(others.map(isOf));
      // Last, because several of the others answer Ollama's questions, too, with less.
      const source =
        others.find((_, index) => answered[index]) ?? ((await isOf(ollama)) ? ollama : undefined);
      // A server that was too slow may be any of them.
      if (!limited.aborted) found = { names, source };
      return facts;
    },
    get product() {
      return found?.source?.product;
    },
    async runningSize(name, signal) {
      if (found?.source !== ollama) return undefined;
      return ollama.runningSize(askOf(server, signal, loadIdleMs), name).catch(() => {
        signal.throwIfAborted();
        return undefined;
      });
    },
  };
}

function askOf({ url }: ModelServer, signal: AbortSignal, idleMs: number): Ask {
  return async (path, body) => {
    const answer = await askServer({ url: `${url}${path}`, signal, idleMs, ...(body ? { body } : {}) });
    const text = await serverAnswerText(answer, mostAnswerBytes);
    return answer.status === 200 ? (JSON.parse(text) as unknown) : undefined;
  };
}

const lmStudio: Source = {
  product: "lm-studio",
  async read(ask, _, learn) {
    const listed = listIn(membersOf(await ask("/api/v0/models")).data);
    for (const entry of listed ?? []) learn(textIn(membersOf(entry).id), factsOfLmStudio(entry));
    return listed !== undefined;
  },
};

const lmStudioV1: Source = {
  product: "lm-studio",
  async read(ask, _, learn) {
    const listed = listIn(membersOf(await ask("/api/v1/models")).models);
    for (const entry of listed ?? []) {
      const { key, loaded_instances } = membersOf(entry);
      const instances = (listIn(loaded_instances) ?? []).map((instance) => membersOf(instance).id);
      for (const name of new Set([key, ...instances])) learn(textIn(name), factsOfLmStudioV1(entry));
    }
    return listed !== undefined;
  },
};

/** `/props` is of the one model that the server runs. */
const llamaCpp: Source = {
  product: "llama.cpp",
  async read(ask, [model, ...others], learn) {
    const props = membersOf(await ask("/props"));
    if (!("default_generation_settings" in props)) return false;
    if (model && others.length === 0) learn(model.name, factsOfLlamaCpp(props));
    return true;
  },
};

const koboldCpp: Source = {
  product: "koboldcpp",
  async read(ask, [model, ...others], learn) {
    const contextTokens = tokensIn(membersOf(await ask("/api/extra/true_max_context_length")).value);
    if (contextTokens === undefined) return false;
    if (model && others.length === 0) learn(model.name, { contextTokens });
    return true;
  },
};

/** Text Generation Inference of Hugging Face. */
const textGeneration: Source = {
  product: "tgi",
  async read(ask, [model, ...others], learn) {
    const contextTokens = tokensIn(membersOf(await ask("/info")).max_total_tokens);
    if (contextTokens === undefined) return false;
    if (model && others.length === 0) learn(model.name, { contextTokens });
    return true;
  },
};

const others: readonly Source[] = [llamaCpp, lmStudio, lmStudioV1, koboldCpp, textGeneration];
