import { type ChatAttachment, type ChatOffer, linesOf } from "../../../session/connection/handoff.ts";
import { namedModel } from "../../../shared/chat/modelNames.ts";
import { isLocalModel } from "../../../shared/web/modelServer.ts";
import type { ChatSettings } from "../../protocol/chatSettings.ts";
import type { AgentChoice } from "../agent/agentChoice.ts";
import type { Answers } from "../answer/answers.ts";
import type { AttachmentDraft } from "../attachments/attachmentDraft.ts";
import type { EditorSources, FoundText } from "../attachments/sources/sources.ts";
import { appendToDraft } from "../conversation/draft.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import type { QuestionQueue } from "../conversation/questionQueue.ts";
import { type Starter, startersOf } from "./starters.ts";

export interface OffersDeps {
  readonly chat: LiveChat;
  readonly editor: EditorSources;
  readonly attachments: AttachmentDraft;
  readonly queue: Pick<QuestionQueue, "add">;
  readonly newChat: () => Promise<void>;
  readonly send: Answers["send"];
  readonly agentChoice: Pick<AgentChoice, "choose">;
}

/** Questions that the user does not type: from other features, and the starters of an empty chat. */
export interface Offers {
  take(offer: ChatOffer): Promise<void>;
  /** Sends one of the shown starters. */
  start(text: string): Promise<void>;
  /** Updates the starters. */
  update(): void;
  dispose(): void;
}

export function createOffers(deps: OffersDeps): Offers {
  const { chat, editor, attachments, queue, send, agentChoice } = deps;
  let starters: readonly Starter[] = [];
  const update = () => {
    const { messages, service, models, names } = chat.state;
    if (messages.length > 0) return;
    const { modelId } = namedModel(models, names, chat.state.modelId ?? "");
    const isLanguageModel = service?.kind !== "sandbox" || isLocalModel(modelId);
    const program = modelId === "scripted" ? "scripted" : "guide";
    starters = startersOf(editor.facts(), isLanguageModel ? "languageModel" : program);
    const texts = starters.map(({ text }) => text);
    if (JSON.stringify(texts) !== JSON.stringify(chat.state.starters)) chat.set({ starters: texts });
  };
  const watching = editor.onDidChangeFacts(update);
  const setNotice = (text: string) => chat.set({ notice: { text, stays: true } });
  return {
    update,
    async take({ text: asked, byMode = {}, send: isSent, attachments: offered, agent }) {
      if (agent !== undefined) await agentChoice.choose(agent);
      const { mode = "ask" } = chat.state.settings;
      const text = (mode === "ask" ? undefined : byMode[mode]) ?? asked;
      const found = offered.map(toFoundText);
      if (isSent) {
        const attached = await Promise.all(found.map((one) => attachments.make(one)));
        if (!chat.state.busy) {
          await beginChat(deps, offered);
          return void (await send(text, { attachments: attached }));
        }
        if (queue.add(text, attached)) return;
      }
      await Promise.all(found.map((one) => attachments.addText(one)));
      chat.set({ draft: appendToDraft(chat.state.draft, text) });
    },
    async start(text) {
      const starter = starters.find((one) => one.text === text);
      if (!starter) return;
      const { signal } = new AbortController();
      const found = await Promise.all(starter.attach.map((request) => editor.find(request, signal)));
      const missing = found.find((one) => typeof one === "string");
      // The file may have been closed meanwhile.
      if (missing !== undefined) return setNotice(missing);
      const texts = found.flatMap((one) => (typeof one === "object" && one.kind !== "bytes" ? [one] : []));
      await send(text, { attachments: await Promise.all(texts.map((one) => attachments.make(one))) });
    },
    dispose: () => watching.dispose(),
  };
}

/** The earlier conversation would be sent and billed, too. */
async function beginChat(
  { chat, newChat }: Pick<OffersDeps, "chat" | "newChat">,
  offered: readonly ChatAttachment[],
): Promise<void> {
  if (chat.state.messages.length > 0) await newChat();
  if (offered.some(({ source }) => source))
    chat.set({ settings: settingsForSources(chat.state.settings), compareIds: [] });
}

function toFoundText({ kind, uri, name, languageId, range, text, source }: ChatAttachment): FoundText {
  const found = { kind, name, uri, languageId, text };
  if (source) return { ...found, source };
  return { ...found, detail: linesOf(range), line: range.startLine + 1 };
}

/** The settings of a chat that answers from sources: one answer in words, without tools and other searches. */
function settingsForSources(settings: ChatSettings): ChatSettings {
  const {
    mode: _,
    customMode: __,
    agent: ___,
    tools: ____,
    n: _____,
    schema: ______,
    service,
    ...others
  } = settings;
  if (!service) return others;
  const { enable_web_search: _______, ...switches } = service;
  return { ...others, service: switches };
}
