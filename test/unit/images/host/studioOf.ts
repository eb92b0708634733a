// A studio without an editor: the real client on a real sandbox, a real folder, and the messages to its view.

import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { encode } from "fast-png";
import { apiRoot } from "../../../../src/api/call/client.ts";
import { type DialectId, dialects } from "../../../../src/api/dialect/dialect.ts";
import { publicHostsAndThisMachine } from "../../../../src/api/transport/boundedFetch.ts";
import { createGallery, type FolderFiles } from "../../../../src/images/host/gallery/gallery.ts";
import { Thumbs } from "../../../../src/images/host/gallery/thumbs.ts";
import { imageSchemas } from "../../../../src/images/host/imageSchemas.ts";
import { previewOf } from "../../../../src/images/host/studio/addressPicture.ts";
import { StudioController } from "../../../../src/images/host/studio/studioController.ts";
import type { StudioControllerDeps } from "../../../../src/images/host/studio/studioDeps.ts";
import type { ToStudio } from "../../../../src/images/protocol/studioProtocol.ts";
import {
  emptyStudioDraft,
  type StudioDraft,
  type StudioState,
} from "../../../../src/images/protocol/studioState.ts";
import { explain } from "../../../../src/platform/errors/errorMessage.ts";
import { pictureUrlProblemAt } from "../../../../src/shared/web/urlProblem.ts";
import { startTestSandbox } from "../../../serviceKit/testSandbox.ts";
import { clientOf } from "../../api/client.ts";

/** A folder that is removed after the test. */
export function tempFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "images-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The files of a folder on disk. */
export function diskFiles(folder: string): FolderFiles {
  const at = (name: string) => join(folder, name);
  const ifThere = async <Value>(value: Promise<Value>): Promise<Value | undefined> => {
    try {
      return await value;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  };
  return {
    names: async () => (await ifThere(readdir(folder))) ?? [],
    read: (name) => ifThere(readFile(at(name))),
    async create(name, data) {
      await mkdir(folder, { recursive: true });
      try {
        await writeFile(at(name), data, { flag: "wx" });
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
        throw error;
      }
    },
    remove: (name) => rm(at(name), { force: true }),
    async stamp(name) {
      const found = await ifThere(stat(at(name)));
      return found && `${found.mtimeMs} ${found.size}`;
    },
  };
}

export interface StudioOptions {
  readonly dialect?: DialectId;
  readonly draft?: Partial<StudioDraft>;
  readonly deps?: Partial<StudioControllerDeps>;
}

export async function studioOf(t: TestContext, { dialect = "standard", draft, deps }: StudioOptions = {}) {
  const service = await startTestSandbox({ dialect, limits: "none" });
  t.after(() => service.close());
  const folder = join(tempFolder(t), "pictures");
  const { api } = clientOf(t, service.baseUrl, {
    baseUrl: apiRoot(service.baseUrl),
    apiKey: async () => service.apiKey,
    dialect: dialects[dialect],
  });
  const reported: ToStudio[] = [];
  const asked: unknown[] = [];
  const gallery = createGallery(diskFiles(folder), imageSchemas.parseFacts);
  const controller = new StudioController({
    post: (message) => reported.push(message),
    service: async () => ({ name: "Sandbox", isSandbox: false, api, dialect: dialects[dialect] }),
    serviceName: () => "Sandbox",
    ensureFolder: async () => ({ gallery, label: "pictures", id: folder }),
    confirm: async (way, usd) => asked.push([way, usd]) > 0,
    explain: (error) => explain(error, { service: "Sandbox" }),
    imageAmount: imageSchemas.imageAmount,
    thumbs: new Thumbs(join(folder, "..", "thumbs")),
    addressProblem: async (url) => pictureUrlProblemAt(service.baseUrl, url),
    previewOf: (url) => previewOf(url, publicHostsAndThisMachine),
    saveLayers: () => {},
    saveNote: async () => {},
    saveDraft: () => {},
    draft: { ...emptyStudioDraft, size: "256x256", ...draft },
    now: () => Date.UTC(2026, 10, 22, 2, 13, 5),
    report: () => {},
    ...deps,
  });
  await controller.handle({ v: 1, type: "ready", body: {} });
  const state = (): StudioState => {
    const last = reported.findLast((message) => message.type === "state");
    if (last?.type !== "state") throw new Error("no state was posted");
    return last.state;
  };
  return { service, folder, gallery, controller, posted: reported, asked, state, api };
}

/** A PNG of one grey level. */
export function png(width: number, height: number, level = 90): Uint8Array {
  return encode({ width, height, data: new Uint8Array(width * height).fill(level), channels: 1 });
}

/** The request of the Make button. */
export const make = { v: 1, type: "make", body: {} } as const;

export function draftOf(reported: readonly ToStudio[]): StudioDraft {
  const last = reported.findLast((message) => message.type === "state");
  if (last?.type !== "state") throw new Error("no state was posted");
  return last.state.draft;
}
