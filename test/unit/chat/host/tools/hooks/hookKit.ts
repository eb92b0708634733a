import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Hook } from "../../../../../../src/chat/host/tools/hooks/hookFile.ts";
import { readHookFiles } from "../../../../../../src/chat/host/tools/hooks/hookFiles.ts";
import {
  type HookOccasion,
  WindowHooks,
  type WindowHooksDeps,
} from "../../../../../../src/chat/host/tools/hooks/windowHooks.ts";
import { openConsents } from "../../../../session/openConsents.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";

type Changes = Awaited<ReturnType<WindowHooksDeps["changes"]>>;

/** A workspace and a home folder for hooks, which are scripts of Node. */
export function openHookPlace() {
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  const asked: Hook[] = [];
  const user: {
    isTrusting: boolean;
    answer: (hook: Hook, signal: AbortSignal) => Promise<boolean | undefined>;
  } = {
    isTrusting: true,
    answer: async () => true,
  };
  const consents = openConsents();
  const noPrograms: Changes = {
    programs: {
      isRunning: false,
      warm() {},
      begin: async () => {
        const none = async () => ({ files: [], kept: [] });
        return { collect: none, end: none };
      },
    },
  };
  const open = (deps: Partial<WindowHooksDeps> = {}) =>
    new WindowHooks({
      read: () => readHookFiles({ folders: [folder], home, isTrusted: user.isTrusting }),
      consents,
      ask: (hook, signal) => {
        asked.push(hook);
        return user.answer(hook, signal);
      },
      changes: async () => noPrograms,
      env: process.env,
      now: () => new Date("2026-11-27T10:00:00Z"),
      ...deps,
    });
  return {
    ...{ folder, home, user, asked, consents, open },
    /** Writes a file of the workspace; a folder at a time. */
    write: (path: string, text: string) => writeBelow(folder, path, text),
    writeHome: (path: string, text: string) => writeBelow(home, path, text),
    /** Writes a file with hooks of the workspace. */
    hooks: (events: Readonly<Record<string, readonly object[]>>, name = "a.json") =>
      writeBelow(folder, `.github/hooks/${name}`, JSON.stringify({ hooks: events })),
  };
}

function writeBelow(folder: string, path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** The entry of a hook that runs a script of the workspace. */
export function scriptHook(path: string, more: object = {}) {
  return { type: "command", command: `"${process.execPath}" ${path}`, ...more };
}

export const beforeCall: HookOccasion = {
  event: "PreToolUse",
  session: "s1",
  input: { tool_name: "run_command", tool_input: { command: "rm -rf /" }, tool_use_id: "c1" },
  signal: new AbortController().signal,
  changed() {},
};
