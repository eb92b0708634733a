import type { Message } from "../../../shared/chatMessages.ts";
import type { ModelCard } from "../../../shared/chatModels.ts";
import type { ChatState, ContextGauge } from "../../../shared/chatState.ts";
import { promptRoom } from "../../../shared/contextFit.ts";
import type { LiveChat } from "../liveChat.ts";
import type { FitPath } from "./outgoing.ts";

export interface ContextGaugeDeps {
  readonly chat: Pick<LiveChat, "state" | "set" | "path">;
  readonly cardOf: (model: string) => ModelCard | undefined;
  readonly fitPath: FitPath;
}

/** Delay in milliseconds from a change to the update of the gauge. */
const afterMs = 60;
const draftId = "draft";

/** Keeps the gauge at the estimated size of the next request. It is not updated while an answer is running. */
export function createContextGauge({ chat, cardOf, fitPath }: ContextGaugeDeps): {
  /** The current value, even if it is not shown yet. */
  read(): ContextGauge;
  /** Reports a change; called often. */
  look(): void;
  dispose(): void;
} {
  let timer: NodeJS.Timeout | undefined;
  let seen: readonly unknown[] = [];
  /** True if an input of the gauge has changed. Streamed text is not one. */
  const isNews = () => {
    const { busy, draft, attachments, models, modelId, branches, messages, earlierCount, settings } =
      chat.state;
    const now = [
      busy,
      draft,
      attachments,
      models,
      modelId,
      branches,
      messages.length + earlierCount,
      settings.system,
    ];
    const isSame = now.every((value, index) => value === seen[index]);
    seen = now;
    return !isSame;
  };
  const read = () => gaugeOf(chat.path(), chat.state, cardOf, fitPath);
  const show = () => {
    timer = undefined;
    const context = read();
    if (JSON.stringify(context) !== JSON.stringify(chat.state.context)) chat.set({ context });
  };
  return {
    read,
    look() {
      if (isNews()) timer ??= setTimeout(show, afterMs);
    },
    dispose() {
      clearTimeout(timer);
    },
  };
}

function gaugeOf(
  path: readonly Message[],
  { draft, attachments, modelId }: Pick<ChatState, "draft" | "attachments" | "modelId">,
  cardOf: ContextGaugeDeps["cardOf"],
  fitPath: FitPath,
): ContextGauge {
  const card = modelId === null ? undefined : cardOf(modelId);
  const question: Message = { role: "user", id: draftId, text: draft.text, attachments };
  const { dropped, tokens, over } = fitPath([...path, question], card);
  const along = path
    .slice(dropped)
    .flatMap((message) => (message.role === "user" ? (message.attachments ?? []) : []));
  return {
    tokens,
    hasUnknown: [...along, ...attachments].some((attachment) => attachment.tokens === null),
    contextTokens: card?.contextTokens ?? null,
    roomTokens: promptRoom(card?.contextTokens) ?? null,
    dropped,
    over,
  };
}
