import type { Disposable } from "vscode";

/** Something that was paid for and can be opened again. */
export interface RecentItem {
  readonly label: string;
  /** What to know beside its name, the time included. */
  readonly description: string;
  /** A codicon's name. */
  readonly icon: string;
  open(): Promise<void>;
}

/** The kept results of one feature. */
export interface RecentGroup {
  /** As a heading in the list: `Speech`. */
  readonly label: string;
  /** Newest first; loads what it takes. */
  list(): Promise<readonly RecentItem[]>;
}

/** The way from the list of recent results to every feature that keeps some. */
export interface RecentResults {
  add(group: RecentGroup): Disposable;
  readonly groups: readonly RecentGroup[];
}

export function createRecentResults(): RecentResults {
  const groups: RecentGroup[] = [];
  return {
    groups,
    add(group) {
      groups.push(group);
      return { dispose: () => void groups.splice(groups.indexOf(group), 1) };
    },
  };
}
