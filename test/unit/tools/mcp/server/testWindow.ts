// A window's side of the MCP server, without the editor: a real socket, and calls that a test answers.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LinkResult, OpenedWindow } from "../../../../../src/shared/mcpLink.ts";
import type { McpCall, RunCall } from "../../../../../src/tools/mcp/server/window/callRunner.ts";
import { createLinkFolder } from "../../../../../src/tools/mcp/server/window/linkFolder.ts";
import { type LinkServer, openLinkServer } from "../../../../../src/tools/mcp/server/window/linkServer.ts";
import type { ServiceTool } from "../../../../../src/tools/serviceTool.ts";

export interface TestWindow extends LinkServer {
  /** Lines of the log. */
  readonly log: readonly string[];
}

/** A folder that is removed by `remove`. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "mcp-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export async function openTestWindow(
  path: string,
  runCall: RunCall,
  options: {
    readonly tools?: readonly ServiceTool[];
    readonly described?: Partial<Pick<OpenedWindow, "folders" | "focusedAtMs">>;
    readonly script?: string;
    readonly helloTimeoutMs?: number;
  } = {},
): Promise<TestWindow> {
  const log: string[] = [];
  const note = (line: string) => void log.push(line);
  const { tools = [testTool("echo")], described = {}, script = "/nowhere/mcp.js", helloTimeoutMs } = options;
  const server = await openLinkServer({
    folder: createLinkFolder(path, script),
    tools,
    describe: () => ({ folders: [], focusedAtMs: 0, ...described }),
    runCall,
    log: { info: note, warn: note },
    ...(helloTimeoutMs === undefined ? {} : { helloTimeoutMs }),
  });
  return { ...server, log };
}

/** A tool that exists in the list only. */
export function testTool(
  name: string,
  parameters: unknown = { type: "object", properties: {} },
): ServiceTool {
  const never = async () => Promise.reject(new Error("not called"));
  return {
    name,
    title: name,
    description: `The tool ${name}.`,
    userDescription: name,
    parameters: parameters as ServiceTool["parameters"],
    isReadOnly: true,
    prepare: never,
    run: never,
  };
}

export function textResult(text: string): LinkResult {
  return { content: [{ type: "text", text }], isError: false };
}

/** Answers with the input as JSON. */
export const echo: RunCall = async ({ input }) => textResult(JSON.stringify(input));

/** Calls that wait; `started` resolves with the next one. */
export function waitingCalls(isSending = true) {
  const started = Promise.withResolvers<McpCall>();
  const aborted = Promise.withResolvers<void>();
  const runCall: RunCall = async (call, signal, onState) => {
    if (isSending) await onState("Running", true);
    started.resolve(call);
    return new Promise((resolve) =>
      signal.addEventListener("abort", () => {
        aborted.resolve();
        resolve(textResult("cancelled"));
      }),
    );
  };
  return { runCall, started: started.promise, aborted: aborted.promise };
}
