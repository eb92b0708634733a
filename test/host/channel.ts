import { connect, type Socket } from "node:net";
import { environment, type HostEvent } from "./protocol.ts";

let socket: Socket | undefined;

/** Connects to the process that started this run. */
export async function openChannel(): Promise<void> {
  const opened = connect(Number(process.env[environment.port]), "127.0.0.1");
  await new Promise<void>((resolve, reject) => {
    opened.once("connect", resolve);
    opened.once("error", reject);
  });
  socket = opened;
}

/** Sends an event to that process; `{ type: "value" }` is a measurement of a test. */
export function sendEvent(event: HostEvent): void {
  if (!socket) throw new Error("openChannel() comes first");
  socket.write(`${JSON.stringify(event)}\n`);
}

/** Resolves once all events are sent. */
export async function closeChannel(): Promise<void> {
  await new Promise<void>((resolve) => socket?.end(resolve));
}
