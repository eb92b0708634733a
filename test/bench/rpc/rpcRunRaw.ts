// Peer of the benchmark `rpc-run`: posts batches one after the other, and parses the replies.
import { Agent, request } from "undici";

const [url = "", count = "0", size = "0"] = process.argv.slice(2);
const dispatcher = new Agent();
const items = Array.from({ length: Number(size) }, (_, id) => ({
  jsonrpc: "2.0",
  id: id + 1,
  method: "eth_gasPrice",
  params: [],
}));
for (let left = Number(count); left > 0; left--) {
  const headers = { "content-type": "application/json" };
  const reply = await request(url, { method: "POST", headers, body: JSON.stringify(items), dispatcher });
  const answers = (await reply.body.json()) as unknown[];
  if (answers.length !== items.length) throw new Error("an answer is missing");
}
await dispatcher.close();
