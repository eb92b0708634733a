import * as vscode from "vscode";
import { isCancelled } from "../../../api/errors/errors.ts";
import { withProgress } from "../../../platform/editor/dialogs/progress.ts";
import { formatUsd } from "../../../shared/money/formatUsd.ts";
import type { SpeechFormat } from "../../../shared/sound/speechFormats.ts";
import { withoutLinks } from "../../../shared/text/html/withoutLinks.ts";
import { formatNames } from "../formats/audioFormat.ts";
import { asWav, joinSound } from "../formats/joinSound.ts";
import type { Reading } from "../sound/reading.ts";
import type { Sound } from "../sound/soundStore.ts";

export interface SaveDeps {
  readonly reading: Reading;
  readonly title: string;
  readonly format: SpeechFormat;
  /** Confirms the cost of the missing sounds. False: they must not be requested. */
  readonly confirm: () => Promise<boolean>;
  /** The price of the sounds that are still missing; undefined if none is listed. */
  readonly missingUsd: () => Promise<number | undefined>;
  readonly isPlayMoney: boolean;
  /** Called with each end of the requests, so that what was paid is remembered. */
  readonly onCollected: () => void;
}

const filters: Readonly<Record<SpeechFormat, Readonly<Record<string, readonly string[]>>>> = {
  mp3: { MP3: ["mp3"] },
  opus: { "Ogg Opus": ["opus", "ogg"] },
  aac: { AAC: ["aac"] },
  flac: { FLAC: ["flac"] },
  wav: { WAV: ["wav"] },
  pcm: { WAV: ["wav"], "Raw PCM, 24 kHz, 16 bits": ["pcm"] },
};

/** Saves a reading as a file, after requesting the missing sounds. */
export async function saveReading(deps: SaveDeps): Promise<void> {
  const target = await askTarget(deps.title, deps.format);
  if (!target || !(await deps.confirm())) return;
  for (;;) {
    const sounds = await collected(deps);
    if ("sounds" in sounds) return writeSounds(target, sounds.sounds, deps.format);
    if (!(await asksToContinue(sounds, deps))) return;
  }
}

/** A save that the user stopped. */
interface Stopped {
  readonly done: number;
  readonly all: number;
  readonly paidUsd: number | undefined;
  readonly leftUsd: number | undefined;
}

async function collected({
  reading,
  title,
  missingUsd,
  onCollected,
}: SaveDeps): Promise<Stopped | { sounds: readonly Sound[] }> {
  const before = await missingUsd();
  let [done, all] = [0, 0];
  try {
    const sounds = await withProgress(`Saving ${title}`, (signal, report) =>
      reading.collect(signal, (finished, parts) => {
        [done, all] = [finished, parts];
        if (parts > 0) report({ message: `${finished} of ${parts} parts` });
      }),
    );
    return { sounds };
  } catch (error) {
    if (!isCancelled(error)) throw error;
    const leftUsd = await missingUsd();
    const paidUsd = before === undefined || leftUsd === undefined ? undefined : Math.max(0, before - leftUsd);
    return { done, all, paidUsd, leftUsd };
  } finally {
    onCollected();
  }
}

/** Says what was paid, and offers the rest for its price. */
async function asksToContinue({ done, all, paidUsd, leftUsd }: Stopped, deps: SaveDeps): Promise<boolean> {
  const { title, isPlayMoney } = deps;
  const price = (usd: number | undefined, words: string) =>
    usd === undefined ? "" : `${words}${formatUsd(usd, isPlayMoney)}`;
  const parts = `${done} of ${all} parts of ${title} were read${price(paidUsd, " for ")}.`;
  const rest = "They are stored and cost nothing again. A part that was on its way may have been billed.";
  const button = `Continue (${all - done} left${price(leftUsd, ", ")})`;
  const chosen = await vscode.window.showInformationMessage(
    withoutLinks(`Stopped. ${parts} ${rest}`),
    button,
  );
  return chosen === button;
}

async function writeSounds(
  target: vscode.Uri,
  sounds: readonly Sound[],
  format: SpeechFormat,
): Promise<void> {
  const whole = oneFile(sounds, target);
  if (whole) {
    await vscode.workspace.fs.writeFile(target, whole);
    return showSaved(`Saved ${nameOf(target)}.`, target);
  }
  const parts = await freeNames(target, sounds.length);
  for (const [index, uri] of parts.entries())
    await vscode.workspace.fs.writeFile(uri, sounds[index]?.bytes ?? new Uint8Array());
  const kind = formatNames[sounds[0]?.format ?? format];
  showSaved(
    `${kind} parts can't be joined without encoding them again, so ${parts.length} files were saved, starting with ${nameOf(parts[0])}.`,
    parts[0],
  );
}

function oneFile(sounds: readonly Sound[], { path }: vscode.Uri): Uint8Array | undefined {
  const [first] = sounds;
  if (!first || sounds.some(({ format }) => format !== first.format)) return undefined;
  const bytes = sounds.map((sound) => sound.bytes);
  return first.format === "pcm" && path.endsWith(".wav") ? asWav(bytes) : joinSound(first.format, bytes);
}

async function askTarget(title: string, format: SpeechFormat): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [extension = format] = Object.values(filters[format])[0] ?? [];
  const words = title.replace(/\.\w{1,5}(?=$|,)/, "").replace(/[^\p{L}\p{N}]+/gu, "-");
  const name = `${words.replace(/^-+|-+$/g, "").slice(0, 60) || "speech"}.${extension}`;
  const options = folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {};
  const filter = Object.fromEntries(
    Object.entries(filters[format]).map(([label, ends]) => [label, [...ends]]),
  );
  return vscode.window.showSaveDialog({ ...options, title: "Save Speech", filters: filter });
}

/** Unused names for all parts: the user confirmed to overwrite only the file of the selected name. */
async function freeNames(target: vscode.Uri, count: number): Promise<vscode.Uri[]> {
  for (let turn = 1; ; turn++) {
    const base = turn === 1 ? target : partNames(target, turn)[turn - 1];
    const names = partNames(base ?? target, count);
    const taken = await Promise.all(
      names.map((uri) =>
        vscode.workspace.fs.stat(uri).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (!taken.includes(true)) return names;
  }
}

/** `talk.flac` → `talk-1.flac`, `talk-2.flac` … */
function partNames(target: vscode.Uri, count: number): vscode.Uri[] {
  const [, stem = target.path, extension = ""] = /^(.*?)(\.[^./]*)?$/.exec(target.path) ?? [];
  const digits = String(count).length;
  return Array.from({ length: count }, (_, index) =>
    target.with({ path: `${stem}-${String(index + 1).padStart(digits, "0")}${extension}` }),
  );
}

function nameOf(uri: vscode.Uri | undefined): string {
  return uri?.path.split("/").at(-1) ?? "";
}

function showSaved(message: string, uri: vscode.Uri | undefined): void {
  const open = "Show in Explorer";
  void vscode.window.showInformationMessage(withoutLinks(message), open).then((chosen) => {
    if (chosen === open && uri) return vscode.commands.executeCommand("revealInExplorer", uri);
  });
}
