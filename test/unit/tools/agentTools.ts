// The tools without an editor: a real sandbox, and an agent that calls them as the editor would.

import type { TestContext } from "node:test";
import type * as vscode from "vscode";
import type { ClientOptions } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import type { SpendSource } from "../../../src/api/money/charge.ts";
import type { Connection } from "../../../src/session/connection/connection.ts";
import type { ModelToolsDeps } from "../../../src/tools/native/deps.ts";
import { startTestSandbox, type TestSandboxOptions } from "../../serviceKit/testSandbox.ts";
import { noTotals } from "../account/host/money.ts";
import { clientOf } from "../api/client.ts";
import { openConsents } from "../session/openConsents.ts";
import { temporaryFolder } from "../temporaryFolder.ts";
import { double, replace } from "../vscodeDouble.ts";
import { noChain } from "./noChain.ts";

// The double has to be there before the first import of `vscode`.
const { ModelTools } = await import("../../../src/tools/native/modelTools.ts");

const sandboxConnection = {
  id: "sandbox",
  name: "Sandbox",
  kind: "sandbox",
  baseUrl: "",
  dialect: "standard",
};

export interface AgentOptions extends TestSandboxOptions {
  readonly connection?: Partial<Connection>;
  /** No connection at all. */
  readonly isSignedOut?: boolean;
  readonly describeWrite?: ModelToolsDeps["describeWrite"];
  readonly chain?: ModelToolsDeps["chain"];
  readonly admit?: ClientOptions["admit"];
}

/** A token that is never cancelled. */
const never = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose() {} }),
} as unknown as vscode.CancellationToken;

export async function openTools(t: TestContext, options: AgentOptions = {}) {
  const {
    connection: own,
    isSignedOut,
    describeWrite = async () => ["To: 0x1"],
    chain = noChain,
    admit,
    ...rest
  } = options;
  const pages = [{ title: "Chat", text: "# Chat\n\nIt answers.\n" }];
  const sandbox = await startTestSandbox({ tokensPerSecond: 1e6, limits: "none", pages, ...rest });
  t.after(() => sandbox.close());
  const folder = temporaryFolder();
  const connection = { ...sandboxConnection, ...own } as Connection;
  const { api, events } = clientOf(t, sandbox.baseUrl, {
    apiKey: async () => sandbox.apiKey,
    baseUrl: sandbox.baseUrl,
    ...(admit ? { admit } : {}),
  });
  const sources: (SpendSource | undefined)[] = [];
  const consents = openConsents();
  const logged: string[] = [];
  const totals = { ...noTotals, isTodayBilled: true, isMonthBilled: true };
  const tools = new ModelTools({
    session: {
      active: isSignedOut ? undefined : connection,
      clientOf: async (_: Connection, source?: SpendSource) => {
        sources.push(source);
        return { connection, api, root: sandbox.baseUrl, dialect: dialects.standard, transport: "host" };
      },
      spend: async () => ({ totals: async () => totals, scopes: async () => [] }),
    },
    consents,
    globalStorageUri: double.Uri.file(folder),
    describeWrite,
    chain,
    log: { warn() {}, info: (line: string) => void logged.push(line) },
  } as unknown as ModelToolsDeps);
  const invoke = async (name: string, input: object, token = never) => {
    const { content } = await tools.invoke(`inference_${name}`, input, token);
    return content as readonly {
      readonly value?: string;
      readonly data?: Uint8Array;
      readonly mimeType?: string;
    }[];
  };
  return {
    sandbox,
    folder,
    events,
    sources,
    consents,
    logged,
    invoke,
    prepare: (name: string, input: object) => tools.prepare(`inference_${name}`, input, never),
    /** The text of a result. */
    text: async (name: string, input: object) =>
      (await invoke(name, input)).map(({ value = "" }) => value).join("\n"),
    /** Requests other than the lists of models. */
    sent: () => sandbox.requests.filter(({ path }) => !path.endsWith("/models")),
  };
}

/** Presses a button of each modal dialog until the test ends; no button refuses. */
export function answerDialogs(t: TestContext, choose: (buttons: readonly string[]) => string | undefined) {
  const asked: string[] = [];
  const answer = async (
    message: string,
    { detail = "" }: { readonly detail?: string },
    ...buttons: readonly string[]
  ) => {
    asked.push(`${message}\n${detail}`);
    return choose(buttons);
  };
  replace("window", { showInformationMessage: answer }, t);
  return asked;
}
