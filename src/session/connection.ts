import type { DialectChoice } from "../api/dialect.ts";

/** A service that can be asked, as it is shown and stored; its key is kept elsewhere. */
export interface Connection {
  readonly id: string;
  readonly name: string;
  /** `environment` comes from variables of the process and can't be changed here. */
  readonly kind: "live" | "sandbox" | "environment";
  /** As entered; empty for the sandbox, whose port is known once it runs. */
  readonly baseUrl: string;
  readonly dialect: DialectChoice;
}
