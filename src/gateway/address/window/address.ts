import { spawn } from "node:child_process";
import { once } from "node:events";
import { makeFolder } from "../../../platform/files/privateFiles.ts";
import { addressPath } from "../addressFile.ts";
import { type AddressStart, isOlder, startVariable } from "../addressLink.ts";
import { type JoinedAddress, joinAddress } from "./joinAddress.ts";

export type AddressOptions = Omit<AddressStart, "port"> & {
  /** Absolute path of the bundle of the process. */
  readonly script: string;
};

/** Milliseconds in which a process has to say whether it has the port. */
const startMs = 20_000;
/** The process gets no other variable of the window: some are secrets. */
const passedOn = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "USERPROFILE", "LD_LIBRARY_PATH"];

/** The process that has the port of the gateway for all windows of this user. */
export class Address {
  readonly #options: AddressOptions;

  constructor(options: AddressOptions) {
    this.#options = options;
  }

  /**
   * Joins the process at this port, which is started if there is none, and replaced if it is of an earlier version.
   * Undefined if another program has the port. Rejects if no process can be started. `socket` is the path of the window's
   * own; `onServe` is called when calls come to this window.
   */
  async join(port: number, socket: string, onServe: () => void): Promise<JoinedAddress | undefined> {
    const { folder, version } = this.#options;
    const path = addressPath(folder, port);
    const options = { version, socket, onServe };
    const found = await joinAddress(path, options);
    if (found && !isOlder(found.version, version)) return found;
    try {
      await this.#start(port);
    } catch (error) {
      if (found) return found;
      throw error;
    }
    found?.close();
    return joinAddress(path, options);
  }

  /** Resolves when a process has the port, or can't have it. */
  async #start(port: number): Promise<void> {
    const { script, folder, version, holdMs, aloneMs } = this.#options;
    const start: AddressStart = { folder, port, version, holdMs, aloneMs };
    await makeFolder(folder);
    const env = Object.fromEntries(passedOn.map((name) => [name, process.env[name]]));
    const child = spawn(process.execPath, [script], {
      cwd: folder,
      env: { ...env, ELECTRON_RUN_AS_NODE: "1", [startVariable]: JSON.stringify(start) },
      detached: true,
      windowsHide: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    child.unref();
    const said = once(child.stdout, "data", { signal: AbortSignal.timeout(startMs) });
    const ended = once(child, "exit").then(([code]) => {
      throw new Error(`the process for its port has ended with ${code}`);
    });
    try {
      await Promise.race([said, ended]);
    } catch (error) {
      child.kill();
      throw error;
    } finally {
      said.catch(() => {});
      ended.catch(() => {});
      child.stdout.destroy();
    }
  }
}
