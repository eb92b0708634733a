import { SerialQueue } from "../../shared/serialQueue.ts";
import type { GatewayDeps } from "../server/gatewayDeps.ts";
import { type GatewayServer, startGateway } from "../server/gatewayServer.ts";

/** Who listens at the port of the gateway. */
export type ListenState = "off" | "here" | "elsewhere";

/** A window that does not listen tries again after this time, because the one that does may have been closed. */
const retryMs = 2_000;

/**
 * Keeps the address of the gateway: one window listens, and another one takes over when that one is closed or reloaded.
 * Agents repeat a call that finds nobody for some seconds.
 */
export class GatewayListener {
  readonly #deps: GatewayDeps;
  readonly #report: (error: unknown) => void;
  readonly #queue = new SerialQueue();
  #server: GatewayServer | undefined;
  #retry: NodeJS.Timeout | undefined;
  #state: ListenState = "off";
  #port: number | undefined;

  constructor(deps: GatewayDeps, report: (error: unknown) => void) {
    this.#deps = deps;
    this.#report = report;
  }

  get state(): ListenState {
    return this.#state;
  }

  /** Listens at this port, now or as soon as it is free. */
  listen(port: number): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#port === port) return;
      await this.#close();
      this.#port = port;
      await this.#listen(port);
    });
  }

  stop(): Promise<void> {
    return this.#queue.run(() => this.#close());
  }

  async #listen(port: number): Promise<void> {
    try {
      this.#server = await startGateway(port, this.#deps);
      this.#state = "here";
    } catch (error) {
      if (this.#state !== "elsewhere") this.#report(error);
      this.#state = "elsewhere";
      this.#retry = setTimeout(() => void this.#queue.run(() => this.#retryOn(port)), retryMs);
      this.#retry.unref();
    }
  }

  async #retryOn(port: number): Promise<void> {
    if (this.#state === "elsewhere") await this.#listen(port);
  }

  async #close(): Promise<void> {
    clearTimeout(this.#retry);
    this.#state = "off";
    this.#port = undefined;
    const server = this.#server;
    this.#server = undefined;
    await server?.close();
  }
}
