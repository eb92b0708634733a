// A window that answers other agents over the address, until it is killed.
import { fileURLToPath } from "node:url";
import { Address } from "../../../../src/gateway/address/window/address.ts";
import { ClientBook } from "../../../../src/gateway/clients/clientBook.ts";
import { GatewayListener } from "../../../../src/gateway/host/gatewayListener.ts";
import { openService } from "../../../../src/gateway/host/openService.ts";
import { SessionBook } from "../../../../src/gateway/server/sessionBook.ts";
import type { PlaceOf } from "../../../../src/session/spend/scopes/callTags.ts";
import { openWindow } from "../../session/budgetWindow.ts";
import { noBudgets, sessionOver } from "../gatewayKit.ts";

export interface ServingWindow {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Folders of the ledger, of the tokens, and of the address. */
  readonly ledger: string;
  readonly clients: string;
  readonly address: string;
  readonly port: number;
}

/** As a window without a folder. */
const placeOf: PlaceOf = async (_resource, folder) => (folder === undefined ? {} : { folder });

async function serve({ baseUrl, apiKey, ledger, clients, address, port }: ServingWindow): Promise<void> {
  const window = openWindow({ baseUrl, apiKey, folder: ledger, budgets: noBudgets, placeOf });
  const book = new ClientBook({ folder: clients, now: Date.now });
  const script = fileURLToPath(new URL("./startedProcess.ts", import.meta.url));
  const listener = new GatewayListener(
    {
      clientOf: (token) => book.find(token),
      open: (agent) => openService(sessionOver(window), agent),
      sessions: new SessionBook(Date.now),
      now: Date.now,
    },
    (error) => process.send?.({ failed: String(error) }),
    new Address({ script, folder: address, version: "1.9.0", holdMs: 60_000, aloneMs: 60_000 }),
  );
  await listener.listen(port);
  process.send?.({ failed: undefined });
}

await serve(JSON.parse(process.argv[2] ?? "{}"));
