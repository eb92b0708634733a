import type { EventEmitter, NotebookCell, NotebookController, NotebookDocument } from "vscode";
import type { EvmLoader } from "./evmLoader.ts";
import type { OfferedNetworks } from "./offeredNetworks.ts";
import type { Projects } from "./projects.ts";
import type { RpcDeps } from "./register.ts";
import type { History } from "./run/history.ts";
import type { Sender } from "./run/sender.ts";
import type { createSentTransactions } from "./run/sentTransactions.ts";
import type { Values } from "./run/values.ts";

/** What the runs of all notebooks share. */
export interface RunDeps extends RpcDeps {
  readonly projects: Projects;
  readonly evm: EvmLoader;
  readonly offered: OfferedNetworks;
  readonly controller: NotebookController;
  readonly values: (notebook: NotebookDocument) => Values;
  readonly history: History;
  readonly didRun: EventEmitter<NotebookCell>;
  readonly sender: Sender;
  readonly sentTransactions: ReturnType<typeof createSentTransactions>;
  /** Of the newest execution. */
  readonly order: { last: number };
}
