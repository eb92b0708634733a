// A part of the extension that writes files, as a process runs it over a disk that fails.
/** Folders of one run. */
export interface Folders {
  /** The storage of the extension. */
  readonly storage: string;
  /** A folder of the user. */
  readonly user: string;
}

/** What a process does in `run`, and what a later one finds in `check`. */
export interface Workload {
  /**
   * The files of `src` whose writes it makes, from the root. A run without a fault must pass each.
   */
  readonly writers: readonly string[];
  /** More of them, whose writes a queue makes, so that no stack names them. */
  readonly queued?: readonly string[];
  /** Before the process starts, in another one. */
  readonly prepare?: (folders: Folders) => void;
  /** Runs in a process of its own, which may be killed at any write. */
  readonly run: (folders: Folders, told: Teller) => Promise<void>;
  /** Runs in another process after that. Asserts that what was told as kept is there, and nothing is torn. */
  readonly check: (folders: Folders, told: Told) => Promise<void>;
}

/** What the process tells its parent at once. */
export interface Teller {
  /** The user, or the caller, was told that this is stored. */
  kept(what: string): void;
  /** This may be stored from now on. */
  begun(what: string): void;
  /** The user was told that something could not be stored. */
  said(what: string): void;
  /** Does a step of which a full disk may be told by an error. True if it is kept. */
  step(what: string, work: () => Promise<unknown> | undefined): Promise<boolean>;
  /** The last step follows, for which there is space on the disk again. */
  space(): Promise<void>;
}

/** What a process has told before its end. */
export interface Told {
  readonly kept: readonly string[];
  readonly begun: readonly string[];
  readonly refused: readonly string[];
  readonly said: readonly string[];
  /** True if the process has reached its end. */
  readonly hasEnded: boolean;
  readonly isFull: boolean;
}
