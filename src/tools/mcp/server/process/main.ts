// The MCP server as a process of its own: an MCP client starts it and talks to it over stdio. It holds no key; a window
// of VS Code runs the calls.
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { linkEnvironment } from "../../../../shared/mcpLink.ts";
import { serveMcp } from "./mcpServer.ts";
import { Windows } from "./windows.ts";

declare const extensionVersion: string;

/** Bytes of one MCP message. */
const maxBufferSize = 16_000_000;

async function main(): Promise<void> {
  const folder = process.env[linkEnvironment.folder];
  if (!folder) {
    process.stderr.write(
      `${linkEnvironment.folder} is not set. Copy the configuration again: “Inference Tools: Copy MCP Configuration…” in VS Code.\n`,
    );
    return;
  }
  const starter = process.env[linkEnvironment.window];
  const windows = new Windows({ folder, cwd: process.cwd(), starter });
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize });
  const server = await serveMcp(windows, extensionVersion, transport);
  const end = () => {
    windows.close();
    process.exit();
  };
  server.onerror = (error) => process.stderr.write(`${error.message}\n`);
  server.onclose = end;
  // The transport does not notice that the client is gone.
  process.stdin.on("end", end);
  process.stdout.on("error", end);
}

void main();
