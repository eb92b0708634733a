import type { ChatOffer } from "../../session/connection/handoff.ts";
import type { AnswerMessage } from "../protocol/chatMessages.ts";
import type { ToHost, ToHostType, ToView } from "../protocol/chatProtocol.ts";
import type { ChatSettings } from "../protocol/chatSettings.ts";
import type {
  ChatNotice,
  ChatState,
  CurrentFile,
  QuestionDraft,
  ViewSettings,
} from "../protocol/chatState.ts";
import { withItsAgent } from "../protocol/chatUsable.ts";
import type { AttachmentDraft } from "./attachments/attachmentDraft.ts";
import type { EditorSources } from "./attachments/sources/sources.ts";
import { type ChatParts, type ChatPartsDeps, createChatParts } from "./chatParts.ts";
import type { ModelPreferences } from "./controls.ts";
import type { LiveChat } from "./conversation/liveChat.ts";
import { answerIn } from "./conversation/messageTree.ts";
import type { ConversationStore } from "./history/conversationStore.ts";
import type { LogLine } from "./history/log/logEntry.ts";
import type { ViewLink } from "./view/viewLink.ts";

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
  /** Shows a notice above the conversation. */
  notify(notice: ChatNotice): void;
  configure(settings: ViewSettings): void;
  /** Suggests another file as an attachment. */
  offerFile(file: CurrentFile | null): void;
  /** Attachments of the question that is being written. */
  readonly attachments: AttachmentDraft;
  /** What the next request tells the model before the conversation: Markdown for the user. */
  toldText(): Promise<string>;
  /** The text of an answer as the model wrote it. */
  answerText(answerId: string): string | undefined;
  answer(answerId: string): AnswerMessage | undefined;
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

export function createChatController(deps: ChatPartsDeps): ChatController {
  return new Controller(deps);
}

class Controller implements ChatController {
  readonly #store: ConversationStore;
  readonly #parts: ChatParts;
  readonly #chat: LiveChat;
  readonly #handlers: Handlers;
  readonly #subscriptions: readonly { dispose(): void }[];
  #opened: Promise<void> | undefined;

  constructor(deps: ChatPartsDeps) {
    this.#store = deps.store;
    this.#parts = createChatParts(deps, () => this.newChat());
    this.#chat = this.#parts.chat;
    this.#handlers = {
      ...conversationHandlers(this.#parts, {
        send: (text, revision, after) => this.#send(text, revision, after),
        newChat: () => this.newChat(),
        stop: () => this.stop(),
      }),
      ...settingHandlers(this.#parts, deps.preferences),
      ...attachmentHandlers(this.#parts, deps.editor),
    };
    this.#subscriptions = [
      sendHeartbeats(this.#chat, this.#store),
      deps.session.onDidChangeActive(() => {
        if (this.#opened) void this.#parts.listing.load();
      }),
    ];
  }

  get attachments(): AttachmentDraft {
    return this.#parts.attachments;
  }

  connect(post: (message: ToView) => void): ChatConnection {
    const link = this.#chat.connect(post);
    return {
      receive: (message) => this.#receive(message, link),
      pause: () => link.pause(),
      close: () => this.#chat.disconnect(link),
    };
  }

  async newChat(): Promise<void> {
    await this.#whenOpen();
    await this.#end();
    this.#parts.answers.stop();
    this.#chat.open(this.#store.create().conversation);
    this.#parts.offers.update();
  }

  async openChat(id: string): Promise<void> {
    await this.#whenOpen();
    if (this.#store.conversation?.id === id) return;
    this.#parts.answers.stop();
    this.#parts.queue.hold();
    // The changes of a running call belong to its own conversation.
    await Promise.all([this.#parts.rounds.leave(), this.#parts.agentRuns?.whenStopped()]);
    // Something may have been sent while files were written.
    this.#parts.answers.stop();
    const { conversation, notice } = await this.#store.open(id);
    this.#chat.open(conversation, notice);
  }

  async takeOffer(offer: ChatOffer): Promise<void> {
    await this.#whenOpen();
    await this.#parts.offers.take(offer);
  }

  stop(): void {
    void this.#end();
  }

  async #end(): Promise<void> {
    this.#parts.answers.stop();
    this.#parts.queue.hold();
    await Promise.all([this.#parts.rounds.stop(), this.#parts.agentRuns?.whenStopped()]);
  }

  async tryAgain(): Promise<void> {
    await this.#parts.listing.load();
    const { problem, draft } = this.#chat.state;
    if (problem?.answerId) await this.#parts.answers.regenerate(problem.answerId);
    else if (problem) await this.#send(draft.text, draft.revision);
  }

  handle(lines: readonly LogLine[]): void {
    if (this.#store.conversation) this.#chat.handle(this.#store.conversation, lines);
  }

  notify(notice: ChatNotice): void {
    this.#chat.set({ notice });
  }

  configure(viewSettings: ViewSettings): void {
    this.#chat.set({ viewSettings });
  }

  offerFile(currentFile: CurrentFile | null): void {
    if (currentFile?.uri !== this.#chat.state.currentFile?.uri) this.#chat.set({ currentFile });
  }

  async toldText(): Promise<string> {
    await this.#whenOpen();
    return this.#parts.toldText();
  }

  answerText(answerId: string): string | undefined {
    return this.#chat.tree.get(answerId)?.text;
  }

  answer(answerId: string): AnswerMessage | undefined {
    return answerIn(this.#chat.tree, answerId);
  }

  dispose(): void {
    for (const one of this.#subscriptions) one.dispose();
    const written = this.#parts.dispose();
    if (written) void written.then(() => this.#store.dispose());
    else this.#store.dispose();
  }

  #whenOpen(): Promise<void> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async #open(): Promise<void> {
    const { conversation, notice } = await this.#store.openLast();
    this.#chat.open(conversation, notice);
    this.#parts.load();
  }

  async #receive({ type, body }: ToHost, link: ViewLink): Promise<void> {
    await this.#whenOpen();
    const handle = this.#handlers[type] as ((body: unknown, link: ViewLink) => unknown) | undefined;
    await handle?.(body, link);
  }

  /** Sends the typed question, or queues it while an answer is running. */
  async #send(text: string, revision: number, after = false): Promise<void> {
    const { answers, queue } = this.#parts;
    if (this.#chat.state.busy || answers.isGoingOn) queue.addDraft(text, revision, after);
    else await answers.send(text, { revision });
  }
}

/** Interval in milliseconds of heartbeats to other windows and of checks for theirs. */
const heartbeatMs = 3000;

function sendHeartbeats(chat: LiveChat, store: ConversationStore): { dispose(): void } {
  const timer = setInterval(() => {
    if (chat.state.busy) store.sendHeartbeat();
    chat.settleOrphaned();
  }, heartbeatMs).unref();
  return { dispose: () => clearInterval(timer) };
}

interface Actions {
  send(text: string, revision: number, after?: boolean): Promise<void>;
  newChat(): Promise<void>;
  stop(): void;
}

function conversationHandlers(parts: ChatParts, { send, newChat, stop }: Actions): Handlers {
  const { chat, answers, attachments, queue, rounds, offers, agent } = parts;
  const setDraft = (draft: QuestionDraft) => {
    if (draft.revision > chat.state.draft.revision) chat.set({ draft });
  };
  // Its steps have names of its own, which may be those of tools here.
  const isOfAgent = (answerId: string) => answerIn(chat.tree, answerId)?.agent !== undefined;
  return {
    ready({ draft }, link) {
      if (draft) setDraft(draft);
      link.hydrate();
    },
    resync: (_, link) => link.hydrate(),
    ack: ({ epoch, seq }, link) => link.acknowledge(epoch, seq),
    draft: ({ draft }) => setDraft(draft),
    send: ({ text, revision, after }) => send(text, revision, after),
    queued: ({ questionId, action }) => queue[action](questionId),
    edit: ({ questionId, text }) => answers.edit(questionId, text),
    retry: ({ answerId, modelId }) =>
      answerId
        ? answers.regenerate(answerId, modelId)
        : send(chat.state.draft.text, chat.state.draft.revision),
    async sendAsText() {
      if (await attachments.allAsText()) await send(chat.state.draft.text, chat.state.draft.revision);
    },
    withoutTools() {
      const { mode: _, agent: __, tools: ___, ...settings } = chat.state.settings;
      chat.set({ settings });
    },
    decideCall({ answerId, callId, decision, reason }) {
      if (isOfAgent(answerId)) return void parts.agentRuns?.decide(answerId, callId, decision, reason);
      // A call of a subagent names that in place of the answer.
      if (!parts.subagents.decide(answerId, callId, decision, reason))
        rounds.decide(answerId, callId, decision, reason);
    },
    chooseNetwork({ answerId, callId, network }) {
      if (!isOfAgent(answerId)) rounds.chooseNetwork(answerId, callId, network);
    },
    giveResult({ answerId, callId, result }) {
      if (!isOfAgent(answerId)) rounds.give(answerId, callId, result);
    },
    goOn({ answerId }) {
      rounds.goOn(answerId);
      return answers.continueAnswer(answerId);
    },
    showBranch({ messageId }) {
      if (chat.tree.get(messageId)) chat.show(chat.tree.newestLeaf(messageId));
    },
    showEarlier: () => chat.showEarlier(),
    stop,
    newChat,
    start: ({ text }) => offers.start(text),
    dismissNotice: () => chat.set({ notice: null }),
    rewind: ({ questionId, scope }) => agent.rewind(questionId, scope),
    undoRewind: () => agent.undoRewind(),
    stopCommand: ({ id }) => agent.stopCommand(id),
    stopSubagent: ({ id }) => parts.subagents.stop(id),
    setPlan: ({ plan }) => agent.setPlan(plan),
    startPlan: () => startPlan(parts),
  };
}

const startText = "Carry out the plan.";

/** The plan is as the user has read it or written it. A change by the user goes along with the next request. */
async function startPlan({ chat, answers, loadGuidance }: ChatParts): Promise<void> {
  const { busy, plan, settings: before } = chat.state;
  if (busy || plan === null || before.mode !== "plan") return;
  const { customMode: _, agent: __, ...settings } = before;
  chat.set({ settings: { ...settings, mode: "agent" } });
  // The file of the mode is one of those that are sent.
  if (before.customMode !== undefined) await loadGuidance();
  const isSent = await answers.send(startText, { attachments: [] });
  if (!isSent && chat.state.settings.mode === "agent") chat.set({ settings: before });
}

function settingHandlers(
  { chat, agentChoice, listing, controls, loadGuidance, setServer }: ChatParts,
  preferences: ModelPreferences,
): Handlers {
  return {
    pickModel: ({ modelId }) => listing.pick(modelId),
    compare: ({ modelIds }) => controls.compare(modelIds),
    favour: ({ modelId, isFavourite }) => controls.favour(modelId, isFavourite),
    setSettings({ settings: given }) {
      const settings = withItsAgent(given);
      const isOtherMode = settings.customMode !== chat.state.settings.customMode;
      chat.set({ settings, ...suggestedModel(chat.state, settings) });
      // The file of the mode is one of those that are sent.
      if (isOtherMode) void loadGuidance();
    },
    chooseAgent: ({ name }) => agentChoice.choose(name),
    findAgents: () => agentChoice.load(),
    toolServer: ({ id, action }) => setServer(id, action),
    applyPreset: (preset) => controls.applyPreset(preset),
    savePreset: () => controls.savePreset(),
    openPresets: () => preferences.openPresets(),
    reloadModels: () => listing.load(),
    readNames: () => listing.readNames(),
  };
}

/** A mode of the workspace can suggest a model. The user chooses it, because it may cost more. */
function suggestedModel(
  { settings: before, customModes }: ChatState,
  { customMode }: ChatSettings,
): Pick<ChatState, "notice"> | undefined {
  if (customMode === undefined || customMode === before.customMode) return undefined;
  const mode = customModes.find(({ id }) => id === customMode);
  if (mode?.model === undefined) return undefined;
  const text = `The mode ${mode.name} suggests the model ${mode.model}. The model stays as it is unless you choose another one.`;
  return { notice: { text } };
}

function attachmentHandlers({ chat, attachments }: ChatParts, editor: EditorSources): Handlers {
  return {
    attach: ({ request }) => attachments.attach(request),
    async attachPick() {
      for (const request of await editor.pick()) await attachments.attach(request);
    },
    attachFile: ({ name, bytes }) => attachments.addFile(name, bytes),
    detach: ({ attachmentId }) => attachments.remove(attachmentId),
    setWay: ({ attachmentId, way }) => attachments.setMode(attachmentId, way),
    scaled: ({ attachmentId, bytes }) => attachments.scaled(attachmentId, bytes),
    unreadable: ({ attachmentId }) => attachments.scaled(attachmentId, new Uint8Array()),
    mention: ({ query }) => attachments.suggest(query),
    dismissAttachmentNotice: () => chat.set({ attachmentNotice: null }),
  };
}
