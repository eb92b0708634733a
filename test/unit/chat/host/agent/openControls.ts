import assert from "node:assert/strict";
import type { PendingChanges } from "../../../../../src/changes/engine/pendingChanges.ts";
import {
  type AgentControls,
  type AgentControlsDeps,
  createAgentControls,
} from "../../../../../src/chat/host/agent/agentControls.ts";

/** The task of a chat that spends nothing and runs no commands. Questions are cancelled, and problems fail the test. */
export function openControls(
  deps: Pick<AgentControlsDeps, "chat" | "changes"> & Partial<AgentControlsDeps>,
): AgentControls {
  return createAgentControls({
    session: { active: undefined, spend: () => assert.fail("nothing is spent") },
    runs: { list: [], onDidChange: () => ({ dispose() {} }), stop: (id) => id, forget() {} },
    askAboutOthers: async () => undefined,
    report: (error) => assert.fail(String(error)),
    ...deps,
  });
}

/** Changes that are loaded from the start. */
export function loadedChanges(pending: Partial<PendingChanges>): AgentControlsDeps["changes"] {
  return {
    load: async () => pending as PendingChanges,
    onDidLoad(listener) {
      listener(pending as PendingChanges);
      return { dispose() {} };
    },
  };
}
