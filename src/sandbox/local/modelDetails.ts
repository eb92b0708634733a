import { membersOf } from "../../shared/members.ts";
import { textIn } from "../../shared/stringIn.ts";
import type { ModelServer } from "../../shared/web/modelServer.ts";
import { askServer, serverAnswerText } from "./askServer.ts";
import {
  factsOfLlamaCpp,
  factsOfLmStudio,
  factsOfLmStudioV1,
  factsOfOllama,
  type ModelFacts,
  mergedFacts,
  tokensIn,
} from "./modelFacts.ts";

/** A model of a server's list: its name, and a mark that changes when the model does. */
export interface ListedModel {
  readonly name: string;
  readonly mark: string;
}

/** What a server says about its models besides its OpenAI-compatible list. */
export interface ModelDetails {
  /**
   * The known facts by name. Never rejects: what the server does not say, or not in time, is missing. What was learned
   * of a model is kept until its mark changes, so that a slow server is asked for the rest the next time.
   */
  of(models: readonly ListedModel[], signal: AbortSignal): Promise<ReadonlyMap<string, ModelFacts>>;
}

/** A question to the server: parsed JSON, or undefined if there is none. */
type Ask = (path: string, body?: unknown) => Promise<unknown>;
type Learn = (name: string, facts: ModelFacts) => void;
/** Asks in the way of one product. Resolves to true if the server answered in that way. */
type Source = (ask: Ask, models: readonly ListedModel[], learn: Learn) => Promise<boolean>;

const mostAnswerBytes = 4_000_000;
/** Models that one listing asks about, and at the same time. */
const mostShown = 200;
const shownAtOnce = 8;

export function createModelDetails(server: ModelServer, limitMs: number): ModelDetails {
  /** Replies of `/api/show`, by name. */
  const shown = new Map<string, { readonly mark: string; readonly facts: ModelFacts }>();
  const ollama = createOllama(shown);
  /** The product that answered, for the models that were listed then. */
  let found: { readonly source: Source | undefined; readonly names: string } | undefined;
  return {
    async of(models, signal) {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
      const facts = new Map<string, ModelFacts>();
      const learn: Learn = (name, more) => facts.set(name, mergedFacts(facts.get(name) ?? {}, more));
      const ask = askOf(server, limited, limitMs);
      const names = JSON.stringify(models.map(({ name }) => name));
      const isOf = (source: Source) => source(ask, models, learn).catch(() => false);
      if (found?.names === names) {
        await found.source?.(ask, models, learn).catch(() => {});
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
  };
}

function askOf({ url }: ModelServer, signal: AbortSignal, idleMs: number): Ask {
  return async (path, body) => {
    const answer = await askServer({ url: `${url}${path}`, signal, idleMs, ...(body ? { body } : {}) });
    const text = await serverAnswerText(answer, mostAnswerBytes);
    return answer.status === 200 ? (JSON.parse(text) as unknown) : undefined;
  };
}

function listIn(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function createOllama(shown: Map<string, { readonly mark: string; readonly facts: ModelFacts }>): Source {
  return async (ask, models, learn) => {
    const [tags, running] = await Promise.all([ask("/api/tags"), ask("/api/ps").catch(() => undefined)]);
    if (!listIn(membersOf(tags).models)) return false;
    const waiting = models.slice(0, mostShown);
    const show = async ({ name, mark }: ListedModel) => {
      const before = shown.get(name);
      const reply = before?.mark === mark ? undefined : await ask("/api/show", { model: name });
      if (reply !== undefined) shown.set(name, { mark, facts: factsOfOllama(reply) });
      learn(name, shown.get(name)?.facts ?? {});
    };
    const showNext = async () => {
      // A model that can't be shown does not hide the others.
      for (let model = waiting.shift(); model; model = waiting.shift()) await show(model).catch(() => {});
    };
    await Promise.all(Array.from({ length: shownAtOnce }, showNext));
    for (const loaded of listIn(membersOf(running).models) ?? []) {
      const { name, context_length } = membersOf(loaded);
      const contextTokens = tokensIn(context_length);
      // What it runs with now is surer than what its file says.
      if (contextTokens !== undefined) learn(textIn(name), { contextTokens });
    }
    return true;
  };
}

const lmStudio: Source = async (ask, _, learn) => {
  const listed = listIn(membersOf(await ask("/api/v0/models")).data);
  for (const entry of listed ?? []) learn(textIn(membersOf(entry).id), factsOfLmStudio(entry));
  return listed !== undefined;
};

const lmStudioV1: Source = async (ask, _, learn) => {
  const listed = listIn(membersOf(await ask("/api/v1/models")).models);
  for (const entry of listed ?? []) {
    const { key, loaded_instances } = membersOf(entry);
    const instances = (listIn(loaded_instances) ?? []).map((instance) => membersOf(instance).id);
    for (const name of new Set([key, ...instances])) learn(textIn(name), factsOfLmStudioV1(entry));
  }
  return listed !== undefined;
};

/** `/props` is of the one model that the server runs. */
const llamaCpp: Source = async (ask, [model, ...others], learn) => {
  const props = membersOf(await ask("/props"));
  if (!("default_generation_settings" in props)) return false;
  if (model && others.length === 0) learn(model.name, factsOfLlamaCpp(props));
  return true;
};

const koboldCpp: Source = async (ask, [model, ...others], learn) => {
  const contextTokens = tokensIn(membersOf(await ask("/api/extra/true_max_context_length")).value);
  if (contextTokens === undefined) return false;
  if (model && others.length === 0) learn(model.name, { contextTokens });
  return true;
};

/** Text Generation Inference of Hugging Face. */
const textGeneration: Source = async (ask, [model, ...others], learn) => {
  const contextTokens = tokensIn(membersOf(await ask("/info")).max_total_tokens);
  if (contextTokens === undefined) return false;
  if (model && others.length === 0) learn(model.name, { contextTokens });
  return true;
};

const others: readonly Source[] = [llamaCpp, lmStudio, lmStudioV1, koboldCpp, textGeneration];
