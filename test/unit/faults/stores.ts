// The stores of the faults run, each with a workload in a file of its name.
import type { Workload } from "./workload.ts";

const stores = {
  account: () => import("./workloads/account.ts"),
  changes: () => import("./workloads/changes.ts"),
  chat: () => import("./workloads/chat.ts"),
  gallery: () => import("./workloads/gallery.ts"),
  ledger: () => import("./workloads/ledger.ts"),
  settings: () => import("./workloads/settings.ts"),
  speech: () => import("./workloads/speech.ts"),
  tools: () => import("./workloads/tools.ts"),
  web: () => import("./workloads/web.ts"),
} as const satisfies Record<string, () => Promise<{ readonly workload: Workload }>>;

export type Store = keyof typeof stores;
export const storeNames = Object.keys(stores) as readonly Store[];

export function isStore(name: string): name is Store {
  return Object.hasOwn(stores, name);
}

export async function loadWorkload(store: Store): Promise<Workload> {
  return (await stores[store]()).workload;
}
