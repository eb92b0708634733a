import * as vscode from "vscode";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { sha256 } from "../../../../platform/sha256.ts";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import { shortened } from "../../../../shared/text/shortened.ts";
import { type ServerDefinition, startText } from "../../../../tools/mcp/client/config/mcpFile.ts";
import type { KnownServer, McpServers } from "../../../../tools/mcp/client/mcpServers.ts";
import type { LastAllowed, WindowServers } from "../../../../tools/mcp/client/openMcpServers.ts";
import { readResult } from "../../../../tools/mcp/client/results/serverResult.ts";
import { modelNames, type ServerTool } from "../../../../tools/mcp/client/serverTool.ts";
import type { ToolInput } from "../../../../tools/serviceTool.ts";
import type { ToolServer } from "../../../protocol/chatState.ts";
import type { CallContext, ChatTool } from "../tool.ts";
import { showPictures } from "./resultPictures.ts";

/** Longer than a server may take with progress (`ServerLimits.callMs`), which ends a call with a better sentence. */
const timeoutMs = 1_860_000;
const maxArgumentsLength = 300;
/** Lines of progress that a stopped call tells. */
const maxProgress = 20;

/** The servers of the user's files, and their tools. */
export interface ServerTools {
  readonly tools: readonly ChatTool[];
  readonly servers: readonly ToolServer[];
  readonly problems: readonly string[];
}

/** The tools of all known servers, as a model calls them. `taken` are the names of the other tools. */
export async function readServerTools(
  { servers, allowed }: Pick<WindowServers, "servers" | "allowed">,
  taken: readonly string[],
): Promise<ServerTools> {
  const { servers: known, problems } = await servers.read();
  const pairs = known.flatMap((server) => (server.listed?.tools ?? []).map((tool) => ({ server, tool })));
  const names = modelNames(
    pairs.map(({ server, tool }) => ({ server: server.definition.name, tool: tool.name })),
    taken,
  );
  return {
    tools: pairs.map(({ server, tool }, index) =>
      toTool(servers, server, tool, { name: names[index] ?? "", allowed }),
    ),
    servers: known.map(toServer),
    problems,
  };
}

function toServer({ definition, state, listed, problem, hasOutput }: KnownServer): ToolServer {
  const { id, name, file } = definition;
  const notes = [...(problem === undefined ? [] : [problem]), ...(listed?.problems ?? [])];
  return {
    id,
    name: visibleLine(name),
    runs: visibleLine(shortened(startText(definition), 1_000)),
    file: visibleLine(file.label),
    state,
    isListed: listed !== undefined,
    hasOutput,
    ...(notes.length === 0 ? {} : { problem: visibleLine(shortened(notes.join(" "), 1_000)) }),
  };
}

interface ToolContext {
  readonly name: string;
  readonly allowed: LastAllowed;
}

function toTool(
  servers: McpServers,
  { definition }: KnownServer,
  tool: ServerTool,
  { name, allowed }: ToolContext,
): ChatTool {
  const key = JSON.stringify([definition.file.path, definition.name, tool.name]);
  return {
    // The strictest: no mode runs it unasked, and the mode Plan does not offer it.
    kind: "command",
    name,
    title: `${definition.name}: ${tool.title}`,
    description: tool.description,
    parameters: tool.parameters,
    origin: "server",
    server: definition.id,
    // The connection is part of each approval, as of all tools.
    fingerprint: async () => sha256(JSON.stringify([definition.id, tool.name, tool.hash])),
    question: () => changeOf(allowed.read(key), definition, tool),
    summary: (input) => callText(definition, tool, input),
    async run(input, signal, context) {
      const noted = noteProgress(`${definition.name}: ${tool.title}`);
      try {
        const result = await servers.call(definition, tool, input, signal, {
          began() {
            allowed.write(key, saidBy(definition, tool));
            context.began(() => ({ output: noted.text() }));
          },
          progress: noted.add,
        });
        return await shownResult(result, context);
      } finally {
        noted.end();
      }
    },
    timeoutMs,
  };
}

async function shownResult(
  result: Awaited<ReturnType<McpServers["call"]>>,
  context: CallContext,
): Promise<string> {
  const { text, pictures } = readResult(result);
  const notes = await showPictures(pictures, context);
  const whole = [text, ...notes].join("\n");
  if (result.isError) throw new Refusal(whole);
  return whole;
}

/** The server comes before the arguments: a narrow row cuts the end. The card shows all arguments below. */
function callText(definition: ServerDefinition, { name }: ServerTool, input: ToolInput): string {
  const json = JSON.stringify(input);
  const given = json === "{}" ? "" : ` ${shortened(json, maxArgumentsLength)}`;
  return `Call ${name} of the server ${definition.name}${given} (${shortened(startText(definition), maxArgumentsLength)})`;
}

function saidBy({ id }: ServerDefinition, { hash }: ServerTool): string {
  return `${id} ${hash}`;
}

/** Why the tool is not the one that the user has allowed before; undefined if it is, or if none was. */
function changeOf(
  before: string | undefined,
  definition: ServerDefinition,
  tool: ServerTool,
): string | undefined {
  if (before === undefined || before === saidBy(definition, tool)) return undefined;
  const isOtherServer = !before.startsWith(`${definition.id} `);
  const what = isOtherServer
    ? "The entry of this server in mcp.json has changed"
    : "The server has changed what it says about this tool";
  return `${what} since you last allowed it.`;
}

/** Shows the progress of a call in the status bar. */
function noteProgress(title: string) {
  const lines: string[] = [];
  const over = Promise.withResolvers<void>();
  let report: (text: string) => void = () => {};
  void vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: visibleLine(title) },
    (progress) => {
      report = (message) => progress.report({ message });
      return over.promise;
    },
  );
  return {
    add(text: string) {
      lines.push(text);
      if (lines.length > maxProgress) lines.shift();
      report(text);
    },
    text: () => lines.join("\n"),
    end: () => over.resolve(),
  };
}
