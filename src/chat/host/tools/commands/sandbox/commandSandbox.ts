import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Refusal } from "../../../../../platform/errors/refusal.ts";
import { environment } from "../../../../../shared/names/ids.ts";
import { bubblewrapPlaces, bubblewrapWords, noNameSpaces } from "./bubblewrap.ts";
import { guardPlaces, removeEmpty } from "./guardedPlaces.ts";
import type { SandboxAccess, SandboxPlan } from "./sandboxPlan.ts";
import { seatbeltPlace, seatbeltWords } from "./seatbelt.ts";
import { plannedFolders, type ShownFolder } from "./shownFolders.ts";

/** Why commands can't run in a sandbox. */
export interface MissingSandbox {
  /** The end of a sentence that begins with `because`. */
  readonly reason: string;
  /** A sentence; absent if the user can do nothing about it. */
  readonly nextStep?: string;
}

/** Whether commands run in the sandbox; nothing is missing if the user has switched it off. */
export type SandboxState =
  | { readonly isOn: true }
  | { readonly isOn: false; readonly missing?: MissingSandbox };

/** A command that may be run in the sandbox, once. */
export interface Sandboxed {
  /** The words before those of the command. */
  readonly words: readonly [string, ...string[]];
  /** Its first process waits for the command, and its end kills all others. */
  readonly hasMonitor: boolean;
  /** After its end. */
  release(): void;
}

export interface CommandSandboxDeps {
  /** False if the user has switched it off. */
  readonly isWanted: () => boolean;
  /** Absolute paths. */
  readonly workspaceFolders: () => readonly string[];
  /** More folders that commands may write, from the user's settings; `~/` is the home folder. */
  readonly writableFolders: () => readonly string[];
  /** Folders of the extension that a command must not see. */
  readonly hidden: readonly string[];
  /** Called once if it does not work. */
  readonly onMissing?: (missing: MissingSandbox) => void;
  /** For tests. */
  readonly programs?: readonly string[];
}

/** Variables that lead to programs outside of the sandbox, or are the key. */
const unsetVariables = [
  environment.key,
  ..."SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR DOCKER_HOST CONTAINER_HOST PODMAN_SOCK TMUX STY GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS ELECTRON_RUN_AS_NODE BROWSER VSCODE_IPC_HOOK VSCODE_IPC_HOOK_CLI VSCODE_IPC_HOOK_EXTHOST VSCODE_GIT_IPC_HANDLE VSCODE_GIT_ASKPASS_MAIN VSCODE_GIT_ASKPASS_NODE VSCODE_GIT_ASKPASS_EXTRA_ARGS VSCODE_INJECTION".split(
    " ",
  ),
];

const probeMs = 10_000;

const missingPrograms = {
  linux: {
    reason: "bubblewrap is not installed",
    nextStep: "Install it, by “sudo apt-get install bubblewrap” on Debian and Ubuntu, and reload the window.",
  },
  darwin: { reason: "this system has no sandbox-exec" },
} as const;

const help: readonly (readonly [RegExp, string])[] = [
  // AppArmor of Ubuntu 23.10 and newer.
  [
    /setting up uid map: Permission denied|loopback: Failed RTM_NEWADDR/i,
    "Your system keeps programs from making user namespaces, as Ubuntu 24.04 does by AppArmor. Allow it for bubblewrap: “sudo apt-get install apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict”, and reload the window.",
  ],
  [
    /No permissions to creat\w+ new namespace|unshare user ns|Creating new namespace failed|No space left on device/i,
    "Your system allows no user namespaces. Allow them with “sudo sysctl -w user.max_user_namespaces=15000”, on older kernels of Debian also “sudo sysctl -w kernel.unprivileged_userns_clone=1”, or in the settings of the container in which the window runs; then reload the window.",
  ],
  [
    /mount(ing)? proc|proc on \/newroot|Can't read \/proc/i,
    "The container in which the window runs hides parts of /proc. Start it with “--security-opt systempaths=unconfined”, and reload the window.",
  ],
  [
    /setuid|suid|capabilit/i,
    "The program has another owner or mode than that of its package. Install bubblewrap again, and reload the window.",
  ],
];

/** The step that helps against a failure, with a leading space. Empty if none is known. */
function helpFor(said: string): string {
  const step = help.find(([pattern]) => pattern.test(said))?.[1];
  return step === undefined ? "" : ` ${step}`;
}

/** Runs commands so that they can do no more than is planned, by what the system has for that. One for each window. */
export class CommandSandbox {
  readonly #deps: CommandSandboxDeps;
  #found: Promise<SandboxState> | undefined;
  #state: SandboxState | undefined;
  #program: readonly [string, ...string[]] = [""];
  #temporary: string | undefined;

  constructor(deps: CommandSandboxDeps) {
    this.#deps = deps;
  }

  /** Whether commands run in it, as far as is known: `ready` finds out. */
  get state(): SandboxState {
    if (!this.#deps.isWanted()) return { isOn: false };
    return this.#state ?? { isOn: false };
  }

  /** Tries once whether it works. Never rejects. */
  async ready(): Promise<SandboxState> {
    if (!this.#deps.isWanted()) return { isOn: false };
    this.#found ??= this.#find().then((found) => {
      if (!found.isOn && found.missing) this.#deps.onMissing?.(found.missing);
      return found;
    });
    this.#state = await this.#found;
    return this.state;
  }

  /** False where a command sees folders only at their own places. */
  get showsFolders(): boolean {
    return process.platform === "linux";
  }

  /**
   * Throws a Refusal if nothing can be written that it needs. Call it after `ready` has told that it is on. `shown`: folders
   * that the command reads at other places, so far as they are there.
   */
  wrap(folder: string, access: SandboxAccess, shown: readonly ShownFolder[] = []): Sandboxed {
    try {
      return this.#wrap(folder, access, shown);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Refusal(`The command was not run, because its sandbox could not be made: ${why}.`);
    }
  }

  /** One whose commands write only this folder, which is no folder of the workspace, and temporary files of their own. */
  within(folder: string): CommandSandbox {
    const { isWanted, hidden, programs } = this.#deps;
    return new CommandSandbox({
      ...{ isWanted, hidden, workspaceFolders: () => [folder], writableFolders: () => [] },
      ...(programs ? { programs } : {}),
    });
  }

  /** Removes the temporary files of all commands. */
  dispose(): void {
    if (this.#temporary !== undefined)
      rmSync(this.#temporary, { recursive: true, force: true, maxRetries: 3 });
    this.#temporary = undefined;
  }

  #wrap(folder: string, access: SandboxAccess, shown: readonly ShownFolder[]): Sandboxed {
    const { workspaceFolders, writableFolders, hidden } = this.#deps;
    const roots = workspaceFolders().map((place) => realpathSync.native(place));
    this.#temporary ??= realpathSync(mkdtempSync(join(tmpdir(), "inference-commands-")));
    const place = realpathSync(folder);
    const guarded = guardPlaces(roots, place, access.repository);
    const writable = [...roots, ...writableFolders().flatMap(existing)];
    const made: string[] = [];
    const plan: SandboxPlan = {
      ...access,
      writable,
      readOnly: guarded.readOnly.filter(isInside([...writable, ...guarded.fixed])),
      fixed: guarded.fixed,
      shown: plannedFolders(shown, hidden.flatMap(existing), made),
      hidden: hidden.flatMap(existing),
      temporary: this.#temporary,
      folder: place,
      unset: unsetVariables,
      set: this.#variables(),
    };
    const words = process.platform === "darwin" ? seatbeltWords(plan) : bubblewrapWords(this.#program, plan);
    const release = () => {
      guarded.release();
      for (const place of made.splice(0)) removeEmpty(place);
    };
    return { words, hasMonitor: process.platform === "linux", release };
  }

  /** Caches of package managers are only read, so that a command can't change what others run: new ones are temporary. */
  #variables(): Readonly<Record<string, string>> {
    const temporary = process.platform === "darwin" ? (this.#temporary ?? "") : "/tmp";
    return {
      TMPDIR: temporary,
      XDG_CACHE_HOME: `${temporary}/.cache`,
      npm_config_cache: `${temporary}/.npm`,
    };
  }

  async #find(): Promise<SandboxState> {
    const { platform } = process;
    if (platform !== "linux" && platform !== "darwin")
      return { isOn: false, missing: { reason: "this system has none" } };
    const places = this.#deps.programs ?? (platform === "linux" ? bubblewrapPlaces : [seatbeltPlace]);
    const program = places.find((place) => existsSync(place));
    if (program === undefined) return { isOn: false, missing: missingPrograms[platform] };
    const [whole, older] = [[program, noNameSpaces], [program]] as const;
    const said = (await this.#try(whole)) && (await this.#try(older));
    if (said === undefined) return { isOn: true };
    const missing = { reason: `${program} does not work here`, nextStep: `It says: ${said}${helpFor(said)}` };
    return { isOn: false, missing };
  }

  /** What the program says if it does not work, on one line. */
  async #try(program: readonly [string, ...string[]]): Promise<string | undefined> {
    this.#program = program;
    try {
      const { words } = this.#wrapProbe();
      const [file, ...args] = [...words, "/bin/sh", "-c", "exit 0"];
      await promisify(execFile)(file ?? "", args, { timeout: probeMs, killSignal: "SIGKILL" });
      return undefined;
    } catch (error) {
      const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
      const [line = ""] = said.split("\n");
      return line === "" ? "nothing." : `${line.slice(0, 200)}.`;
    }
  }

  /** Without a folder of the workspace. */
  #wrapProbe(): Pick<Sandboxed, "words"> {
    this.#temporary ??= realpathSync(mkdtempSync(join(tmpdir(), "inference-commands-")));
    const plan: SandboxPlan = {
      ...{ network: false, repository: false, writable: [], readOnly: [], fixed: [], unset: [] },
      ...{ temporary: this.#temporary, folder: "/", shown: [], hidden: [], set: {} },
    };
    return {
      words: process.platform === "darwin" ? seatbeltWords(plan) : bubblewrapWords(this.#program, plan),
    };
  }
}

/**
 * What is elsewhere is read-only anyway. To make it so once more would show it where the sandbox hides it: a command may have
 * made a link with a guarded name that leads to `/` or to a folder of sockets.
 */
function isInside(folders: readonly string[]): (place: string) => boolean {
  return (place) => folders.some((folder) => place.startsWith(`${folder}/`));
}

/** The real path of a folder; none without it. */
function existing(place: string): readonly string[] {
  try {
    return [realpathSync.native(place.replace(/^~(?=\/|$)/, homedir()))];
  } catch {
    return [];
  }
}
