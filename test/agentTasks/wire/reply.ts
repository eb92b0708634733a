import type { ServerResponse } from "node:http";
import type { ModelCall } from "../styles.ts";

export interface ModelReply {
  readonly text: string;
  readonly calls: readonly ModelCall[];
}

/** A way to ask a model and to answer. */
export interface Dialect {
  /** False for requests beside the task, such as one for a title. */
  hasTools(body: Readonly<Record<string, unknown>>): boolean;
  /** The results of the last calls. */
  resultsIn(body: Readonly<Record<string, unknown>>): readonly string[];
  /** Streams the reply. Resolves once it is sent. `number` counts the requests, for ids. */
  write(response: ServerResponse, reply: ModelReply, number: number): Promise<void>;
}

/** The text of a content that is a text or a list of parts. */
export function textOfContent(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as readonly Readonly<Record<string, unknown>>[])
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("\n");
}

/** Sends the events and ends. */
export async function sendEvents(response: ServerResponse, events: readonly string[]): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  for (const event of events) response.write(event);
  await new Promise<void>((resolve) => response.end(resolve));
}
