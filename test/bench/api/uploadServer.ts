// Its own process: reads each upload completely and returns its size.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer(async (request, response) => {
  let received = 0;
  for await (const piece of request) received += piece.length;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ text: String(received), tokens: 1 }));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
process.once("disconnect", () => process.exit());
const { port } = server.address() as AddressInfo;
process.send?.({ baseUrl: `http://127.0.0.1:${port}/api/v1` });
