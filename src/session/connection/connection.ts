import type { DialectChoice } from "../../api/dialect/dialect.ts";
import type { ConnectionWallet } from "../../wallet/walletText.ts";

/** A connection to a service, as it is shown and stored. Its key is in SecretStorage. */
export interface Connection {
  readonly id: string;
  readonly name: string;
  /** `environment` comes from environment variables and can't be changed here. */
  readonly kind: "live" | "sandbox" | "environment";
  /** As entered; empty for the sandbox, whose port is known after its start. */
  readonly baseUrl: string;
  readonly dialect: DialectChoice;
  /** Pays in place of a key where the service takes it: chain calls, speech and picture edits. */
  readonly wallet?: ConnectionWallet;
}
