import { existsSync } from "node:fs";
import { bubblewrapPlaces } from "../../src/chat/host/tools/commands/sandbox/bubblewrap.ts";
import { installPackages } from "./installPackages.ts";

/** Installs bubblewrap on Debian, as root or by sudo. Where that fails, commands run without a sandbox, and say why. */
export async function installBubblewrap(): Promise<void> {
  const isDebian = existsSync("/etc/debian_version");
  if (process.platform !== "linux" || !isDebian || bubblewrapPlaces.some((place) => existsSync(place)))
    return;
  await installPackages("bubblewrap", ["bubblewrap"]).catch(() => {});
}
