import * as vscode from "vscode";
import { withProgress } from "../../../platform/editor/dialogs/progress.ts";
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
export async function saveReading({ reading, title, format, confirm }: SaveDeps): Promise<void> {
  const target = await askTarget(title, format);
  if (!target || !(await confirm())) return;
  const sounds = await withProgress(`Saving ${title}`, (signal, report) =>
    reading.collect(signal, (done, all) => {
      if (all > 0) report({ message: `${done} of ${all} parts` });
    }),
  );
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
