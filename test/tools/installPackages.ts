import { runToEnd } from "./processGroup.ts";
import { withProgress } from "./progress.ts";

/** Installs packages of Debian by apt-get, as root or by sudo without a password. */
export async function installPackages(title: string, packages: readonly string[]): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  const apt = (...args: string[]) => {
    const command = ["apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=300", ...args];
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const [first = "", ...rest] = isRoot ? command : ["sudo", "-n", ...command];
    return runToEnd(first, rest, { env });
  };
  await withProgress(`Installing ${title} by apt-get (once)`, async () => {
    await apt("update");
    await apt("install", "--no-install-recommends", ...packages);
  });
}
