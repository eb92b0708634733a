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

/** Tells that process; `{ type: "value" }` is for what a test measured. */
export function tell(event: HostEvent): void {
  if (!socket) throw new Error("openChannel() comes first");
  socket.write(`${JSON.stringify(event)}\n`);
}

/** Resolves once all that was told has left. */
export async function closeChannel(): Promise<void> {
  await new Promise<void>((resolve) => socket?.end(resolve));
}
