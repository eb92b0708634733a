// The provider without an editor: a service on loopback that answers as a test wants, and what the editor would get.
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type * as vscode from "vscode";
import type { LanguageModelsDeps } from "../../../src/languageModels/deps.ts";
import type { ListedModel } from "../../../src/languageModels/languageModels.ts";
import type { Connection } from "../../../src/session/connection/connection.ts";
import type { Answer } from "../../loopback/server.ts";
import { clientOf, serve } from "../api/client.ts";
import { memento } from "../memento.ts";
import { openConsents } from "../session/openConsents.ts";
import { double } from "../vscodeDouble.ts";

// The double has to be there before the first import of `vscode`.
const { createLanguageModels } = await import("../../../src/languageModels/languageModels.ts");

export const live: Connection = {
  id: "c-1",
  name: "One",
  kind: "live",
  baseUrl: "https://one.example",
  dialect: "auto",
};

/** The editor's classes, as the double has them. */
export const parts = double as unknown as Pick<
  typeof vscode,
  | "LanguageModelTextPart"
  | "LanguageModelDataPart"
  | "LanguageModelToolCallPart"
  | "LanguageModelToolResultPart"
  | "LanguageModelError"
>;

/** What a consumer reads of a part. */
function plain(part: object): unknown {
  const { constructor: _, ...members } = part as Record<string, unknown>;
  const { data } = members;
  return data instanceof Uint8Array ? { ...members, data: new TextDecoder().decode(data) } : members;
}

export interface EditorModelsOptions {
  readonly connections?: readonly Connection[];
  readonly chosen?: string;
}

export async function openModels(t: TestContext, answer: Answer, options: EditorModelsOptions = {}) {
  const { connections = [live], chosen } = options;
  const server = await serve(t, answer);
  const { api, events } = clientOf(t, server.origin);
  const sources: unknown[] = [];
  const warnings: string[] = [];
  const consents = openConsents();
  const deps = {
    session: {
      active: connections[0],
      clientOf: async (connection: Connection, source?: unknown) => {
        if (source) sources.push(source);
        if (connection.id === "broken") throw new Error("no keyring");
        return { connection, api };
      },
    },
    connections: {
      all: () => connections,
      byId: (id: string) => connections.find((connection) => connection.id === id),
    },
    chosenModels: { get: () => chosen },
    consents,
    globalState: memento(),
    log: { warn: (text: string) => warnings.push(text) },
  } as unknown as LanguageModelsDeps;
  const models = createLanguageModels(deps);
  return { models, server, events, sources, warnings, consents };
}

export const model = {
  id: "c-1/guide",
  modelId: "guide",
  connectionId: "c-1",
  name: "Guide · One",
} as ListedModel;

/** A message of the editor: 1 is the user, 2 the assistant, 3 the system. */
export function message(
  role: number,
  ...content: readonly unknown[]
): vscode.LanguageModelChatRequestMessage {
  return { role, content, name: undefined } as vscode.LanguageModelChatRequestMessage;
}

export function user(text: string): vscode.LanguageModelChatRequestMessage {
  return message(1, new parts.LanguageModelTextPart(text));
}

/** A cancellation token, and the cancellation. */
export function cancellation() {
  const listeners = new Set<() => void>();
  const token = {
    isCancellationRequested: false,
    onCancellationRequested(listener: () => void) {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
  return {
    token: token as unknown as vscode.CancellationToken,
    listeners,
    cancel() {
      token.isCancellationRequested = true;
      for (const listener of listeners) listener();
    },
  };
}

type Respond = Awaited<ReturnType<typeof openModels>>["models"]["respond"];

/** Asks, and gives all parts. */
export async function ask(
  respond: Respond,
  messages: readonly vscode.LanguageModelChatRequestMessage[],
  options: object = {},
): Promise<unknown[]> {
  const reported: unknown[] = [];
  const progress = { report: (part: object) => reported.push(plain(part)) };
  const { token, listeners } = cancellation();
  try {
    await respond(model, messages, { toolMode: 1, ...options }, progress, token);
  } finally {
    assert.equal(listeners.size, 0);
  }
  return reported;
}
