// A server on loopback that answers with bytes of the test, whatever HTTP says of them.
import net, { type AddressInfo, type Socket } from "node:net";
import type { TestContext } from "node:test";
import tls from "node:tls";
import type { KeyPair } from "../vscode/certificate.ts";

export interface RawServer {
  /** `http://127.0.0.1:port`, https with a certificate. */
  readonly origin: string;
  readonly port: number;
  /** Number of requests whose head has arrived. */
  readonly requests: number;
}

/** Calls `onRequest` when the head and the JSON body of a request have arrived. Closes after the test. */
export async function listenRaw(
  t: TestContext,
  onRequest: (socket: Socket, index: number) => unknown,
  certificate?: KeyPair,
): Promise<RawServer> {
  let requests = 0;
  const sockets = new Set<Socket>();
  const onConnection = (socket: Socket) => {
    let text = "";
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (piece: Buffer) => {
      text += piece.toString("latin1");
      if (!isWhole(text)) return;
      text = "";
      void onRequest(socket, requests++);
    });
  };
  const server = certificate
    ? tls.createServer(certificate, onConnection)
    : net.createServer({ noDelay: true }, onConnection);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${certificate ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    get requests() {
      return requests;
    },
  };
}

function isWhole(request: string): boolean {
  const end = request.indexOf("\r\n\r\n");
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(request)?.[1] ?? 0);
  return end >= 0 && request.length >= end + 4 + length;
}

/** A complete answer of HTTP/1.1 with this body. */
export function rawAnswer(body: string, head = "content-type: application/json"): string {
  return `HTTP/1.1 200 OK\r\n${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** A port of this machine without a listener. */
export async function closedPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
