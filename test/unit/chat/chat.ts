// The base of all chat tests: a sandbox, a chat with its own folder of files, and a view.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Disposable } from "vscode";
import type { AgentPlaces } from "../../../src/agents/agentPlaces.ts";
import { createApi } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { Model } from "../../../src/api/endpoints/models.ts";
import type { SpendSource } from "../../../src/api/money/charge.ts";
import { table } from "../../../src/api/table.ts";
import { createHostTransport } from "../../../src/api/transport/host.ts";
import type { AgentWindow } from "../../../src/chat/host/acp/agentWindow.ts";
import type { AgentControlsDeps } from "../../../src/chat/host/agent/agentControls.ts";
import type { EditorSources } from "../../../src/chat/host/attachments/sources/sources.ts";
import { type ChatController, createChatController } from "../../../src/chat/host/chatController.ts";
import { type ModelPreferences, readPresets } from "../../../src/chat/host/controls.ts";
import { createConversationStore } from "../../../src/chat/host/history/conversationStore.ts";
import type { PromptSource } from "../../../src/chat/host/prompt/chatPrompt.ts";
import type { ChatTool } from "../../../src/chat/host/tools/tool.ts";
import type { ToolSource } from "../../../src/chat/host/tools/toolList.ts";
import type { AnswerMessage } from "../../../src/chat/protocol/chatMessages.ts";
import { emptyReplica, receive } from "../../../src/chat/protocol/chatOps.ts";
import type { ToHost, ToHostType, ToView } from "../../../src/chat/protocol/chatProtocol.ts";
import type { ChatState } from "../../../src/chat/protocol/chatState.ts";
import { createBlobStore } from "../../../src/platform/files/blobStore.ts";
import { parseDocument } from "../../../src/sandbox/documents/parseDocument.ts";
import type { Connection } from "../../../src/session/connection/connection.ts";
import type { Consents } from "../../../src/session/consent/consents.ts";
import { ModelNameLists } from "../../../src/session/modelNameLists.ts";
import type { Client } from "../../../src/session/session.ts";
import type { Spend } from "../../../src/session/spend/spend.ts";
import { nothing } from "../../../src/shared/money/amounts.ts";
import { Counted } from "../../../src/shared/money/budgetRule.ts";
import { startTestSandbox, type TestSandbox, type TestSandboxOptions } from "../../serviceKit/testSandbox.ts";
import { openConsents } from "../session/openConsents.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

export interface TestChat {
  readonly controller: ChatController;
  /** The conversation files, by name. */
  files(): Readonly<Record<string, string>>;
  readonly reported: unknown[];
  readonly client: () => Promise<Client>;
  /** The questions to the user; `confirms` answers them. */
  readonly questions: string[];
  /** Makes this connection the active one; the same service answers. */
  switchTo(connection: Pick<Connection, "id" | "name"> & Partial<Connection>): void;
  /** Another chat over the same files, as after a reload of the window. */
  reopen(): TestChat;
}

export interface TestService {
  readonly sandbox: TestSandbox;
  /** The state that the editor stores for this window and this user. */
  readonly remembered: Map<string, string>;
  /** What the user has allowed, in all windows. */
  readonly consents?: Consents;
}

/** A test, or what else ends what was opened. */
export interface Ends {
  after(work: () => unknown): void;
}

/** A sandbox without a limit of speed. */
export async function serveChat(t: Ends, options: TestSandboxOptions = {}): Promise<TestService> {
  const pages = [{ title: "Chat", text: "# Chat\n\nIt answers.\n" }];
  const sandbox = await startTestSandbox({ tokensPerSecond: 1e6, limits: "none", pages, ...options });
  t.after(() => sandbox.close());
  return { sandbox, remembered: new Map(), consents: openConsents() };
}

/** An editor without files. */
export const emptyEditor: EditorSources = {
  find: async () => "There is nothing.",
  nameOf: (uri) => uri,
  suggest: async () => [],
  pick: async () => [],
  confirm: async () => false,
  askPassword: async () => undefined,
  readsDocumentsHere: () => false,
  facts: () => ({ problems: { errors: 0, warnings: 0 } }),
  onDidChangeFacts: () => ({ dispose() {} }),
};

export interface OpenOptions {
  /** That of the service; `standard` if absent. */
  readonly dialect?: keyof typeof dialects;
  /** A client in place of one of the service. */
  readonly api?: Client["api"];
  readonly folder?: string;
  readonly confirms?: boolean;
  /** Runs while a question to the user is open. */
  readonly onConfirm?: () => Promise<void>;
  /** The button to press if there are several. */
  readonly chooses?: string;
  readonly editor?: EditorSources;
  readonly tools?: readonly ChatTool[];
  readonly prompt?: PromptSource;
  /** The tools and instructions of an editor, in place of `tools`. */
  readonly source?: ToolSource;
  readonly onWaiting?: (reason: string) => void;
  readonly onRunChanged?: () => void;
  readonly onEnded?: (answer: string) => void;
  readonly changes?: AgentControlsDeps["changes"];
  readonly runs?: AgentControlsDeps["runs"];
  readonly agents?: Pick<AgentPlaces, "offers">;
  readonly agentWindow?: AgentWindow;
  /** A ledger, in place of one without entries. */
  readonly money?: { readonly spend: Spend; readonly prices: Client["prices"] };
}

const noChanges: AgentControlsDeps["changes"] = {
  load: () => Promise.reject(new Error("no file is changed here")),
  onDidLoad: () => ({ dispose() {} }),
};
const noRuns: AgentControlsDeps["runs"] = {
  list: [],
  onDidChange: () => ({ dispose() {} }),
  stop: () => "",
  forget() {},
};

function apiOf(
  { baseUrl, apiKey }: Pick<TestSandbox, "baseUrl" | "apiKey">,
  dialect: keyof typeof dialects,
): Client["api"] {
  return createApi(table, createHostTransport(), {
    baseUrl,
    apiKey: async () => apiKey,
    dialect: dialects[dialect],
    timeouts: { headersMs: 30_000, idleMs: 30_000 },
    random: () => 0,
  });
}

/** What a chat needs of its service and its window. */
type ChatService = Omit<TestService, "sandbox"> & {
  readonly sandbox: Pick<TestSandbox, "baseUrl" | "apiKey">;
};

export function openChat(t: Ends, service: ChatService, options: OpenOptions = {}): TestChat {
  const { folder = temporaryFolder(), confirms = true, editor = emptyEditor, tools = [], chooses } = options;
  const { sandbox, remembered, consents = openConsents() } = service;
  const { dialect = "standard" } = options;
  const connection: Connection = {
    id: "c1",
    name: "Test",
    kind: "live",
    baseUrl: sandbox.baseUrl,
    dialect,
  };
  const { api = apiOf(sandbox, dialect) } = options;
  const names = new ModelNameLists(() => api.models);
  const client: Client = {
    connection,
    api,
    root: sandbox.baseUrl,
    dialect: dialects[dialect],
    transport: "host",
    prices: options.money?.prices ?? {
      usdPerCredit: dialects[dialect].usdPerCredit,
      models: async () => new Map(),
      names: () => names.get(),
    },
  };
  let active = connection;
  const listeners = new Set<(active: Connection | undefined) => unknown>();
  const reported: unknown[] = [];
  const questions: string[] = [];
  const controller: ChatController = createChatController({
    session: {
      documents: async () => ({
        documentReader: {
          read: (bytes, password) => parseDocument(bytes, password === undefined ? {} : { password }),
        },
      }),
      get active() {
        return active;
      },
      client: async (source) => (options.money ? namedBy(client, source) : client),
      // Task caps have their own tests.
      spend: async () =>
        options.money?.spend ??
        ({ taskSpend: async () => ({ spent: nothing, claimed: Counted.zero }) } as unknown as Spend),
      onDidChangeActive(listener: (active: Connection | undefined) => unknown) {
        listeners.add(listener);
        return { dispose: () => void listeners.delete(listener) } as Disposable;
      },
    },
    store: createConversationStore({
      directory: folder,
      current: {
        get: () => remembered.get("current"),
        set: async (id) => void remembered.set("current", id),
      },
      onForeign: (lines) => controller.handle(lines),
      report: (error) => reported.push(error),
    }),
    rememberedModels: {
      get: (id) => remembered.get(`model ${id}`),
      isTyped: (id) =>
        remembered.has(`typed ${id}`) && remembered.get(`typed ${id}`) === remembered.get(`model ${id}`),
      set(id, modelId, isTyped) {
        remembered.set(`model ${id}`, modelId);
        if (isTyped) remembered.set(`typed ${id}`, modelId);
      },
    },
    blobs: createBlobStore(join(folder, "blobs")),
    editor,
    preferences: memoryOf(remembered),
    changes: options.changes ?? noChanges,
    askAboutOthers: async () => undefined,
    runs: options.runs ?? noRuns,
    ...(options.prompt ? { prompt: options.prompt } : {}),
    ...(options.agents ? { agents: options.agents } : {}),
    ...(options.agentWindow ? { agentWindow: options.agentWindow } : {}),
    tools: options.source ?? {
      read: async () => ({ tools }),
      onDidChange: () => ({ dispose() {} }),
      ...(options.onRunChanged ? { onRunChanged: options.onRunChanged } : {}),
      approvals: {
        mayRunUnasked: () => true,
        isAllowed: () => false,
        consents,
        runFileChanges: () => 0,
      },
    },
    confirm: async (question) => {
      questions.push(question);
      await options.onConfirm?.();
      return confirms;
    },
    choose: async (question, detail) => {
      questions.push(`${question} ${detail}`);
      await options.onConfirm?.();
      return chooses;
    },
    onBusy: () => {},
    onAnswered: () => {},
    ...(options.onWaiting ? { onWaiting: options.onWaiting } : {}),
    ...(options.onEnded ? { onEnded: options.onEnded } : {}),
    report: (error) => reported.push(error),
  });
  t.after(() => controller.dispose());
  return {
    controller,
    reported,
    questions,
    client: async () => client,
    switchTo(next) {
      active = { ...connection, ...next };
      for (const listener of listeners) listener(active);
    },
    files: () =>
      Object.fromEntries(
        readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name }) => [name, readFileSync(join(folder, name), "utf8")]),
      ),
    reopen: () => openChat(t, service, { ...options, folder }),
  };
}

/** The requests for answers name who makes them, as those of a session do. */
function namedBy(client: Client, source: SpendSource): Client {
  const { chat } = client.api;
  const stream: typeof chat.stream = (input, given) => chat.stream(input, { ...given, source });
  return { ...client, api: { ...client.api, chat: { ...chat, stream } } };
}

/** The editor's stored state, without presets. */
function memoryOf(remembered: Map<string, string>): ModelPreferences {
  return {
    presets: () => {
      const text = remembered.get("presets");
      return readPresets(text === undefined ? undefined : JSON.parse(text));
    },
    onDidChangePresets: () => ({ dispose() {} }),
    savePreset: async ({ settings }) =>
      void remembered.set("presets", JSON.stringify([{ name: "saved", ...settings }])),
    openPresets: async () => {},
    modelIds: (list) => JSON.parse(remembered.get(`list ${list}`) ?? "[]") as string[],
    setModelIds: (list, ids) => void remembered.set(`list ${list}`, JSON.stringify(ids)),
  };
}

/** The service of this chat with other records of models. */
export async function listing(chat: TestChat, records: readonly object[]): Promise<Client["api"]> {
  const { api } = await chat.client();
  const data = records.map((record) => Model.parse(record));
  return { ...api, models: { ...api.models, list: async () => ({ data }) } };
}

export interface TestView {
  /** All messages of the host, in order. */
  readonly posted: ToView[];
  readonly state: ChatState;
  say<Type extends ToHostType>(type: Type, body: Extract<ToHost, { type: Type }>["body"]): Promise<void>;
  /** Resolves once the state matches, at once if it does already. */
  until(isSo: (state: ChatState) => boolean): Promise<ChatState>;
  readonly answer: AnswerMessage;
  pause(): void;
}

/** A view that renders nothing, and acknowledges at once. */
export async function openView(controller: ChatController, acknowledges = true): Promise<TestView> {
  const posted: ToView[] = [];
  const waiting = new Set<() => void>();
  let replica = emptyReplica;
  const connection = controller.connect((message) => {
    posted.push(message);
    const { replica: next, outcome } = receive(replica, message);
    replica = next;
    if (outcome === "gap") throw new Error("the host left something out");
    if (acknowledges) void say("ack", { epoch: next.epoch, seq: next.seq });
    for (const look of waiting) look();
  });
  const say: TestView["say"] = (type, body) => connection.receive({ v: 1, type, body } as ToHost);
  const current = (): ChatState => {
    if (!replica.state) throw new Error("no snapshot yet");
    return replica.state;
  };
  const view: TestView = {
    posted,
    say,
    get state() {
      return current();
    },
    get answer() {
      const last = current().messages.at(-1);
      if (last?.role !== "assistant") throw new Error("the last message is no answer");
      return last;
    },
    until: (isSo) =>
      new Promise((resolve) => {
        const look = () => {
          if (!replica.state || !isSo(replica.state)) return;
          waiting.delete(look);
          resolve(replica.state);
        };
        waiting.add(look);
        look();
      }),
    pause: () => connection.pause(),
  };
  await say("ready", {});
  return view;
}

/** The view once its models are listed and this one is selected. */
export async function openViewWith(controller: ChatController, modelId: string): Promise<TestView> {
  const view = await openView(controller);
  await view.until(({ models }) => models.status === "ready");
  await view.say("pickModel", { modelId });
  return view;
}

export const ended = ({ messages }: ChatState): boolean => {
  const last = messages.at(-1);
  return last?.role === "assistant" && last.state !== "waiting" && last.state !== "streaming";
};
