/** A program of this machine that has a token of the gateway. */
export interface GatewayClient {
  /** Unique, and the same as long as the token is valid. */
  readonly id: string;
  /** As the user chose it from the list: `Codex`. */
  readonly name: string;
  /** True if only models that the service lists as private may answer. */
  readonly isPrivateOnly: boolean;
  /** True if the service is to keep the beginnings of its prompts for a day, where the model can. */
  readonly isCachedLong?: boolean;
  /** USD that one of its sessions may cost; undefined if sessions have no cap. */
  readonly sessionCapUsd: number | undefined;
  /** USD that all of its sessions together may cost on a UTC day; absent if they have no such cap. */
  readonly dayCapUsd?: number;
  /** USD that its calls of one workspace folder may cost on a UTC day; absent if they have no such cap. */
  readonly folderCapUsd?: number;
  /** The folder in which the token of the call was handed out; absent for the token that belongs to no folder. */
  readonly folder?: GatewayFolder;
}

/** A workspace folder. */
export interface GatewayFolder {
  readonly uri: string;
  readonly name: string;
}
