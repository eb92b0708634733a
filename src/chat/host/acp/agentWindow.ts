import type { AgentPlaces } from "../../../agents/agentPlaces.ts";
import type { PendingChanges } from "../../../changes/engine/pendingChanges.ts";
import type { KnownTexts } from "../../../changes/engine/records/knownTexts.ts";
import type { Session } from "../../../session/session.ts";

/** Files of the workspace for an agent, by absolute paths. Each method rejects with a sentence for it. */
interface AgentFiles {
  /** The path relative to the workspace; as it is for one that is not inside. */
  nameOf(path: string): string;
  /** The text as its editor shows it, also what is not saved. */
  read(path: string): Promise<string>;
}

/** The window, for the agents of its chats. */
export interface AgentWindow {
  /** Those that may be started here. */
  readonly places: Pick<AgentPlaces, "find">;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute path of a folder of the extension, in which each run of an agent has one. */
  readonly storage: string;
  /** Of the extension. */
  readonly version: string;
  readonly session: Pick<Session, "client">;
  readonly files: AgentFiles;
  /** Saves what an agent would not see on the disk. Resolves to sentences about that. */
  saveUnsaved(signal: AbortSignal): Promise<readonly string[]>;
  changes(): Promise<Pick<PendingChanges, "programs" | "writer">>;
  /** The texts that this agent has read. */
  readonly known: (agent: string) => KnownTexts;
}
