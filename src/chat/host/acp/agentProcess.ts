import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type AgentGateway, type AgentPayer, openAgentGateway } from "../../../agents/agentGateway.ts";
import type { AgentPlace } from "../../../agents/agentPlaces.ts";
import { AgentSession } from "../../../agents/agentSession.ts";
import { agentLimits } from "../../../agents/wire/agentLimits.ts";
import { isPlainId, tokenVariable } from "../../../gateway/programs/agentPrograms.ts";
import { pastProxy } from "../../../gateway/programs/pastProxy.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { hasEnded, newWriterName } from "../../../platform/files/durable/writerName.ts";
import { makeFolder, writePrivately } from "../../../platform/files/privateFiles.ts";
import { allProcesses, signalAll, startedWith } from "../../../platform/process/processes.ts";
import type { AgentWindow } from "./agentWindow.ts";

/** The start of one process. */
interface ProcessStart {
  readonly place: AgentPlace;
  /** Id of the model that answers its calls. */
  readonly model: string;
  /** Undefined while it answers no question. */
  readonly payerOf: () => AgentPayer | undefined;
}

/** A running agent, with what only it may use: a gateway and a folder. Both end with it. */
export class AgentProcess {
  readonly session: AgentSession;
  /** By which its texts are told apart from those of others. */
  readonly id = randomUUID();
  readonly #whenOver: Promise<void>;

  private constructor(session: AgentSession, free: () => Promise<void>) {
    this.session = session;
    this.#whenOver = session.whenOver.then(free);
  }

  /** Rejects with a Refusal, and then nothing of it is left. */
  static async start(window: AgentWindow, start: ProcessStart, signal: AbortSignal): Promise<AgentProcess> {
    const { place, model, payerOf } = start;
    const { agent, program, folder } = place;
    // Some agents replace parts of their settings by files and variables.
    if (!isPlainId(model))
      throw new Refusal(
        `${agent.name} can't use the model ${model}: its id has characters that programs take for something else. Choose another model, and ask again.`,
      );
    const own = join(window.storage, newWriterName());
    let session: AgentSession | undefined;
    let gateway: AgentGateway | undefined;
    const free = async () => {
      await Promise.all([gateway?.close(), rm(own, { recursive: true, force: true }).catch(() => {})]);
    };
    try {
      gateway = await openAgentGateway({
        ...{ session: window.session, name: agent.name, payerOf },
        onCall: () => session?.touch(),
      });
      const { origin, token } = gateway;
      await makeFolder(own);
      const file = agent.file?.({ origin, model });
      if (file) {
        await makeFolder(dirname(join(own, file.path)));
        await writePrivately(join(own, file.path), file.text);
      }
      const { [tokenVariable]: _, ...env } = window.env;
      session = await AgentSession.open(
        {
          ...{ name: agent.name, version: window.version, folder },
          env: {
            ...env,
            ...pastProxy(env),
            ...agent.variables({ origin, model, token }, own),
            [folderName]: own,
          },
          command: [program, ...agent.args],
          ...(agent.asksForModel ? { model } : {}),
        },
        agentLimits,
        signal,
      );
      return new AgentProcess(session, free);
    } catch (error) {
      await free();
      throw error;
    }
  }

  /** Ends it with all that it has started. Resolves once nothing of it is left. */
  async end(): Promise<void> {
    this.session.kill();
    await this.#whenOver;
  }
}

/** The environment variable by which the processes of an agent are found after their window was killed. */
const folderName = "INFERENCE_AGENT_FOLDER";

/** Ends what agents whose windows were killed have left running, such as a daemon, and removes their folders. */
export async function sweepAgentFolders(storage: string): Promise<void> {
  const names = await readdir(storage).catch(() => []);
  for (const name of names) {
    if (!hasEnded(name)) continue;
    const folder = join(storage, name);
    const left = allProcesses().filter(({ id }) => startedWith(id, folderName, folder));
    signalAll(left, "SIGKILL");
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
