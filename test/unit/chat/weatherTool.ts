import type { ChatTool } from "../../../src/chat/host/tools/tool.ts";
import type { ToolInput } from "../../../src/tools/serviceTool.ts";

/** A tool that takes a city. */
export function tool(
  name: string,
  run?: (input: ToolInput, signal: AbortSignal) => Promise<string>,
): ChatTool {
  return {
    kind: "read",
    name,
    title: name,
    description: `Does ${name}.`,
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    origin: "built-in",
    fingerprint: async () => name,
    summary: ({ city }) => `${name} of ${String(city)}`,
    ...(run ? { run } : {}),
  };
}

export const weather = (result = "Sunny.") => tool("get_weather", async () => result);
