import { explainInterrupted } from "../../platform/errors/errorMessage.ts";
import type { BlobStore } from "../../platform/files/blobStore.ts";
import { receiverOf } from "../../session/connection/baseUrl.ts";
import type { Session } from "../../session/session.ts";
import { namedModel } from "../../shared/chat/modelNames.ts";
import { isLocalModel } from "../../shared/web/modelServer.ts";
import type { ServerAction } from "../protocol/chatProtocol.ts";
import { AgentRuns, type AgentRunsDeps } from "./acp/agentRuns.ts";
import type { AgentWindow } from "./acp/agentWindow.ts";
import { AgentChoice, type AgentChoiceDeps } from "./agent/agentChoice.ts";
import { type AgentControls, type AgentControlsDeps, createAgentControls } from "./agent/agentControls.ts";
import { createLastRound } from "./agent/lastRound.ts";
import { type Answers, createAnswers } from "./answer/answers.ts";
import { sentResultTokens } from "./answer/sentResults.ts";
import { type AttachmentDraft, createAttachmentDraft } from "./attachments/attachmentDraft.ts";
import type { EditorSources } from "./attachments/sources/sources.ts";
import { type ChatControls, createControls, type ModelPreferences } from "./controls.ts";
import { createLiveChat, type LiveChat } from "./conversation/liveChat.ts";
import { createQuestionQueue, type QuestionQueue } from "./conversation/questionQueue.ts";
import type { ConversationStore } from "./history/conversationStore.ts";
import { createFormerService, type FormerServiceDeps } from "./model/formerService.ts";
import { ModelListing, type ModelListingDeps } from "./model/modelListing.ts";
import { ChatPrompt, type PromptSource } from "./prompt/chatPrompt.ts";
import { createOffers, type Offers } from "./start/offers.ts";
import { Subagents, withSubagents } from "./subagents/subagents.ts";
import { ChatHooks } from "./tools/hooks/chatHooks.ts";
import { createToolRounds, type ToolRounds } from "./tools/rounds/toolRounds.ts";
import { createToolList, type ToolSource } from "./tools/toolList.ts";

export interface ChatPartsDeps {
  readonly session: Pick<Session, "active" | "client" | "documents" | "spend" | "onDidChangeActive">;
  readonly store: ConversationStore;
  readonly rememberedModels: ModelListingDeps["remembered"];
  /** Contents of attachments by hash. */
  readonly blobs: BlobStore;
  readonly editor: EditorSources;
  readonly preferences: ModelPreferences;
  readonly tools: ToolSource;
  /** The window and its workspace for the system prompt; undefined without a window. */
  readonly prompt?: PromptSource;
  readonly changes: AgentControlsDeps["changes"];
  readonly askAboutOthers: AgentControlsDeps["askAboutOthers"];
  readonly runs: AgentControlsDeps["runs"];
  /** The agents of this machine; absent where none can be started. */
  readonly agents?: AgentChoiceDeps["agents"];
  readonly onDidReturn?: NonNullable<AgentControlsDeps["onDidReturn"]>;
  /** The window for other agents; undefined where none can be started. */
  readonly agentWindow?: AgentWindow;
  readonly onBusy: (busy: boolean) => void;
  readonly onAnswered: () => void;
  /** A task waits for the user: for a decision about a call, or because it has stopped. */
  readonly onWaiting?: (summary: string) => void;
  /** A task has ended, with this answer. */
  readonly onEnded?: (answer: string) => void;
  /** Asks the user; resolves to true if the user agrees. */
  readonly confirm: (question: string, yes: string) => Promise<boolean>;
  readonly choose: FormerServiceDeps["choose"];
  readonly report: (error: unknown) => void;
}

/** The parts of one chat, connected to each other. */
export interface ChatParts {
  readonly chat: LiveChat;
  readonly agent: AgentControls;
  readonly agentChoice: AgentChoice;
  readonly answers: Answers;
  /** The answers of other agents; undefined where none can be started. */
  readonly agentRuns?: AgentRuns | undefined;
  readonly attachments: AttachmentDraft;
  readonly controls: ChatControls;
  readonly listing: ModelListing;
  readonly offers: Offers;
  readonly queue: QuestionQueue;
  readonly rounds: ToolRounds;
  /** What the next request tells the model before the conversation, and its tools: Markdown for the user. */
  toldText(): Promise<string>;
  /** Reads again which files of the workspace tell the model something. */
  loadGuidance(): Promise<void>;
  readonly subagents: Pick<Subagents, "decide" | "stop">;
  /** Starts or stops a server of tools. */
  setServer(id: string, action: ServerAction): void;
  /** Loads presets, tools and models. */
  load(): void;
  /** Aborts all work. The promise resolves once no file is being changed; undefined if none is. */
  dispose(): Promise<void> | undefined;
}

function liveChatOf({ store, onBusy }: ChatPartsDeps, onChange: () => void): LiveChat {
  const { append: record, isOrphaned } = store;
  return createLiveChat({ record, isOrphaned, onBusy, onChange, interrupted: explainInterrupted });
}

/** Dependencies of the calls of a task, which its subagents share. */
function callingOf({ session, blobs, tools: { approvals, hooks, trees } }: ChatPartsDeps, chat: LiveChat) {
  /** By the context of the model and the number of calls in the round. */
  const maxTokens = (model: string, count: number) =>
    sentResultTokens(cardOf(chat, model)?.contextTokens, count);
  return {
    ...{ approvals, trees, windowHooks: hooks, givenAt: new Map<string, number>() },
    results: { blobs, maxTokens },
    connectionId: () => session.active && receiverOf(session.active),
    cardOf: (model: string) => cardOf(chat, model),
  };
}

function whenAll(endings: readonly (Promise<void> | undefined)[]): Promise<void> | undefined {
  return endings.some((ending) => ending) ? Promise.all(endings).then(() => {}) : undefined;
}

function agentRunsOf(
  { agentWindow: window, onWaiting = () => {}, session, blobs, report, tools }: ChatPartsDeps,
  parts: Pick<AgentRunsDeps, "chat" | "cardOf" | "onAnswered" | "onTaskEnded">,
): AgentRuns | undefined {
  if (!window) return undefined;
  const { onRunChanged = () => {} } = tools;
  const own = { window, session, blobs, report, onWaiting, onStopped: onWaiting, onRunChanged };
  return new AgentRuns({ ...parts, ...own });
}

/** `newChat` opens an empty conversation. */
export function createChatParts(deps: ChatPartsDeps, newChat: () => Promise<void>): ChatParts {
  const { session, store, blobs, editor, report, preferences, confirm } = deps;
  const chat = liveChatOf(deps, () => {
    answers.updateContext();
    for (const part of [agentRuns, queue, agent]) part?.update();
  });
  const agent = createAgentControls({ ...deps, chat });
  const listing = new ModelListing({
    session,
    remembered: deps.rememberedModels,
    onChange(patch) {
      chat.set(patch);
      offers.update();
    },
  });
  const controls = createControls({ chat, listing, preferences });
  const tools = () => prompt.narrowed(toolList.all);
  const calling = callingOf(deps, chat);
  const subagents = new Subagents({ ...deps, ...calling, parent: chat, prompt: deps.prompt, tools });
  const toolList = createToolList(chat, withSubagents(deps.tools, subagents));
  const prompt = new ChatPrompt({ chat, source: deps.prompt, problems: deps.tools.problems });
  const hooks = deps.tools.hooks && new ChatHooks(chat, deps.tools.hooks);
  const rounds = createToolRounds({
    ...{ chat, tools, hooks, ...calling },
    ...(deps.onWaiting ? { onWaiting: deps.onWaiting } : {}),
    next: (...round) => void answers.sendResults(...round).then((isSent) => isSent || queue.hold(), report),
    onLimit: () => queue.hold(),
  });
  const former = createFormerService({ chat, session, store, newChat, choose: deps.choose });
  const onAnswered = createRelisting(chat, session, listing, deps.onAnswered);
  const sendNote: Answers["sendNote"] = (...note) => answers.sendNote(...note);
  const onTaskEnded = createLastRound(chat, { ...deps, hooks, sendNote });
  const agentRuns = agentRunsOf(deps, { chat, cardOf: calling.cardOf, onAnswered, onTaskEnded });
  const answers = createAnswers({
    ...{ chat, session, blobs, report, prompt, confirm, onAnswered, onTaskEnded },
    ...{ mayReceive: former.mayReceive, cardOf: calling.cardOf },
    join: (...waiting) => queue.join(...waiting),
    settled: () => rounds.settled(),
    ...(agentRuns ? { agentRuns } : {}),
    ...(deps.onWaiting ? { onStopped: deps.onWaiting } : {}),
    onAsked(models) {
      // A new question makes pending tool calls obsolete.
      void rounds.stop();
      controls.asked(models);
    },
    tools: () => toolList.read(),
    onCalls: (answerId, calls, offered) => rounds.begin(answerId, calls, offered),
  });
  const send: Answers["send"] = (text, options) => answers.send(text, options);
  const queue = createQuestionQueue({ chat, send });
  const attachments = createAttachmentDraft({ chat, session, blobs, editor, report });
  const agentChoice = new AgentChoice({ chat, agents: deps.agents, report });
  const offers = createOffers({ chat, editor, attachments, queue, newChat, send, agentChoice });
  return {
    ...{ chat, agent, agentChoice, agentRuns, answers, attachments },
    ...{ controls, listing, offers, queue, rounds, subagents },
    toldText: async () => prompt.toldText(await toolList.read()),
    loadGuidance: () => prompt.load(),
    setServer: (id, action) => void deps.tools.setServer?.(id, action),
    load() {
      controls.load();
      agentChoice.load();
      void toolList.load().catch(report);
      void prompt.load();
      void listing.load();
    },
    dispose() {
      hooks?.dispose();
      const written = whenAll([rounds.dispose(), agentRuns?.endNow()]);
      for (const part of [agent, answers, attachments, former, offers, controls, toolList, listing, prompt])
        part.dispose();
      return written;
    },
  };
}

/**
 * Lists the models again after the first answer of each model on this machine: only now its server knows the size of the
 * context that it runs with.
 */
function createRelisting(
  chat: LiveChat,
  session: Pick<Session, "active">,
  listing: ModelListing,
  onAnswered: () => void,
): () => void {
  const listed = new Set<string>();
  return () => {
    onAnswered();
    const { modelId } = chat.state;
    if (
      session.active?.kind !== "sandbox" ||
      modelId === null ||
      !isLocalModel(modelId) ||
      listed.has(modelId)
    )
      return;
    listed.add(modelId);
    void listing.load();
  };
}

function cardOf({ state: { models, names } }: LiveChat, model: string) {
  return namedModel(models, names, model).card;
}
