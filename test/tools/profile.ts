import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sampleCode, sampleName } from "../../src/shared/names/sampleCode.ts";

/** A temporary profile of an editor: settings, extensions, a workspace folder. */
export interface Profile {
  readonly userData: string;
  readonly extensions: string;
  readonly workspace: string;
  /** The home folder of tests: what the user of this machine has in theirs is no part of a test, nor slows one. */
  readonly home: string;
}

/** Settings that hide everything in the window but the workbench. */
const quiet = {
  "chat.agentsControl.enabled": "hidden",
  "chat.commandCenter.enabled": false,
  "chat.titleBar.signIn.enabled": false,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "git.openRepositoryInParentFolders": "never",
  // What the user of this machine tells agents is no part of a test.
  "inference.chat.homeInstructions": false,
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "update.showReleaseNotes": false,
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

const sample = {
  [sampleName]: sampleCode,
  "notes.md": "# A folder to play in\n\nMade by `npm start`; nothing here is kept.\n",
};

/** Creates a new profile in `directory` and replaces an old one. */
export function createProfile(directory: string, settings: Readonly<Record<string, unknown>> = {}): Profile {
  rmSync(directory, { recursive: true, force: true });
  const profile = {
    userData: join(directory, "user-data"),
    extensions: join(directory, "extensions"),
    workspace: join(directory, "sample"),
    home: join(directory, "home"),
  };
  for (const folder of [
    profile.extensions,
    profile.workspace,
    profile.home,
    join(profile.userData, "User"),
  ]) {
    mkdirSync(folder, { recursive: true });
  }
  const text = JSON.stringify({ ...quiet, ...settings }, undefined, 2);
  writeFileSync(join(profile.userData, "User", "settings.json"), text);
  for (const [name, content] of Object.entries(sample)) writeFileSync(join(profile.workspace, name), content);
  return profile;
}

/** Adds the extension of that folder to the profile. Call it before a .vsix is installed. */
export function addExtension(profile: Profile, folder: string): void {
  const { publisher, name, version } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Manifest;
  cpSync(folder, join(profile.extensions, `${publisher}.${name}-${version}`), { recursive: true });
}

interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly version: string;
}
