import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import { certificateFiles, environment } from "./protocol.ts";

/** An HTTP server on loopback that answers "hello" to everything and counts requests. */
export interface LoopbackServer {
  readonly port: number;
  /** The requests: method and target, as on the request line. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Plain HTTP, or TLS with one of the run's certificates. */
export async function startService(certificate?: keyof typeof certificateFiles): Promise<LoopbackServer> {
  const requests: string[] = [];
  const server = certificate ? createTlsServer(readCertificate(certificate)) : createServer();
  server.on("request", (incoming, reply) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    reply.end("hello");
  });
  return listen(server, requests);
}

/** A forward proxy for `http:` (absolute targets) and `https:` (CONNECT) that resolves every host to loopback. */
export async function startProxy(): Promise<LoopbackServer> {
  const requests: string[] = [];
  const server = createServer((incoming, reply) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    const { port, pathname, search } = new URL(incoming.url ?? "");
    const { method = "GET", headers } = incoming;
    const onward = request(
      { host: "127.0.0.1", port, path: pathname + search, method, headers },
      (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
      },
    );
    incoming.pipe(onward);
  });
  server.on("connect", (incoming, client: Socket, head: Buffer) => {
    requests.push(`CONNECT ${incoming.url}`);
    const upstream = connect(Number(incoming.url?.split(":").at(-1)), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [client, upstream]) {
      socket.on("error", () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  return listen(server, requests);
}

/** A proxy that closes the connection after each CONNECT, as filters of companies do. */
export async function startDroppingProxy(): Promise<LoopbackServer> {
  const requests: string[] = [];
  const server = createServer();
  server.on("connect", (incoming, client: Socket) => {
    requests.push(`CONNECT ${incoming.url}`);
    client.on("error", () => {});
    client.end();
  });
  return listen(server, requests);
}

function readCertificate(name: keyof typeof certificateFiles) {
  const read = (file: string) => readFileSync(join(process.env[environment.certificates] ?? "", file));
  const { cert, key } = certificateFiles[name];
  return { cert: read(cert), key: read(key) };
}

async function listen(server: Server, requests: readonly string[]): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
