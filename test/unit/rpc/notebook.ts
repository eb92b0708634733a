import { createApi } from "../../../src/api/call/client.ts";
import { type DialectId, dialects } from "../../../src/api/dialect/dialect.ts";
import { table } from "../../../src/api/table.ts";
import { createUndiciTransport } from "../../../src/api/transport/undici.ts";
import { evm } from "../../../src/rpc/evm/evm.ts";
import type { CellFacts } from "../../../src/rpc/language/check/cellFacts.ts";
import { readEnvFile } from "../../../src/rpc/language/environment/envFile.ts";
import type { Environments } from "../../../src/rpc/language/environment/environments.ts";
import { parseCell } from "../../../src/rpc/language/parse/parseCell.ts";
import type { Project } from "../../../src/rpc/language/project.ts";
import { SentTransactions, Values } from "../../../src/rpc/run/expect/values.ts";
import { planCellRun } from "../../../src/rpc/run/plan/runPlan.ts";
import type { WriteQuestion } from "../../../src/rpc/run/round.ts";
import { type CellDeps, runCell } from "../../../src/rpc/run/runCell.ts";
import { createServiceSender } from "../../../src/rpc/run/senders.ts";
import { localNetwork, networks } from "../../../src/shared/rpc/networks.ts";
import { startTestSandbox, type TestSandbox, type TestSandboxOptions } from "../../serviceKit/testSandbox.ts";

export interface CellText {
  readonly text: string;
  readonly facts?: CellFacts;
}

/** Environments whose files have these texts. */
export function environmentsOf(
  files: Readonly<Record<string, string>>,
  more: Partial<Environments> = {},
): Environments {
  const read = Object.entries(files).map(([name, text]) => {
    const path = `${name}.rpc.env`;
    return [name, readEnvFile(text, path, `file:///${path}`)] as const;
  });
  return { offered: Object.keys(files), files: new Map(read), given: new Map(), ...more };
}

/** A notebook of these cells. */
export function projectOf(cells: readonly (string | CellText)[], on: readonly string[] = []): Project {
  return {
    cells: cells.map((one, index) => {
      const { text, facts = {} } = typeof one === "string" ? { text: one } : one;
      return { key: `cell-${index}`, cell: parseCell(text), facts };
    }),
    networks: on,
    offered: [...networks.map(({ slug }) => slug), localNetwork],
  };
}

/** A notebook's engine with a real sandbox. */
export interface Bench {
  readonly sandbox: TestSandbox;
  readonly deps: CellDeps;
  readonly questions: WriteQuestion[];
  answerQuestions(answer: boolean): void;
  /** Runs one cell to its end. */
  run(project: Project, cell?: number, signal?: AbortSignal): ReturnType<typeof runCell>;
  close(): Promise<void>;
}

export async function openBench(
  options: TestSandboxOptions = {},
  dialect: DialectId = "standard",
  { headersMs = 20_000 } = {},
): Promise<Bench> {
  const sandbox = await startTestSandbox({
    dialect,
    limits: "none",
    nodes: false,
    speechProgram: null,
    ...options,
  });
  const transport = createUndiciTransport();
  // A separate client for each request, so that no run waits for the rate limit of another.
  const api = () =>
    createApi(table, transport, {
      baseUrl: sandbox.baseUrl,
      apiKey: async () => sandbox.apiKey,
      dialect: dialects[dialect],
      timeouts: { headersMs, idleMs: 20_000 },
      random: () => 0,
    });
  const questions: WriteQuestion[] = [];
  let agree = true;
  const deps: CellDeps = {
    sender: createServiceSender(async () => api()),
    loadEvm: async () => evm,
    values: new Values(),
    sentTransactions: new SentTransactions(),
    consent: async (question) => {
      questions.push(question);
      return agree;
    },
    // Tests do not wait; only a cancelled signal counts.
    pause: async (_ms, signal) => signal.throwIfAborted(),
    now: Date.now,
  };
  return {
    sandbox,
    deps,
    questions,
    answerQuestions(answer) {
      agree = answer;
    },
    run: (project, cell = 0, signal = new AbortController().signal) =>
      runCell(deps, planCellRun(project, cell), signal, () => {}),
    async close() {
      await sandbox.close();
      await transport.close();
    },
  };
}
