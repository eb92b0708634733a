import { membersOf } from "../../shared/members.ts";
import { messageOf } from "../../shared/messageOf.ts";
import { parseJson } from "../../shared/text/json/parseJson.ts";
import { untilAborted } from "../../shared/untilAborted.ts";
import { checkModelServer, type ModelServer } from "../../shared/web/modelServer.ts";
import type { TextModel } from "../catalog/modelRecord.ts";
import { plainCapabilities } from "../catalog/textModels.ts";
import { askServer, NoAnswer, serverAnswerText } from "./askServer.ts";
import { createModelDetails, type ModelDetails, type ServerProduct } from "./modelDetails.ts";
import { factsOfEntry, type ListedModel, type ModelFacts, mergedFacts } from "./modelFacts.ts";

/** A text model of a server on this machine, with its id in the sandbox. */
export interface LocalModel {
  readonly server: ModelServer;
  /** The model's id on the server. */
  readonly name: string;
  readonly model: TextModel;
  /** Undefined if the server speaks no more than what all have in common. */
  readonly product: ServerProduct | undefined;
  readonly facts: ModelFacts;
}

/** Result of a scan of the servers on this machine. */
export interface LocalScan {
  readonly models: readonly LocalModel[];
  /** For each server without models: its address and the reason. */
  readonly problems: readonly string[];
}

/** Language models of OpenAI-compatible servers on this machine. No server is contacted before `scan`. */
export interface LocalModels {
  /**
   * Lists the servers' models. Results are cached for ten seconds, and a failed server is not retried for a while,
   * unless `isForced`. Throws the signal's reason only.
   */
  scan(signal: AbortSignal, isForced?: boolean): Promise<LocalScan>;
  /** The model with this id, from the last scan. */
  find(id: string): LocalModel | undefined;
  /** The next scan asks this server again: it has loaded a model, so that it knows the size it runs with. */
  renew(server: ModelServer): void;
  /**
   * The size of the context, in tokens, beyond which the server of this model cuts a prompt without a word; undefined if
   * it refuses such a prompt, or does not tell. Loads the model if need be.
   */
  silentLimit(model: LocalModel, signal: AbortSignal): Promise<number | undefined>;
  /** The server that a model id belongs to. */
  serverOf(id: string): ModelServer | undefined;
  setServers(addresses: readonly string[]): void;
  /** Cancels all requests. */
  close(): void;
}

export interface LocalModelsOptions {
  readonly addresses: readonly string[];
  readonly now: () => number;
  /** Called with the models after each scan. */
  readonly onScan: (models: readonly TextModel[]) => void;
  /** Time limit for listing the models of a server, and for asking about them, in milliseconds; default 1000. */
  readonly probeMs?: number;
}

const believedMs = 10_000;
const firstPauseMs = 5_000;
const longestPauseMs = 60_000;
const mostListBytes = 4_000_000;

/** One server with its last result and its running request. */
interface Watch {
  readonly server: ModelServer;
  readonly details: ModelDetails;
  models: readonly LocalModel[];
  problem: string | undefined;
  failures: number;
  /** Not contacted before this time, in Unix milliseconds. */
  nextMs: number;
  probe: { readonly done: Promise<void>; readonly stop: AbortController; waiting: number } | undefined;
}

export function createLocalModels(options: LocalModelsOptions): LocalModels {
  const { now, onScan, probeMs = 1000 } = options;
  let watches: readonly Watch[] = [];
  let refused: readonly string[] = [];
  let set: string | undefined;
  const setServers = (addresses: readonly string[]) => {
    if (set === JSON.stringify(addresses)) return;
    set = JSON.stringify(addresses);
    for (const { probe } of watches) probe?.stop.abort();
    const checks = addresses.map(checkModelServer);
    refused = checks.flatMap((check) => (check.ok ? [] : [check.problem]));
    const servers = new Map(checks.flatMap((check) => (check.ok ? [[check.server.url, check.server]] : [])));
    watches = [...servers.values()].map((server) => newWatch(server, createModelDetails(server, probeMs)));
    onScan([]);
  };
  const ask = async (watch: Watch, signal: AbortSignal) => {
    try {
      watch.models = await listModels(watch, signal, probeMs);
      watch.problem = watch.models.length === 0 ? "has no text models" : undefined;
      watch.failures = 0;
      watch.nextMs = now() + believedMs;
    } catch (error) {
      if (signal.aborted) return;
      watch.models = [];
      watch.problem = messageOf(error);
      watch.nextMs = now() + Math.min(longestPauseMs, firstPauseMs * 2 ** watch.failures);
      watch.failures += 1;
    }
  };
  const start = (watch: Watch) => {
    const stop = new AbortController();
    const done = ask(watch, stop.signal).finally(() => {
      watch.probe = undefined;
    });
    const probe = { done, stop, waiting: 0 };
    watch.probe = probe;
    return probe;
  };
  /** Callers share one request. It is cancelled when no caller waits. */
  const renew = async (watch: Watch, signal: AbortSignal, isForced: boolean) => {
    if (!watch.probe && !isForced && now() < watch.nextMs) return;
    const probe = watch.probe ?? start(watch);
    probe.waiting += 1;
    try {
      await untilAborted(probe.done, signal);
    } finally {
      probe.waiting -= 1;
      if (probe.waiting === 0) probe.stop.abort();
    }
  };
  setServers(options.addresses);
  const models = () => watches.flatMap((watch) => watch.models);
  return {
    async scan(signal, isForced = false) {
      const asked = watches;
      await Promise.all(asked.map((watch) => renew(watch, signal, isForced)));
      signal.throwIfAborted();
      if (asked === watches) onScan(models().map(({ model }) => model));
      const silent = watches.flatMap(({ server: { name, url }, problem }) =>
        problem === undefined ? [] : [`${name === new URL(url).host ? url : `${name} (${url})`} ${problem}.`],
      );
      return { models: models(), problems: [...refused, ...silent] };
    },
    find: (id) => models().find(({ model }) => model.record.id === id),
    renew(server) {
      for (const watch of watches) if (watch.server.url === server.url) watch.nextMs = 0;
    },
    async silentLimit({ server, name }, signal) {
      const watch = watches.find((one) => one.server.url === server.url);
      return watch?.details.runningSize(name, signal);
    },
    serverOf: (id) => watches.find(({ server }) => id.startsWith(`${server.slug}/`))?.server,
    setServers,
    close() {
      for (const { probe } of watches) probe?.stop.abort();
    },
  };
}

function newWatch(server: ModelServer, details: ModelDetails): Watch {
  return { server, details, models: [], problem: undefined, failures: 0, nextMs: 0, probe: undefined };
}

/** A listed model with the facts of the list. */
interface Entry extends ListedModel {
  readonly facts: ModelFacts;
}

async function listModels(
  { server, details }: Watch,
  signal: AbortSignal,
  probeMs: number,
): Promise<readonly LocalModel[]> {
  const entries = await listEntries(server, signal, probeMs);
  const more = await details.of(entries, signal);
  signal.throwIfAborted();
  return entries.flatMap(({ name, facts: listed }) => {
    const facts = mergedFacts(listed, more.get(name) ?? {});
    const isChat = facts.isChat ?? !notForText.test(name);
    return isChat ? [toLocalModel(server, name, facts, details.product)] : [];
  });
}

async function listEntries(
  server: ModelServer,
  signal: AbortSignal,
  probeMs: number,
): Promise<readonly Entry[]> {
  // Limits the whole request, because a slow server never hits the idle limit.
  const limit = AbortSignal.timeout(probeMs);
  const either = AbortSignal.any([signal, limit]);
  try {
    const answer = await askServer({ url: `${server.url}/v1/models`, signal: either, idleMs: probeMs });
    const text = await serverAnswerText(answer, mostListBytes);
    if (answer.status !== 200) throw new NoAnswer(`answered HTTP ${answer.status} for its models`);
    return entriesIn(text);
  } catch (error) {
    if (limit.aborted && !signal.aborted)
      throw new NoAnswer(`did not list its models in ${probeMs / 1000} s`);
    throw error;
  }
}

/** Embedding and speech models can't chat, and most lists have no type. */
const notForText = /embed|rerank|whisper|\bbge-|\bclip\b/i;

function entriesIn(text: string): readonly Entry[] {
  const listed = membersOf(parseJson(text)).data;
  if (!Array.isArray(listed)) throw new NoAnswer("answers, but not with a list of models");
  const entries = new Map<string, Entry>();
  for (const entry of listed) {
    const { id, created } = membersOf(entry);
    if (typeof id !== "string" || id === "" || entries.has(id)) continue;
    entries.set(id, { name: id, mark: String(created), facts: factsOfEntry(entry) });
  }
  return [...entries.values()];
}

function toLocalModel(
  server: ModelServer,
  name: string,
  facts: ModelFacts,
  product: ServerProduct | undefined,
): LocalModel {
  const both = { usd: 0, diem: 0 };
  const { contextTokens, vision = false, tools = true, reasoning = false } = facts;
  // Only these models have levels, whatever runs them.
  const hasLevels = reasoning && /gpt-oss/i.test(name);
  const completionTokens =
    facts.completionTokens && Math.min(facts.completionTokens, contextTokens ?? Infinity);
  // A colon would start a feature suffix (wire.md section 5).
  const tag = name.replace(/:latest$/, "").replaceAll(":", "@");
  const model: TextModel = {
    tier: "XS",
    price: { input: 0, output: 0, cacheInput: 0 },
    record: {
      id: `${server.slug}/${tag}`,
      object: "model",
      owned_by: server.slug,
      type: "text",
      created: 0,
      ...(contextTokens === undefined ? {} : { context_length: contextTokens }),
      model_spec: {
        name: `${name} (${server.name})`,
        description: descriptionOf(server, facts),
        ...(facts.remoteHost === undefined ? { privacy: "private" } : {}),
        offline: false,
        traits: [],
        ...(contextTokens === undefined ? {} : { availableContextTokens: contextTokens }),
        ...(completionTokens === undefined ? {} : { maxCompletionTokens: completionTokens }),
        capabilities: {
          ...plainCapabilities,
          optimizedForCode: /code/i.test(name),
          // Where the server does not say, it refuses unsupported requests.
          supportsFunctionCalling: tools,
          supportsResponseSchema: true,
          supportsReasoning: reasoning,
          supportsReasoningEffort: hasLevels,
          ...(hasLevels ? { reasoningEffortOptions: ["low", "medium", "high"] } : {}),
          supportsVision: vision,
          supportsMultipleImages: vision,
        },
        pricing: { input: both, output: both, cache_input: both },
      },
    },
  };
  return { server, name, model, product, facts };
}

function descriptionOf(
  { name, url }: ModelServer,
  { contextTokens, trainedTokens, remoteHost }: ModelFacts,
): string {
  if (remoteHost !== undefined)
    return `${name} at ${url} passes each question on to ${remoteHost}: it runs there, not on this machine.`;
  const size =
    contextTokens === undefined && trainedTokens !== undefined
      ? ` It could hold ${trainedTokens.toLocaleString("en")} tokens; ${name} decides how many when it loads it.`
      : "";
  return `Runs on this machine and costs nothing. ${name} serves it at ${url}.${size}`;
}
