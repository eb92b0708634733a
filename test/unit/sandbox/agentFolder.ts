// A small agent: plays the tool calls of a model over HTTP in a folder of its own.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import type { TestContext } from "node:test";
import type { Sandbox } from "../../../src/sandbox/main.ts";

type Members = Readonly<Record<string, unknown>>;

/** A function call as the service sends it. */
interface SentCall {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface SentMessage {
  readonly role: string;
  readonly content: string | null | readonly { readonly type: "text"; readonly text: string }[];
  readonly tool_calls?: readonly SentCall[];
  readonly tool_call_id?: string;
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

export interface SentAnswer {
  readonly content: string;
  readonly reasoning: string;
  readonly calls: readonly SentCall[];
  readonly finish: string;
  readonly usage: Usage;
}

/** The tools of the chat, with the arguments that they require. */
const required: Readonly<Record<string, readonly string[]>> = {
  read_file: ["path"],
  list_files: ["path"],
  search_workspace: ["query"],
  edit_file: ["path", "edits"],
  write_file: ["path", "text"],
  move_file: ["from", "to"],
  delete_file: ["path"],
  run_command: ["command"],
  update_plan: ["plan"],
  read_page: ["url"],
};
const toolNames = Object.keys(required);

export const toolsNamed = (names: readonly string[]) =>
  names.map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } }));

export const question = (content: string): SentMessage => ({ role: "user", content });

/** Sends one chat request, whole or as a stream. Fails unless the status is 200. */
export async function askModel(
  { baseUrl, apiKey }: Sandbox,
  messages: readonly SentMessage[],
  more: Members = {},
): Promise<SentAnswer> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "scripted", messages, tools: toolsNamed(toolNames), ...more }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return more.stream === true ? fromEvents(text) : fromWhole(text);
}

function fromWhole(text: string): SentAnswer {
  const { choices, usage } = JSON.parse(text);
  const [{ message, finish_reason: finish }] = choices;
  const { content, reasoning_content, tool_calls } = message;
  return { content, reasoning: reasoning_content ?? "", calls: tool_calls, finish, usage };
}

function fromEvents(text: string): SentAnswer {
  const answer = {
    content: "",
    reasoning: "",
    finish: "",
    usage: { prompt_tokens: 0, completion_tokens: 0 },
  };
  const calls: { id: string; type: string; function: { name: string; arguments: string } }[] = [];
  const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) => JSON.parse(json));
  for (const { choices, usage } of events) {
    if (usage) answer.usage = usage;
    for (const { delta, finish_reason } of choices) {
      answer.content += delta.content ?? "";
      answer.reasoning += delta.reasoning_content ?? "";
      answer.finish ||= finish_reason ?? "";
      for (const { index, ...call } of delta.tool_calls ?? []) {
        const open = calls[index];
        if (open) open.function.arguments += call.function.arguments;
        else calls[index] = call;
      }
    }
  }
  return { ...answer, calls };
}

export interface AgentFolder {
  readonly path: string;
  /** Calls that were run or refused, in order. */
  readonly calls: readonly { readonly name: string; readonly input: Members; readonly result: string }[];
  /** Plays a question to its end, or for a number of answers. Returns all messages. */
  play(
    sandbox: Sandbox,
    messages: readonly SentMessage[],
    more?: Members,
    most?: number,
  ): Promise<SentMessage[]>;
  /** The files, by path with `/`. */
  files(): Promise<Record<string, string>>;
}

/** `refuses` stands for the user, who skips calls. */
export async function createAgentFolder(
  t: TestContext,
  refuses: (name: string, input: Members) => boolean = () => false,
): Promise<AgentFolder> {
  const path = await mkdtemp(join(tmpdir(), "scripted-"));
  t.after(() => rm(path, { recursive: true, force: true }));
  const calls: { name: string; input: Members; result: string }[] = [];
  const answerTo = async ({ id, function: { name, arguments: given } }: SentCall): Promise<SentMessage> => {
    const input = JSON.parse(given) as Members;
    for (const member of required[name] ?? []) assert.ok(member in input, `${name} needs ${member}`);
    const result = refuses(name, input) ? skipped : await runTool(path, name, input);
    calls.push({ name, input, result });
    return { role: "tool", content: result, tool_call_id: id };
  };
  return {
    path,
    calls,
    async play(sandbox, messages, more = {}, most = 30) {
      const all = [...messages];
      for (let round = 0; round < most; round++) {
        const { content, calls: asked } = await askModel(sandbox, all, more);
        if (asked.length === 0) return [...all, { role: "assistant", content }];
        all.push({ role: "assistant", content, tool_calls: asked });
        for (const call of asked) all.push(await answerTo(call));
      }
      return all;
    },
    files: () => filesOf(path),
  };
}

/** The words of the chat for a call that the user skips. */
const skipped = "The user skipped this call: nothing was done. Go on without its result.";

async function runTool(folder: string, name: string, input: Members): Promise<string> {
  const at = (member = "path") => join(folder, String(input[member]));
  switch (name) {
    case "read_file":
      return readFile(at(), "utf8").catch(() => `There is no file ${input.path}.`);
    case "write_file":
      await mkdir(dirname(at()), { recursive: true });
      await writeFile(at(), String(input.text));
      return "Written.";
    case "edit_file":
      return editFile(at(), input.edits as readonly Edit[]);
    case "move_file":
      return rename(at("from"), at("to")).then(
        () => "Moved.",
        () => `There is no file ${input.from}.`,
      );
    case "delete_file":
      return rm(at()).then(
        () => "Deleted.",
        () => `There is no file ${input.path}.`,
      );
    case "list_files":
      return Object.keys(await filesOf(folder)).join("\n") || "The folder is empty.";
    case "search_workspace":
      return searchFiles(await filesOf(folder), String(input.query));
    case "run_command":
      return runNode(folder, String(input.command));
    default:
      return "Done.";
  }
}

interface Edit {
  readonly old_text: string;
  readonly new_text: string;
  readonly all?: boolean;
}

async function editFile(path: string, edits: readonly Edit[]): Promise<string> {
  let text = await readFile(path, "utf8");
  for (const { old_text, new_text, all } of edits) {
    const count = text.split(old_text).length - 1;
    if (count === 0) return "old_text was not found in the file.";
    if (count > 1 && !all) return "old_text is not unique.";
    text = text.replaceAll(old_text, new_text);
  }
  await writeFile(path, text);
  return "Edited.";
}

function searchFiles(files: Readonly<Record<string, string>>, query: string): string {
  const found = Object.keys(files).filter((path) => files[path]?.includes(query));
  return found.join("\n") || "Nothing was found.";
}

/** Runs `node …` only. */
function runNode(folder: string, command: string): Promise<string> {
  const [program, ...args] = command.split(" ");
  assert.equal(program, "node");
  // The variable would turn the report of the inner test into a binary one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const named = files.sort().map(async (file) => {
    return [relative(folder, file).split(sep).join("/"), await readFile(file, "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(named));
}
