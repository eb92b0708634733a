import type { Disposable } from "vscode";

/** A paid result that can be opened again. */
export interface RecentItem {
  readonly label: string;
  /** Additional facts, such as the time. */
  readonly description: string;
  /** The name of a codicon. */
  readonly icon: string;
  open(): Promise<void>;
}

/** The stored results of one feature. */
export interface RecentGroup {
  /** Heading in the list: `Speech`. */
  readonly label: string;
  /** Newest first. Loads the feature if needed. */
  list(): Promise<readonly RecentItem[]>;
}

/** Connects the list of recent results with the features that store them. */
export class RecentResults {
  readonly groups: RecentGroup[] = [];

  add(group: RecentGroup): Disposable {
    this.groups.push(group);
    return { dispose: () => void this.groups.splice(this.groups.indexOf(group), 1) };
  }
}
