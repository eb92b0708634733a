import { explainInterrupted } from "../../platform/errorMessage.ts";
import type { Session } from "../../session/session.ts";
import type { ToHost, ToHostType, ToView } from "../../shared/chatProtocol.ts";
import type { Draft } from "../../shared/chatState.ts";
import type { ConversationStore } from "./history/conversationStore.ts";
import type { LogLine } from "./history/logEntry.ts";
import { createLiveChat } from "./liveChat.ts";
import { createModelListing, type ModelListingDeps } from "./modelListing.ts";
import { createTurns, nextDraft } from "./turns.ts";
import type { ViewLink } from "./viewLink.ts";

export interface ChatControllerDeps {
  readonly session: Pick<Session, "active" | "client" | "onDidChangeActive">;
  readonly store: ConversationStore;
  readonly rememberedModels: ModelListingDeps["remembered"];
  readonly onBusy: (busy: boolean) => void;
  readonly report: (error: unknown) => void;
}

/** The way to one view: what it says goes in here, what it is told comes out by the `post` it was opened with. */
export interface ChatConnection {
  receive(message: ToHost): Promise<void>;
  /** The view is hidden: it gets nothing until it says `ready` again. */
  pause(): void;
  close(): void;
}

/** The chat itself: one conversation, one answer at a time, any number of views. Knows nothing of the editor. */
export interface ChatController {
  connect(post: (message: ToView) => void): ChatConnection;
  newChat(): Promise<void>;
  stop(): void;
  /** Another window has written to the conversation. */
  hear(lines: readonly LogLine[]): void;
  /** Text from elsewhere in the editor: asked at once, or put into the box below what is typed there. */
  takeOffer(text: string, send: boolean): Promise<void>;
  /** Says something above the conversation until it is dismissed. */
  notify(notice: string): void;
  /** The text of an answer as the model wrote it. */
  answerText(answerId: string): string | undefined;
  /** Ends all that is under way; what is not on the disk yet is there when this returns. */
  dispose(): void;
}

/** What a view may ask of the chat itself, by the name of the message; the editor does the rest. */
type Handlers = {
  readonly [Type in ToHostType]?: (
    body: Extract<ToHost, { readonly type: Type }>["body"],
    link: ViewLink,
  ) => void | Promise<void>;
};

export function createChatController(deps: ChatControllerDeps): ChatController {
  const { session, store, report } = deps;
  let opened: Promise<void> | undefined;
  const chat = createLiveChat({
    record: store.append,
    onBusy: deps.onBusy,
    interrupted: explainInterrupted,
  });
  const listing = createModelListing({
    session,
    remembered: deps.rememberedModels,
    onChange: chat.set,
  });
  const turns = createTurns({ chat, session, report });
  const activeChanged = session.onDidChangeActive(() => {
    if (opened) void listing.load();
  });

  const open = async () => {
    const { conversation, notice } = await store.openLast();
    chat.open(conversation, notice);
    void listing.load();
  };
  const whenOpen = () => {
    opened ??= open();
    return opened;
  };
  const setDraft = (draft: Draft) => {
    if (draft.revision > chat.state.draft.revision) chat.set({ draft });
  };
  const setNotice = (notice: string | null) => chat.set({ notice });
  const newChat = async () => {
    await whenOpen();
    turns.stop();
    chat.open(store.create().conversation);
  };
  const takeOffer = async (text: string, send: boolean) => {
    await whenOpen();
    if (send && !chat.state.busy) return turns.send(text, undefined);
    const typed = chat.state.draft.text.trimEnd();
    const draft = typed === "" ? text : `${typed}\n\n${text}`;
    chat.set({ draft: nextDraft(chat.state.draft, draft, Date.now()) });
    if (send) setNotice("An answer is still being written. The new question waits in the box.");
  };
  const handlers: Handlers = {
    ready({ draft }, link) {
      if (draft) setDraft(draft);
      link.hydrate();
    },
    resync: (_, link) => link.hydrate(),
    ack: ({ epoch, seq }, link) => link.acknowledge(epoch, seq),
    draft: ({ draft }) => setDraft(draft),
    send: ({ text, revision, models }) => turns.send(text, revision, models),
    edit: ({ questionId, text }) => turns.edit(questionId, text),
    retry({ answerId, modelId }) {
      if (answerId) turns.answerAnew(answerId, modelId);
      else turns.send(chat.state.draft.text, chat.state.draft.revision);
    },
    goOn: ({ answerId }) => turns.goOn(answerId),
    showBranch: ({ messageId }) => turns.showBranch(messageId),
    showEarlier: () => chat.showEarlier(),
    stop: () => turns.stop(),
    newChat: () => newChat(),
    pickModel: ({ modelId }) => listing.pick(modelId),
    reloadModels: () => listing.load(),
    dismissNotice: () => setNotice(null),
  };
  const hear = async ({ type, body }: ToHost, link: ViewLink): Promise<void> => {
    await whenOpen();
    const handle = handlers[type] as ((body: unknown, link: ViewLink) => unknown) | undefined;
    await handle?.(body, link);
  };
  return {
    connect(post) {
      const link = chat.connect(post);
      return {
        receive: (message) => hear(message, link),
        pause: () => link.pause(),
        close: () => chat.disconnect(link),
      };
    },
    newChat,
    takeOffer,
    stop: () => turns.stop(),
    hear(lines) {
      if (store.conversation) chat.hear(store.conversation, lines);
    },
    notify: setNotice,
    answerText: (answerId) => chat.tree.get(answerId)?.text,
    dispose() {
      turns.dispose();
      activeChanged.dispose();
      listing.dispose();
      store.dispose();
    },
  };
}
