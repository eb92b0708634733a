// Its own process: answers every request with the same long streamed answer, in pieces of 64 KB.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Sent to the parent process when the server listens. */
export interface Serving {
  readonly baseUrl: string;
  readonly chunks: number;
  /** Characters of text in all chunks together. */
  readonly characters: number;
}

const chunks = 200_000;
const pieceSize = 65_536;
const words = ["stream ", "of ", "tokens, ", "naïve ", 'with "quotes" ', "\n\n- item ", "and so on. "];

const contents = Array.from({ length: chunks }, (_, index) => contentOf(index));
const answer = Buffer.from([...contents.map(event), "data: [DONE]\n\n"].join(""));

/** Plain text for the most part, with an emoji now and then. */
function contentOf(index: number): string {
  return index % 1000 === 0 ? "🙂 " : (words[index % words.length] ?? "");
}

/** 170 to 185 bytes, as services send them. */
function event(content: string): string {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }];
  const head = { id: "chatcmpl-8f2c1d7a90", object: "chat.completion.chunk", created: 1_790_000_000 };
  return `data: ${JSON.stringify({ ...head, model: "long", choices })}\n\n`;
}

const server = createServer(async (request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let start = 0; start < answer.length; start += pieceSize) {
    if (!response.write(answer.subarray(start, start + pieceSize))) await once(response, "drain");
  }
  response.end();
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
process.once("disconnect", () => process.exit());
const { port } = server.address() as AddressInfo;
const characters = contents.reduce((sum, content) => sum + content.length, 0);
const serving: Serving = { baseUrl: `http://127.0.0.1:${port}/api/v1`, chunks, characters };
process.send?.(serving);
