import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Workbench } from "../ui/workbench.ts";

/** Parts of the HTML of the workbench: the address of its webviews, and the product configuration, which may contain it. */
const endpoint = /&quot;webviewEndpoint&quot;:&quot;([^&]+)&quot;,/;
const product = "&quot;productConfiguration&quot;:{";

/** Browsers resolve it to this machine. Its subdomains are one site, so that none is a third party. */
const domain = "editor.localhost";
/** Isolates the origins in processes although they are one site. */
const apart = { "origin-agent-cluster": "?1" };

/**
 * Gives webviews their own origin, and so their own process, as in a desktop VS Code. By default they share the process
 * of the workbench, whose garbage collections then interrupt their tasks. Reloads the workbench through a proxy server,
 * which must be closed.
 */
export async function giveOwnProcess({ page, serverUrl, reload }: Workbench): Promise<{ close(): void }> {
  const { hostname, port } = new URL(serverUrl);
  const { search } = new URL(page.url());
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
      // Its policy permits frames of its own origin only.
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
