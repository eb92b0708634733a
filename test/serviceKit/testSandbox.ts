import { randomUUID } from "node:crypto";
import type { SandboxHooks, TestConditions } from "../../src/sandbox/hooks.ts";
import { modelOfBody } from "../../src/sandbox/http/request/callerContext.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/main.ts";
import type { SandboxOptions } from "../../src/sandbox/options.ts";
import { answerWithFaults } from "./answerFaults.ts";
import { createFaultPlan, type Faults } from "./faults.ts";
import { createRequestLog, type LoggedRequest, type RequestLog, type RequestMatch } from "./requestLog.ts";
import { createSyntheticHistory } from "./syntheticHistory.ts";
import { testAuthors, testModels } from "./testModels.ts";

interface KitOptions {
  readonly faults?: Faults;
  /**
   * Lists the echo, long and retired models, and sends as an answer the reason why a user's sandbox would refuse a
   * question; default true.
   */
  readonly testModels?: boolean;
  /** A generated past in the billing ledger: the number of its entries, and the days before now to spread them over. */
  readonly history?: { readonly count: number; readonly days?: number };
}

export interface TestSandboxOptions extends SandboxOptions, TestConditions, KitOptions {}

/** A sandbox with faults, a request log and models for tests. */
export interface TestSandbox extends Sandbox {
  /** The last 500, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** Including those that the log has dropped. */
  readonly requestCount: number;
  /** The next matching request whose body has arrived. Its `ended` resolves when it was answered or aborted. */
  nextRequest(match?: RequestMatch): Promise<LoggedRequest>;
  /** Replaces all faults. */
  setFaults(faults: Faults): void;
}

export async function startTestSandbox(options: TestSandboxOptions = {}): Promise<TestSandbox> {
  const kit = createTestHooks(options);
  const { log } = kit;
  const sandbox = await startSandbox(options, kit.hooks);
  return {
    ...sandbox,
    requests: log.requests,
    get requestCount() {
      return log.count;
    },
    nextRequest: (match) => log.next(match),
    setFaults: kit.setFaults,
    async close() {
      log.close();
      await sandbox.close();
    },
  };
}

export interface TestHooks {
  readonly hooks: SandboxHooks;
  readonly log: RequestLog;
  setFaults(faults: Faults): void;
}

/** The parts of the kit, for tests that put a sandbox together themselves. */
export function createTestHooks(options: KitOptions & TestConditions = {}): TestHooks {
  const { faults = [], testModels: hasModels = true, history, ...conditions } = options;
  const { clock = Date.now } = conditions;
  const log = createRequestLog();
  let plan = createFaultPlan(faults);
  const hooks: SandboxHooks = {
    // Keys not of the form of a sandbox: it takes the part of a live service.
    apiKey: `service-admin-${randomUUID()}`,
    keyPrefix: "service-",
    ...conditions,
    ...(hasModels ? { models: testModels, authors: testAuthors } : {}),
    ...(history ? { past: createSyntheticHistory({ ...history, endMs: clock() }) } : {}),
    onRequest(message) {
      const entry = log.open(message);
      const path = (message.url ?? "").split("?")[0] ?? "";
      return {
        async answer(request, serve) {
          entry.arrived(request.body);
          const target = { method: request.method, path, model: modelOfBody(request.body) };
          // Pages of the documentation have no faults.
          const struck = request.path === undefined ? [] : plan.strike(target);
          const reply = await answerWithFaults(request, struck, serve);
          entry.answered(reply.status);
          return reply;
        },
        ended: (aborted) => entry.end(aborted),
      };
    },
  };
  return {
    hooks,
    log,
    setFaults(next) {
      plan = createFaultPlan(next);
    },
  };
}
