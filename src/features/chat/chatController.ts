import { explainInterrupted } from "../../platform/errorMessage.ts";
import type { ChatOffer } from "../../session/handoff.ts";
import type { Session } from "../../session/session.ts";
import type { ToHost, ToHostType, ToView } from "../../shared/chatProtocol.ts";
import type { CurrentFile, QuestionDraft, ViewSettings } from "../../shared/chatState.ts";
import { estimateTokens } from "../../shared/tokenEstimate.ts";
import { type AttachmentDraft, createAttachmentDraft } from "./attachments/attachmentDraft.ts";
import type { BlobStore } from "./attachments/blobStore.ts";
import { createContextGauge } from "./attachments/contextGauge.ts";
import { createFitPath, createOutgoing } from "./attachments/outgoing.ts";
import type { EditorSources } from "./attachments/sources.ts";
import { createControls, type ModelPreferences } from "./controls.ts";
import { createFormerService, type FormerServiceDeps } from "./formerService.ts";
import type { ConversationStore } from "./history/conversationStore.ts";
import type { LogLine } from "./history/logEntry.ts";
import { createLiveChat } from "./liveChat.ts";
import { createModelListing, type ModelListingDeps } from "./modelListing.ts";
import { createOffers } from "./offers.ts";
import { createQuestionQueue } from "./questionQueue.ts";
import { createToolList, type ToolSource } from "./tools/toolList.ts";
import { createToolRounds } from "./tools/toolRounds.ts";
import { createTurns, type Turns } from "./turns.ts";
import type { ViewLink } from "./viewLink.ts";

export interface ChatControllerDeps {
  readonly session: Pick<Session, "active" | "client" | "onDidChangeActive">;
  readonly store: ConversationStore;
  readonly rememberedModels: ModelListingDeps["remembered"];
  /** Contents of attachments by hash. */
  readonly blobs: BlobStore;
  readonly editor: EditorSources;
  readonly kept: ModelPreferences;
  readonly tools: ToolSource;
  readonly onBusy: (busy: boolean) => void;
  readonly onAnswered: () => void;
  /** Asks the user; resolves to true if the user agrees. */
  readonly confirm: (question: string, yes: string) => Promise<boolean>;
  readonly choose: FormerServiceDeps["choose"];
  readonly report: (error: unknown) => void;
}

/** Connection to one view. It handles the view's messages; replies go through the `post` it was opened with. */
interface ChatConnection {
  receive(message: ToHost): Promise<void>;
  /** The view is hidden: it gets no updates until it sends `ready` again. */
  pause(): void;
  close(): void;
}

/** The chat without its user interface: one conversation, one answer at a time, any number of views. */
export interface ChatController {
  connect(post: (message: ToView) => void): ChatConnection;
  newChat(): Promise<void>;
  /** Shows another conversation. Throws if it can't be read. */
  openChat(id: string): Promise<void>;
  stop(): void;
  /** Resends the question that failed, after the models are loaded again. */
  tryAgain(): Promise<void>;
  /** Another window has written to the conversation. */
  handle(lines: readonly LogLine[]): void;
  /** A question from another feature: sent at once in a new chat, or appended to the text in the prompt. */
  takeOffer(offer: ChatOffer): Promise<void>;
  /** Shows a notice above the conversation until it is dismissed. */
  notify(notice: string): void;
  configure(settings: ViewSettings): void;
  /** Suggests another file as an attachment. */
  offerFile(file: CurrentFile | null): void;
  /** Attachments of the question that is being written. */
  readonly attachments: AttachmentDraft;
  /** The text of an answer as the model wrote it. */
  answerText(answerId: string): string | undefined;
  /** Aborts all requests and writes pending changes to disk before it returns. */
  dispose(): void;
}

/** Handlers of view messages that need no editor, by message type. */
type Handlers = {
  readonly [Type in ToHostType]?: (
    body: Extract<ToHost, { readonly type: Type }>["body"],
    link: ViewLink,
  ) => void | Promise<void>;
};

/** Interval in milliseconds of heartbeats to other windows and of checks for theirs. */
const signEveryMs = 3000;

export function createChatController(deps: ChatControllerDeps): ChatController {
  const { session, store, report } = deps;
  let opened: Promise<void> | undefined;
  const chat = createLiveChat({
    record: store.append,
    onChange() {
      gauge.look();
      queue.look();
    },
    onBusy: deps.onBusy,
    interrupted: explainInterrupted,
    isOrphaned: store.isOrphaned,
  });
  const signs = setInterval(() => {
    if (chat.state.busy) store.giveSign();
    chat.settleOrphaned();
  }, signEveryMs).unref();
  const listing = createModelListing({
    session,
    remembered: deps.rememberedModels,
    onChange(patch) {
      chat.set(patch);
      offers.look();
    },
  });
  const cardOf = (model: string) => {
    const { models } = chat.state;
    return models.status === "ready" ? models.cards.find(({ id }) => id === model) : undefined;
  };
  const fitPath = createFitPath(() => estimateTokens(chat.state.settings.system ?? ""));
  const gauge = createContextGauge({ chat, cardOf, fitPath });
  const outgoing = createOutgoing({ blobs: deps.blobs, cardOf, fitPath });
  const controls = createControls({ chat, listing, kept: deps.kept });
  const toolList = createToolList(chat, deps.tools);
  const rounds = createToolRounds({
    chat,
    tools: () => toolList.all,
    approvals: deps.tools.approvals,
    connectionId: () => session.active?.id,
    next: (answerId) => void turns.goRound(answerId),
  });
  const former = createFormerService({ chat, session, store, newChat: () => newChat(), choose: deps.choose });
  const turns: Turns = createTurns({
    chat,
    session,
    report,
    outgoing,
    promptTokens: () => gauge.read().tokens,
    cardOf,
    confirm: deps.confirm,
    mayHear: former.mayReceive,
    onAnswered: deps.onAnswered,
    onAsked(models) {
      // A new question makes pending tool calls obsolete.
      rounds.stop();
      controls.asked(models);
    },
    tools: () => toolList.all,
    onCalls: rounds.begin,
  });
  const queue = createQuestionQueue({
    chat,
    send: (text, along) => turns.send(text, { attachments: along }),
  });
  const { blobs, editor } = deps;
  const attachments = createAttachmentDraft({ chat, session, blobs, editor, report });
  const offers = createOffers({
    chat,
    editor,
    attachments,
    queue,
    newChat: () => newChat(),
    send: turns.send,
  });
  const activeChanged = session.onDidChangeActive(() => {
    if (opened) void listing.load();
  });

  const open = async () => {
    const { conversation, notice } = await store.openLast();
    chat.open(conversation, notice);
    controls.load();
    void toolList.load().catch(report);
    void listing.load();
  };
  const whenOpen = () => {
    opened ??= open();
    return opened;
  };
  const setDraft = (draft: QuestionDraft) => {
    if (draft.revision > chat.state.draft.revision) chat.set({ draft });
  };
  const stop = () => {
    turns.stop();
    rounds.stop();
    queue.hold();
  };
  /** Sends the typed question, or queues it while an answer is running. */
  const send = async (text: string, revision: number) => {
    if (chat.state.busy) queue.addDraft(text, revision);
    else await turns.send(text, { revision });
  };
  const setNotice = (notice: string | null) => chat.set({ notice });
  const newChat = async () => {
    await whenOpen();
    stop();
    chat.open(store.create().conversation);
    offers.look();
  };
  const openChat = async (id: string) => {
    await whenOpen();
    if (store.conversation?.id === id) return;
    turns.stop();
    queue.hold();
    const { conversation, notice } = await store.open(id);
    chat.open(conversation, notice);
  };
  const retry = ({ answerId, modelId }: Parameters<NonNullable<Handlers["retry"]>>[0]) => {
    if (answerId) return turns.regenerate(answerId, modelId);
    return send(chat.state.draft.text, chat.state.draft.revision);
  };
  const handlers: Handlers = {
    ready({ draft }, link) {
      if (draft) setDraft(draft);
      link.hydrate();
    },
    resync: (_, link) => link.hydrate(),
    ack: ({ epoch, seq }, link) => link.acknowledge(epoch, seq),
    draft: ({ draft }) => setDraft(draft),
    send: ({ text, revision }) => send(text, revision),
    queued: ({ questionId, action }) => queue[action](questionId),
    edit: ({ questionId, text }) => turns.edit(questionId, text),
    retry,
    decideCall: ({ answerId, callId, decision }) => rounds.decide(answerId, callId, decision),
    giveResult: ({ answerId, callId, result }) => rounds.give(answerId, callId, result),
    goOn: ({ answerId }) => turns.continueAnswer(answerId),
    showBranch: ({ messageId }) => turns.showBranch(messageId),
    showEarlier: () => chat.showEarlier(),
    stop,
    newChat: () => newChat(),
    start: ({ text }) => offers.start(text),
    pickModel: ({ modelId }) => listing.pick(modelId),
    compare: ({ modelIds }) => controls.compare(modelIds),
    favour: ({ modelId, isFavourite }) => controls.favour(modelId, isFavourite),
    setSettings: ({ settings }) => chat.set({ settings }),
    applyPreset: (preset) => controls.applyPreset(preset),
    savePreset: () => controls.savePreset(),
    openPresets: () => deps.kept.openPresets(),
    reloadModels: () => listing.load(),
    dismissNotice: () => setNotice(null),
    attach: ({ request }) => attachments.attach(request),
    async attachPick() {
      for (const request of await deps.editor.pick()) await attachments.attach(request);
    },
    attachFile: ({ name, bytes }) => attachments.addFile(name, bytes),
    detach: ({ attachmentId }) => attachments.remove(attachmentId),
    setWay: ({ attachmentId, way }) => attachments.setWay(attachmentId, way),
    scaled: ({ attachmentId, bytes }) => attachments.scaled(attachmentId, bytes),
    unreadable: ({ attachmentId }) => attachments.scaled(attachmentId, new Uint8Array()),
    mention: ({ query }) => attachments.suggest(query),
    dismissAttachmentNotice: () => chat.set({ attachmentNotice: null }),
  };
  const receive = async ({ type, body }: ToHost, link: ViewLink): Promise<void> => {
    await whenOpen();
    const handle = handlers[type] as ((body: unknown, link: ViewLink) => unknown) | undefined;
    await handle?.(body, link);
  };
  return {
    connect(post) {
      const link = chat.connect(post);
      return {
        receive: (message) => receive(message, link),
        pause: () => link.pause(),
        close: () => chat.disconnect(link),
      };
    },
    newChat,
    openChat,
    async takeOffer(offer) {
      await whenOpen();
      await offers.take(offer);
    },
    stop,
    async tryAgain() {
      await listing.load();
      if (chat.state.problem) await retry(chat.state.problem);
    },
    handle(lines) {
      if (store.conversation) chat.handle(store.conversation, lines);
    },
    notify: setNotice,
    configure: (viewSettings) => chat.set({ viewSettings }),
    offerFile(currentFile) {
      if (currentFile?.uri !== chat.state.currentFile?.uri) chat.set({ currentFile });
    },
    attachments,
    answerText: (answerId) => chat.tree.get(answerId)?.text,
    dispose() {
      clearInterval(signs);
      turns.dispose();
      attachments.dispose();
      gauge.dispose();
      former.dispose();
      offers.dispose();
      activeChanged.dispose();
      controls.dispose();
      toolList.dispose();
      listing.dispose();
      store.dispose();
    },
  };
}
