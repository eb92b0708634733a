import { randomBytes } from "node:crypto";

/** A key as the service knows it (spec, API key record). */
export interface Key {
  readonly id: string;
  readonly secret: string;
  readonly type: "INFERENCE" | "ADMIN";
}

export interface Keyring {
  find(secret: string): Key | undefined;
}

/** A secret that no other start of the sandbox takes. */
export function randomSecret(type: Key["type"]): string {
  return `sandbox-${type.toLowerCase()}-${randomBytes(24).toString("base64url")}`;
}
