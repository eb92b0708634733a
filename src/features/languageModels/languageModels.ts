import * as vscode from "vscode";
import { signalOf } from "../../platform/cancellation.ts";
import { explain } from "../../platform/errorMessage.ts";
import { readListsAllModels } from "../../platform/settings.ts";
import type { Connection } from "../../session/connection.ts";
import { createCallEchoes } from "./callEchoes.ts";
import type { LanguageModelsDeps } from "./deps.ts";
import { createModelCards, type ListedModel, recommendedModels, toListedModel } from "./modelList.ts";
import { readMessages } from "./readMessages.ts";
import { streamParts, toLanguageModelError } from "./respond.ts";
import { createTokenCounts } from "./tokenCounts.ts";
import { toModelRequest } from "./toModelRequest.ts";
import { chosenEffort, requestingExtension } from "./untypedApi.ts";

export type { ListedModel } from "./modelList.ts";

/** The models of all connections, as a provider of the editor. */
export interface LanguageModels {
  /** Never throws. A connection whose list can't be read has no models. */
  list(): Promise<readonly ListedModel[]>;
  /** Throws LanguageModelError. */
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
}

export function createLanguageModels(deps: LanguageModelsDeps): LanguageModels {
  const { session, connections, chosenModels, log } = deps;
  const cards = createModelCards(session, ({ name: service, kind }, error) =>
    log.warn(`no language models: ${explain(error, { service, kind }).sentence}`),
  );
  const echoes = createCallEchoes();
  const counts = createTokenCounts();

  const listOf = async (connection: Connection, order: number) => {
    const all = await cards.get(connection);
    const listed = readListsAllModels() ? all : recommendedModels(all, chosenModels.get(connection.id));
    return listed.map((card) => toListedModel(connection, card, order));
  };
  return {
    list: async () => (await Promise.all(listedConnections(deps).map(listOf))).flat(),
    async respond(model, messages, options, progress, token) {
      const connection = connections.byId(model.connectionId);
      if (!connection) throw vscode.LanguageModelError.NotFound(gone(model));
      const turns = readMessages(messages);
      const effort = chosenEffort(options);
      const { tools = [], modelOptions = {} } = options;
      const request = toModelRequest(
        {
          model: model.modelId,
          turns,
          tools,
          mustCallTool: options.toolMode === vscode.LanguageModelChatToolMode.Required,
          effort: effort !== undefined && model.reasoningEfforts.includes(effort) ? effort : undefined,
          modelOptions,
        },
        (call) => echoes.find(model.id, call),
      );
      const { signal, dispose } = signalOf(token);
      try {
        const client = requestingExtension(options);
        const source = { kind: "nativeChat", ...(client ? { client } : {}) } as const;
        const { name: service, kind } = connection;
        const connected = await session.clientOf(connection, source).catch((error: unknown) => {
          throw toLanguageModelError(error, { service, kind });
        });
        const answer = await streamParts(connected, request, signal, (part) => progress.report(part));
        if (!answer) return;
        echoes.add(model.id, answer);
        const sentTools = tools.length > 0 ? JSON.stringify(request.tools) : "";
        if (answer.usage) counts.learn(model.id, turns, sentTools, answer.usage.prompt_tokens);
      } finally {
        dispose();
      }
    },
    countTokens: (model, text) =>
      typeof text === "string"
        ? counts.countText(model.id, text)
        : readMessages([text]).reduce((sum, turn) => sum + counts.countTurn(model.id, turn), 0),
    refresh: () => cards.clear(),
  };
}

/** The active connection first. The sandbox only if it is active, because its list starts it. */
function listedConnections({ session, connections }: LanguageModelsDeps): readonly Connection[] {
  const { active } = session;
  const others = connections.all().filter(({ id, kind }) => id !== active?.id && kind !== "sandbox");
  return active ? [active, ...others] : others;
}

function gone({ name }: ListedModel): string {
  return `The connection of ${name} was removed. Choose another model, or sign in to the service again.`;
}
