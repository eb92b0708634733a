import * as vscode from "vscode";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { sha256 } from "../../../../platform/sha256.ts";
import { serviceToolNames } from "../../../../shared/names/ids.ts";
import { shortened } from "../../../../shared/text/shortened.ts";
import { modelNames, readTools, type ServerTool } from "../../../../tools/mcp/client/serverTool.ts";
import type { ChatTool } from "../tool.ts";
import { showPictures } from "./resultPictures.ts";

const timeoutMs = 600_000;
const maxArgumentsLength = 300;

/**
 * The tools that the editor and its extensions offer to models, without our own. What they do is not known, so each call
 * asks; the editor may ask, too.
 */
export function readEditorTools(taken: readonly string[]): readonly ChatTool[] {
  const own = new Set<string>(Object.values(serviceToolNames));
  const listed = vscode.lm.tools
    .filter(({ name }) => !own.has(name))
    .map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema: inputSchema ?? { type: "object", properties: {} },
    }));
  const { tools } = readTools(listed);
  const names = modelNames(
    tools.map(({ name }) => ({ server: "editor", tool: name })),
    taken,
  );
  return tools.map((tool, index) => toTool(tool, names[index] ?? ""));
}

function toTool({ name: tool, description, parameters, hash }: ServerTool, name: string): ChatTool {
  return {
    kind: "command",
    name,
    title: tool,
    description,
    parameters,
    origin: "editor",
    fingerprint: async () => sha256(JSON.stringify(["editor", tool, hash])),
    summary: (input) => `Call ${tool} of the editor ${shortened(JSON.stringify(input), maxArgumentsLength)}`,
    async run(input, signal, context) {
      const source = new vscode.CancellationTokenSource();
      const cancel = () => source.cancel();
      signal.addEventListener("abort", cancel, { once: true });
      context.began(() => ({ output: "" }));
      try {
        const options = { input, toolInvocationToken: undefined };
        const { content } = await vscode.lm.invokeTool(tool, options, source.token);
        const { text, pictures } = readParts(content);
        return [text, ...(await showPictures(pictures, context))].join("\n");
      } catch (error) {
        throw new Refusal(
          `The editor's tool ${tool} failed: ${error instanceof Error ? error.message : error}`,
        );
      } finally {
        signal.removeEventListener("abort", cancel);
        source.dispose();
      }
    },
    timeoutMs,
  };
}

const maxPictures = 8;

function readParts(parts: readonly unknown[]) {
  const texts: string[] = [];
  const pictures: Uint8Array[] = [];
  for (const part of parts) {
    const isData = part instanceof vscode.LanguageModelDataPart;
    if (part instanceof vscode.LanguageModelTextPart) texts.push(part.value);
    else if (isData && part.mimeType.startsWith("image/") && pictures.length < maxPictures) {
      pictures.push(part.data);
      texts.push(`[Picture ${pictures.length}]`);
    } else if (isData && /^text\/|json/.test(part.mimeType)) texts.push(new TextDecoder().decode(part.data));
    else texts.push("[A part of the result can't be read here.]");
  }
  return { text: texts.join("\n"), pictures };
}
