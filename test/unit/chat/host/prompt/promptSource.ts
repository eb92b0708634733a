import type { PromptSource } from "../../../../../src/chat/host/prompt/chatPrompt.ts";
import type { WindowFacts } from "../../../../../src/chat/host/prompt/environment.ts";
import { type Guidance, noGuidance } from "../../../../../src/chat/host/prompt/guidance.ts";

export interface TestWindow extends PromptSource {
  now: WindowFacts;
  found: Guidance;
  readonly applied: Map<string, Awaited<ReturnType<PromptSource["instructionsFor"]>>>;
}

/** A window with a small workspace, which a test changes. */
export function openWindow(guidance: Partial<Guidance> = {}): TestWindow {
  const window: TestWindow = {
    now: {
      date: "2026-11-26",
      branch: "main",
      changes: 0,
      openFiles: ["src/a.ts"],
      unsavedFiles: [],
    },
    found: { ...noGuidance, ...guidance },
    applied: new Map(),
    machine: {
      folders: ["/home/ada/shop"],
      system: "Linux x64",
      shell: "/bin/sh",
      editor: "Visual Studio Code",
    },
    facts: async () => window.now,
    tree: async () => [{ folder: "./", names: ["package.json", "src/"] }],
    guidance: async () => window.found,
    instructionsFor: async (path) => window.applied.get(path) ?? [],
    onDidChange: () => ({ dispose() {} }),
  };
  return window;
}
