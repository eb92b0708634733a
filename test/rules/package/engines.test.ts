// A new clone installs without an engine warning of npm: each package supports every Node that package.json names.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import semver from "semver";
import { root } from "../../tools/paths.ts";

interface Locked {
  readonly packages: Readonly<
    Record<string, { readonly engines?: { readonly node?: string }; readonly optional?: boolean }>
  >;
}

const readJson = (name: string): unknown => JSON.parse(readFileSync(join(root, name), "utf8"));
const { engines } = readJson("package.json") as { readonly engines: { readonly node: string } };

test("every locked package supports every Node version of package.json", () => {
  const { packages } = readJson("package-lock.json") as Locked;
  const asking = Object.entries(packages).flatMap(([path, { engines: asked, optional }]) => {
    // npm omits an optional package for another platform.
    const isInstalled = !optional || existsSync(join(root, path));
    return path !== "" && isInstalled && asked?.node ? [{ path, node: asked.node }] : [];
  });
  assert.ok(asking.length > 100, "the lock file names what its packages ask for");
  const refusing = asking.filter(({ node }) => !semver.subset(engines.node, node));
  assert.deepEqual(refusing, []);
});

test("README names the oldest Node version of package.json", () => {
  const oldest = semver.minVersion(engines.node);
  assert.ok(oldest);
  const readme = readFileSync(join(root, "README.md"), "utf8");
  assert.equal(/You need Node (\d+\.\d+) or newer/.exec(readme)?.[1], `${oldest.major}.${oldest.minor}`);
});
