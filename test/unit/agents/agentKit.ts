// A session with an agent that does what a test says.
import { fileURLToPath } from "node:url";
import { AgentSession, type AgentStart } from "../../../src/agents/agentSession.ts";
import type { AgentQuestion, TurnHost } from "../../../src/agents/agentTurn.ts";
import type { AgentCall } from "../../../src/agents/turnView.ts";
import { type AgentLimits, agentLimits } from "../../../src/agents/wire/agentLimits.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

export type FakeStep = Readonly<Record<string, unknown>>;

/** What the agent does: see `fakeAgent.mjs`. */
export interface FakeAgent {
  readonly start?: Readonly<Record<string, unknown>>;
  readonly steps?: readonly FakeStep[];
  /** The steps of each question. */
  readonly turns?: readonly (readonly FakeStep[])[];
  /** It does not follow a cancellation. */
  readonly isDeaf?: boolean;
}

export const fakeScript = fileURLToPath(new URL("fakeAgent.mjs", import.meta.url));

export function fakeStart(fake: FakeAgent, folder = temporaryFolder()): AgentStart {
  return {
    name: "Fake",
    version: "1.0.0",
    command: [process.execPath, fakeScript],
    folder,
    env: { ...process.env, FAKE_STEPS: JSON.stringify(fake) },
  };
}

/** What a turn has told its window. */
export interface Told {
  text: string;
  reasoning: string;
  plan: string;
  /** The last state of each step. */
  readonly calls: Map<string, AgentCall>;
  readonly questions: AgentQuestion[];
  readonly written: [path: string, text: string][];
}

export function recordingHost(answers: Partial<TurnHost> = {}): {
  readonly told: Told;
  readonly host: TurnHost;
} {
  const told: Told = { text: "", reasoning: "", plan: "", calls: new Map(), questions: [], written: [] };
  const host: TurnHost = {
    onText(part, text) {
      told[part] += text;
    },
    onCall: (call) => void told.calls.set(call.id, call),
    onPlan(plan) {
      told.plan = plan;
    },
    async ask(question) {
      told.questions.push(question);
      return undefined;
    },
    read: async (path) => `text of ${path}`,
    write: async (path, text) => void told.written.push([path, text]),
    ...answers,
  };
  return { told, host };
}

/** Asks a fake agent once. It is ended after that. */
export async function askFake(
  fake: FakeAgent,
  {
    answers = {},
    limits = {},
    signal = new AbortController().signal,
  }: {
    readonly answers?: Partial<TurnHost>;
    readonly limits?: Partial<AgentLimits>;
    readonly signal?: AbortSignal;
  } = {},
) {
  const { told, host } = recordingHost(answers);
  const session = await AgentSession.open(fakeStart(fake), { ...agentLimits, ...limits }, signal);
  try {
    const stopReason = await session.prompt([{ type: "text", text: "Do it." }], host, signal);
    return { told, stopReason };
  } finally {
    session.kill();
    await session.whenOver;
  }
}
