import type { SpendSource, SpendTask } from "../../api/money/charge.ts";
import { CacheKeys } from "../../session/cacheKeys.ts";
import type { Session } from "../../session/session.ts";
import { splitModelId } from "../../shared/chat/modelId.ts";
import { namedClient, type ScopedBudget } from "../../shared/money/scopedBudget.ts";
import type { GatewayClient } from "../server/gatewayClient.ts";
import type { OpenedService } from "../server/gatewayDeps.ts";
import type { AgentSession } from "../server/sessionBook.ts";

/**
 * The client of the active connection for a session of another agent. Its calls are recorded and capped as those of
 * `source`; default is the session.
 */
export async function openService(
  session: Pick<Session, "client">,
  agent: AgentSession,
  source: SpendSource = sourceOf(agent),
): Promise<OpenedService> {
  const { id } = agent;
  const { api, connection, prices } = await session.client(source);
  const specOf = async (model: string) =>
    (await prices.models(model)).get(splitModelId(model).id)?.model_spec;
  return {
    api,
    name: connection.name,
    cacheKey: new CacheKeys(id).of(connection.id),
    // A name that only stands for a model is not on the list, so it is not private.
    // A model for whose writes a price is listed may charge more for a longer time.
    async cachesPrompts(model) {
      const pricing = (await specOf(model).catch(() => undefined))?.pricing;
      return pricing?.cache_input !== undefined && pricing.cache_write === undefined;
    },
    isPrivate: async (model) => (await specOf(model))?.privacy === "private",
    longestAnswer: async (model) =>
      (await specOf(model).catch(() => undefined))?.maxCompletionTokens ?? undefined,
  };
}

function sourceOf(agent: AgentSession): SpendSource {
  const { client } = agent;
  const { sessionCapUsd, folder } = client;
  const task = sessionCapUsd === undefined ? undefined : taskOf(agent, sessionCapUsd);
  return {
    kind: "gateway",
    client: client.name,
    ...(task ? { task } : { session: agent.id }),
    // Whichever window pays.
    ...(folder ? { resource: folder.uri, folder: folder.name } : {}),
    caps: capsOf(client),
  };
}

/**
 * The caps of all sessions of a day, in all and in each folder: budgets of the client, so that they are counted as budgets
 * are, by all windows.
 */
function capsOf({ name, dayCapUsd, folderCapUsd }: GatewayClient): readonly ScopedBudget[] {
  const cap = (limitUsd: number): ScopedBudget => ({
    per: { client: namedClient("gateway", name) },
    period: "day",
    limitUsd,
    onReach: "stop",
    name: `the cap per day of ${name}`,
  });
  return [
    ...(dayCapUsd === undefined ? [] : [cap(dayCapUsd)]),
    ...(folderCapUsd === undefined ? [] : [{ ...cap(folderCapUsd), each: "folder" } as const]),
  ];
}

/** The task of a session. Its cap needs calls whose price is bounded. */
export function taskOf(agent: AgentSession, capUsd: number): SpendTask {
  return { id: agent.id, round: agent.calls, capUsd, refusal: () => agent.refusal };
}
