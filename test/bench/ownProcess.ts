import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Workbench } from "../ui/workbench.ts";

/** What the workbench's page says of itself: where its webviews are, and the product, which may say it too. */
const endpoint = /&quot;webviewEndpoint&quot;:&quot;([^&]+)&quot;,/;
const product = "&quot;productConfiguration&quot;:{";

/** Browsers know that this is here. Origins under it are of one site, so that none counts as a stranger's. */
const domain = "editor.localhost";
/** What keeps them apart all the same. */
const apart = { "origin-agent-cluster": "?1" };

/**
 * Gives webviews a site of their own, and so a process of their own, as they have in a desktop VS Code: the server gives
 * them the workbench's, and what the workbench leaves behind is then cleared away in the middle of their tasks. The
 * workbench is loaded anew, by way of a server that must be closed.
 */
export async function giveOwnProcess({ page, reload }: Workbench): Promise<{ close(): void }> {
  const { hostname, port, search } = new URL(page.url());
  const forward = (incoming: IncomingMessage) => {
    const { method, url, headers } = incoming;
    const outgoing = request({ hostname, port, method, path: url, headers });
    incoming.pipe(outgoing);
    return outgoing;
  };
  const server = createServer((incoming: IncomingMessage, answer: ServerResponse) => {
    const isWorkbench = new URL(incoming.url ?? "", "http://localhost").pathname === "/";
    if (isWorkbench) delete incoming.headers["accept-encoding"];
    forward(incoming).on("response", async (reply) => {
      const headers = { ...reply.headers, ...apart };
      // Its policy knows frames of its own origin alone.
      if (isWorkbench) Reflect.deleteProperty(headers, "content-security-policy");
      answer.writeHead(reply.statusCode ?? 500, headers);
      if (isWorkbench) answer.end(moved(await text(reply), `http://{{uuid}}.${domain}:${portOf()}`));
      else reply.pipe(answer);
    });
  });
  const portOf = () => (server.address() as AddressInfo).port;
  server.on("upgrade", (incoming, socket, head) => {
    const outgoing = forward(incoming);
    outgoing.on("upgrade", (reply, far, first) => {
      const lines = reply.rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("")}\r\n`);
      socket.write(first);
      far.write(head);
      far.pipe(socket).pipe(far);
      for (const end of [far, socket]) end.on("error", () => end.destroy());
    });
  });
  server.listen(0, hostname);
  await once(server, "listening");
  await page.goto(`http://workbench.${domain}:${portOf()}/${search}`);
  await reload();
  return {
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The workbench's page with its webviews at another site. */
function moved(html: string, site: string): string {
  const path = endpoint.exec(html)?.[1];
  if (path === undefined || !html.includes(product))
    throw new Error("The workbench's page does not say where its webviews are.");
  return html
    .replace(endpoint, "")
    .replace(
      product,
      `${product}&quot;webviewContentExternalBaseUrlTemplate&quot;:&quot;${site}/${path}/&quot;,`,
    );
}
