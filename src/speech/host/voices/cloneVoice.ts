import * as vscode from "vscode";
import { uploadFromBytes } from "../../../api/call/body/upload.ts";
import { ask, choose } from "../../../platform/editor/dialogs/ask.ts";
import { warnModally } from "../../../platform/editor/dialogs/modal.ts";
import { withProgress } from "../../../platform/editor/dialogs/progress.ts";
import { sayFailure } from "../../../session/sandbox/readiness.ts";
import { commands } from "../../../shared/names/ids.ts";
import { withoutLinks } from "../../../shared/text/html/withoutLinks.ts";
import type { SpeechModelCard } from "../../protocol/speechProtocol.ts";
import type { SpeechDeps } from "../deps.ts";
import { checkSample, maxBytes, sampleExtensions } from "./checkSample.ts";
import type { ClonedVoice, ClonedVoices } from "./clonedVoices.ts";

export interface CloneDeps extends SpeechDeps {
  readonly voices: ClonedVoices;
}

/** Creates a voice from a sample file and stores it; undefined if the user cancels or it fails. */
export async function cloneVoice(
  deps: CloneDeps,
  models: readonly SpeechModelCard[],
  chosen: SpeechModelCard | undefined,
): Promise<ClonedVoice | undefined> {
  const cloningModels = models.filter(({ cloning }) => cloning);
  if (cloningModels.length === 0) {
    void vscode.window.showWarningMessage("No speech model of this service can clone voices.");
    return undefined;
  }
  const model = chosen?.cloning ? chosen : await pickModel(cloningModels);
  if (!model?.cloning) return undefined;
  const sample = await pickSample(model);
  if (!sample) return undefined;
  const checked = checkSample(sample.name, sample.size, sample.bytes, model.cloning);
  if ("problem" in checked) {
    void vscode.window.showWarningMessage(withoutLinks(checked.problem));
    return undefined;
  }
  const answer = await ask({
    title: `Clone a Voice for ${model.name}`,
    prompt:
      "Enter a name for the voice. The sample is sent to the service; use only a voice that you have the right to use.",
    value: sample.name.replace(/\.[^.]*$/, ""),
    problem: (value) => (value.trim() === "" ? "Enter a name." : undefined),
  });
  if (answer === undefined || answer === "back") return undefined;
  return upload(deps, model, { ...sample, type: checked.type, title: answer.value.trim() });
}

interface Sample {
  readonly name: string;
  readonly size: number;
  /** Empty if the file is too large. */
  readonly bytes: Uint8Array;
}

async function upload(
  deps: CloneDeps,
  model: SpeechModelCard,
  { name, bytes, type, title }: Sample & { readonly type: string; readonly title: string },
): Promise<ClonedVoice | undefined> {
  try {
    const client = await deps.session.client({ kind: "speech" });
    const { id, model: modelId } = await withProgress(`Creating a voice from ${name}`, (signal) =>
      client.api.audio.createVoice({ file: uploadFromBytes(name, type, bytes), model: model.id }, { signal }),
    );
    const voice = {
      handle: id,
      name: title,
      modelId,
      connectionId: client.connection.id,
      atMs: Date.now(),
      retentionDays: model.cloning?.retentionDays ?? 0,
    };
    await deps.voices.add(voice);
    void vscode.window.showInformationMessage(
      withoutLinks(`“${title}” was created. It works only with ${model.name}.`),
    );
    return voice;
  } catch (error) {
    sayFailure(deps, error, () => vscode.commands.executeCommand(commands.speechCloneVoice));
    return undefined;
  }
}

async function pickModel(models: readonly SpeechModelCard[]): Promise<SpeechModelCard | undefined> {
  const [only] = models;
  if (models.length === 1) return only;
  const items = models.map((value) => ({ label: value.name, description: value.id, value }));
  const picked = await choose({
    title: "Clone a Voice",
    placeholder: "Select the model for the voice",
    items,
  });
  return picked === "back" ? undefined : picked?.value;
}

async function pickSample(model: SpeechModelCard): Promise<Sample | undefined> {
  const filters = model.cloning ? { Sound: sampleExtensions(model.cloning) } : {};
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: "Sample of the Voice",
      openLabel: "Use Sample",
      filters,
    })) ?? [];
  if (!uri) return undefined;
  const { size } = await vscode.workspace.fs.stat(uri);
  const name = uri.path.split("/").at(-1) ?? "sample";
  const bytes = size > maxBytes ? new Uint8Array() : await vscode.workspace.fs.readFile(uri);
  return { name, size, bytes };
}

/** Confirms, then deletes the handle of a voice; false if the user cancels. */
export async function forgetVoice(voices: ClonedVoices, handle: string): Promise<boolean> {
  const voice = voices.find(handle);
  if (!voice) return false;
  const yes = "Forget Voice";
  const detail = `Its handle is ${handle}. The voice is not deleted at the service, but it can't be used without the handle.`;
  const question = `Forget the voice “${voice.name}”?`;
  if ((await warnModally(question, { detail }, yes)) !== yes) return false;
  await voices.forget(handle);
  return true;
}
