import { membersOf } from "../../shared/members.ts";
import { textIn } from "../../shared/stringIn.ts";
import {
  type Ask,
  factsOfOllama,
  type Learn,
  type ListedModel,
  listIn,
  type ModelFacts,
  tokensIn,
} from "./modelFacts.ts";

/** Models that one listing asks about, and at the same time. */
const mostShown = 200;
const shownAtOnce = 8;

/**
 * What Ollama says of its models. The size of a context is known while a model runs (`/api/ps`), or if its file sets it.
 * A size that Ollama gave to one model by its own settings is taken for the others, too.
 */
export class OllamaDetails {
  readonly product = "ollama";
  /** Replies of `/api/show`, by name. */
  readonly #shown = new Map<string, { readonly mark: string; readonly facts: ModelFacts }>();
  /** The sizes that models ran with, in tokens. */
  readonly #ran = new Map<string, number>();
  /** The size that Ollama's settings give to a model whose file sets none. */
  #usual: number | undefined;

  /** Resolves to false if the server is no Ollama. */
  async read(ask: Ask, models: readonly ListedModel[], learn: Learn): Promise<boolean> {
    const [tags, running] = await Promise.all([ask("/api/tags"), ask("/api/ps").catch(() => undefined)]);
    if (!listIn(membersOf(tags).models)) return false;
    const waiting = models.slice(0, mostShown);
    const showNext = async () => {
      // A model that can't be shown does not hide the others.
      for (let model = waiting.shift(); model; model = waiting.shift())
        await this.#show(ask, model).catch(() => {});
    };
    await Promise.all(Array.from({ length: shownAtOnce }, showNext));
    this.#see(running);
    for (const { name } of models) learn(name, this.#factsOf(name));
    return true;
  }

  /** The size that a model runs with, in tokens. Loads it if need be. */
  async runningSize(ask: Ask, name: string): Promise<number | undefined> {
    const running = await ask("/api/ps");
    this.#see(running);
    if (!runningIn(running).has(name)) {
      // Without a prompt it only loads the model.
      await ask("/api/generate", { model: name, stream: false });
      this.#see(await ask("/api/ps"));
    }
    return this.#factsOf(name).contextTokens;
  }

  async #show(ask: Ask, { name, mark }: ListedModel): Promise<void> {
    if (this.#shown.get(name)?.mark === mark) return;
    const reply = await ask("/api/show", { model: name });
    if (reply !== undefined) this.#shown.set(name, { mark, facts: factsOfOllama(reply) });
  }

  #see(running: unknown): void {
    for (const [name, tokens] of runningIn(running)) {
      this.#ran.set(name, tokens);
      const { contextTokens, trainedTokens = 0 } = this.#shown.get(name)?.facts ?? {};
      // A model that runs with all it has says nothing of the settings.
      if (contextTokens === undefined && tokens < trainedTokens) this.#usual = tokens;
    }
  }

  /** What it runs with is surer than what its file says. */
  #factsOf(name: string): ModelFacts {
    const facts = this.#shown.get(name)?.facts ?? {};
    const { trainedTokens, contextTokens } = facts;
    const usual = this.#usual && trainedTokens && Math.min(this.#usual, trainedTokens);
    const tokens = this.#ran.get(name) ?? contextTokens ?? usual;
    return tokens === undefined ? facts : { ...facts, contextTokens: tokens };
  }
}

/** The sizes of the models that run, by name. */
function runningIn(reply: unknown): ReadonlyMap<string, number> {
  const entries = listIn(membersOf(reply).models) ?? [];
  return new Map(
    entries.flatMap((entry) => {
      const { name, context_length } = membersOf(entry);
      const tokens = tokensIn(context_length);
      return tokens === undefined ? [] : [[textIn(name), tokens]];
    }),
  );
}
