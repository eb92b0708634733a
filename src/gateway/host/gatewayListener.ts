import { createSocketPath } from "../../platform/process/privateSocket.ts";
import { SerialQueue } from "../../shared/serialQueue.ts";
import type { Address } from "../address/window/address.ts";
import type { JoinedAddress } from "../address/window/joinAddress.ts";
import type { GatewayDeps } from "../server/gatewayDeps.ts";
import { type GatewayServer, startGateway } from "../server/gatewayServer.ts";

/** Who answers what comes to the port of the gateway. */
export type ListenState = "off" | "here" | "elsewhere";

/** A window that has no part in the port tries again after this time. */
const retryMs = 2_000;

/** The gateway of this window at its private socket. */
interface PrivateGateway {
  readonly path: string;
  close(): Promise<void>;
}

/**
 * Keeps the address of the gateway. A process of its own has the port, and outlives windows: it passes all calls to one
 * window, and to another one when that is closed or reloaded. Where no process can be started, one window listens itself.
 */
export class GatewayListener {
  readonly #deps: GatewayDeps;
  readonly #report: (error: unknown) => void;
  readonly #address: Address | undefined;
  readonly #queue = new SerialQueue();
  #server: GatewayServer | undefined;
  #private: PrivateGateway | undefined;
  #joined: JoinedAddress | undefined;
  #retry: NodeJS.Timeout | undefined;
  #state: ListenState = "off";
  #isReported = false;
  #port: number | undefined;

  /** Without an address no process is started. */
  constructor(deps: GatewayDeps, report: (error: unknown) => void, address?: Address) {
    this.#deps = deps;
    this.#report = report;
    this.#address = address;
  }

  get state(): ListenState {
    return this.#state;
  }

  /** Listens at this port, now or as soon as it is free. */
  listen(port: number): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#port === port) return;
      await this.#close(true);
      this.#port = port;
      await this.#listen(port);
    });
  }

  /** Frees the port for all windows: the gateway is turned off. */
  stop(): Promise<void> {
    return this.#queue.run(() => this.#close(true));
  }

  /** This window is closed, and another one takes over. The connection ends at once: nothing waits for a closed window. */
  leave(): Promise<void> {
    this.#joined?.close();
    return this.#queue.run(() => this.#close(false));
  }

  async #listen(port: number): Promise<void> {
    this.#state = "elsewhere";
    try {
      if (!(await this.#join(port))) {
        this.#server = await startGateway(port, this.#deps);
        this.#state = "here";
      }
      this.#isReported = false;
    } catch (error) {
      if (!this.#isReported) this.#report(error);
      this.#isReported = true;
      this.#tryLater(port);
    }
  }

  /** False if no process can be started. Rejects if another program has the port. */
  async #join(port: number): Promise<boolean> {
    if (!this.#address) return false;
    this.#private ??= await openPrivately(port, this.#deps);
    const { path } = this.#private;
    let joined: JoinedAddress | undefined;
    try {
      joined = await this.#address.join(port, path, () => {
        if (this.#private?.path === path) this.#state = "here";
      });
    } catch (error) {
      this.#report(error);
      await this.#closePrivately();
      return false;
    }
    if (!joined) throw new Error(`another program uses port ${port}`);
    this.#joined = joined;
    this.#follow(joined, port);
    return true;
  }

  /** Joins the next process when this one is gone. */
  #follow(joined: JoinedAddress, port: number): void {
    const joinedMs = this.#deps.now();
    const onLost = async () => {
      if (this.#joined !== joined) return;
      this.#joined = undefined;
      this.#state = "elsewhere";
      // One that ends at once is not started again and again.
      if (this.#deps.now() - joinedMs < retryMs) this.#tryLater(port);
      else await this.#listen(port);
    };
    void joined.closed.then(() => this.#queue.run(onLost));
  }

  #tryLater(port: number): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#queue.run(() => this.#retryOn(port)), retryMs);
    this.#retry.unref();
  }

  async #retryOn(port: number): Promise<void> {
    if (this.#port === port && !this.#joined && !this.#server) await this.#listen(port);
  }

  async #close(isOff: boolean): Promise<void> {
    clearTimeout(this.#retry);
    this.#state = "off";
    this.#port = undefined;
    const [joined, server] = [this.#joined, this.#server];
    this.#joined = undefined;
    this.#server = undefined;
    if (isOff) await joined?.end();
    joined?.close();
    await this.#closePrivately();
    await server?.close();
  }

  async #closePrivately(): Promise<void> {
    const opened = this.#private;
    this.#private = undefined;
    await opened?.close();
  }
}

async function openPrivately(port: number, deps: GatewayDeps): Promise<PrivateGateway> {
  const { path, remove } = await createSocketPath("gateway");
  const server = await startGateway({ path, publicPort: port }, deps);
  const close = async () => {
    await server.close();
    remove();
  };
  return { path, close };
}
