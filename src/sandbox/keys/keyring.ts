import { randomBytes } from "node:crypto";
import { sandboxKeyPrefix } from "../../shared/names/ids.ts";

/** A key (spec, API key record). */
export interface Key {
  readonly id: string;
  readonly secret: string;
  readonly type: "INFERENCE" | "ADMIN";
}

export interface Keyring {
  find(secret: string): Key | undefined;
}

/** A new random secret. */
export function randomSecret(type: Key["type"], prefix = sandboxKeyPrefix): string {
  return `${prefix}${type.toLowerCase()}-${randomBytes(24).toString("base64url")}`;
}
