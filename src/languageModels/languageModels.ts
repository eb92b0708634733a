import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { signalOf } from "../platform/cancellation.ts";
import type { DomainCommands } from "../platform/editor/commands/domainCommands.ts";
import { tickTour } from "../platform/editor/tour.ts";
import { explain } from "../platform/errors/errorMessage.ts";
import { readListsAllModels } from "../platform/settings.ts";
import { CacheKeys } from "../session/cacheKeys.ts";
import { receiverOf } from "../session/connection/baseUrl.ts";
import type { Connection } from "../session/connection/connection.ts";
import { hasService } from "../session/sandbox/readiness.ts";
import { commands } from "../shared/names/ids.ts";
import { createCallEchoes } from "./callEchoes.ts";
import { chooseExtensions, createConsent } from "./consent.ts";
import type { LanguageModelsDeps } from "./deps.ts";
import { type ChatTurn, readMessages } from "./messages/readMessages.ts";
import { createTokenCounts } from "./messages/tokenCounts.ts";
import { type ModelRequest, toModelRequest } from "./messages/toModelRequest.ts";
import { chosenEffort, requestingExtension } from "./messages/untypedApi.ts";
import { createModelCards, type ListedModel, recommendedModels, toListedModel } from "./modelList.ts";
import { useInNativeChat } from "./nativeChat.ts";
import { streamParts, toLanguageModelError } from "./respond.ts";

export type { ListedModel } from "./modelList.ts";

/** The models of all connections, as a provider of the editor. */
export interface LanguageModels {
  /** Never throws. A connection whose list can't be read has no models. */
  list(): Promise<readonly ListedModel[]>;
  /** Asks for consent if another extension sent the request. Throws LanguageModelError. */
  respond(
    model: ListedModel,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void>;
  countTokens(model: ListedModel, text: string | vscode.LanguageModelChatRequestMessage): number;
  /** Call it after a change of connections or settings. */
  refresh(): void;
  readonly commands: DomainCommands<"languageModels">;
}

export function createLanguageModels(deps: LanguageModelsDeps): LanguageModels {
  const { session, connections, chosenModels, consents, globalState, log } = deps;
  const cards = createModelCards(session, ({ name: service, kind }, error) =>
    log.warn(`no language models: ${explain(error, { service, kind }).sentence}`),
  );
  const echoes = createCallEchoes();
  const counts = createTokenCounts();
  const consent = createConsent(consents);
  let cacheKeys: CacheKeys | undefined;

  const listOf = async (connection: Connection, order: number) => {
    const all = await cards.get(connection);
    const listed = readListsAllModels() ? all : recommendedModels(all, chosenModels.get(connection.id));
    return listed.map((card) => toListedModel(connection, card, order));
  };
  const contextOf = ({ connectionId, name }: ListedModel) => {
    const { name: service = name, ...rest } = connections.byId(connectionId) ?? {};
    return { service, ...("kind" in rest ? { kind: rest.kind } : {}) };
  };
  /** The model's connection, if the extension may use it. */
  const permitted = async (
    model: ListedModel,
    extension: string | undefined,
    signal: AbortSignal,
  ): Promise<Connection> => {
    const connection = connections.byId(model.connectionId);
    if (connection && extension) await consent.obtain(extension, connection, signal);
    // It may have been removed or changed while the question was open.
    const current = connections.byId(model.connectionId);
    if (!current) throw vscode.LanguageModelError.NotFound(gone(model));
    const isSame = connection && receiverOf(current) === receiverOf(connection);
    return isSame ? current : permitted(model, extension, signal);
  };
  return {
    list: async () => (await Promise.all(listedConnections(deps).map(listOf))).flat(),
    async respond(model, messages, options, progress, token) {
      const { signal, dispose } = signalOf(token);
      try {
        const client = requestingExtension(options);
        const connection = await permitted(model, client, signal);
        const turns = readMessages(messages);
        const cacheKeyOf = (beginning: readonly unknown[]) => {
          cacheKeys ??= storedCacheKeys(globalState);
          return cacheKeys.of(connection.id, client ?? "", JSON.stringify(beginning));
        };
        const question = { ...asked(model, turns, options), cacheKeyOf };
        const request = toModelRequest(question, (call) => echoes.find(model.id, call));
        const source = { kind: "nativeChat", ...(client ? { client } : {}) } as const;
        const connected = await session.clientOf(connection, source);
        const answer = await streamParts(connected, request, signal, (part) => progress.report(part));
        if (!answer) return;
        tickTour("shared");
        echoes.add(model.id, answer);
        const sentTools = request.tools ? JSON.stringify(request.tools) : "";
        if (answer.usage) counts.learn(model.id, turns, sentTools, answer.usage.prompt_tokens);
      } catch (error) {
        if (!signal.aborted) throw toLanguageModelError(error, contextOf(model));
      } finally {
        dispose();
      }
    },
    countTokens: (model, text) =>
      typeof text === "string"
        ? counts.countText(model.id, text)
        : readMessages([text]).reduce((sum, turn) => sum + counts.countTurn(model.id, turn), 0),
    refresh: () => cards.clear(),
    commands: {
      async [commands.languageModelsUseInVsCode]() {
        if (await hasService(deps)) await useInNativeChat();
      },
      // Lets the user change which other extensions may use the models.
      [commands.languageModelsChooseExtensions]: () => chooseExtensions(consent, connections),
    },
  };
}

const saltKey = "languageModels.cacheSalt";

/** The salt is stored, so that a conversation of the editor finds its cache after a reload of the window. */
function storedCacheKeys(globalState: LanguageModelsDeps["globalState"]): CacheKeys {
  const stored = globalState.get<string>(saltKey);
  if (stored !== undefined) return new CacheKeys(stored);
  const salt = randomUUID();
  void globalState.update(saltKey, salt);
  return new CacheKeys(salt);
}

/** The active connection first. The sandbox only if it is active, because its list starts it. */
function listedConnections({ session, connections }: LanguageModelsDeps): readonly Connection[] {
  const { active } = session;
  const others = connections.all().filter(({ id, kind }) => id !== active?.id && kind !== "sandbox");
  return active ? [active, ...others] : others;
}

/** The request as plain values. */
function asked(
  { modelId: model, reasoningEfforts }: ListedModel,
  turns: readonly ChatTurn[],
  options: vscode.ProvideLanguageModelChatResponseOptions,
): Omit<ModelRequest, "cacheKeyOf"> {
  const { tools = [], modelOptions = {}, toolMode } = options;
  const chosen = chosenEffort(options);
  return {
    model,
    turns,
    tools,
    mustCallTool: toolMode === vscode.LanguageModelChatToolMode.Required,
    effort: chosen !== undefined && reasoningEfforts.includes(chosen) ? chosen : undefined,
    modelOptions,
  };
}

function gone({ name }: ListedModel): string {
  return `The connection of ${name} was removed. Choose another model, or sign in to the service again.`;
}
