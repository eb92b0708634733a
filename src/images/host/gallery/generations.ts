import type { Api } from "../../../api/call/client.ts";
import { isApiError, isCancelled } from "../../../api/errors/errors.ts";
import type { Table } from "../../../api/table.ts";
import type { Explanation } from "../../../shared/errorActions.ts";
import { messageOf } from "../../../shared/messageOf.ts";
import { formatUsd } from "../../../shared/money/formatUsd.ts";
import { type ImageRequest, type PictureReply, requestPicture } from "../../../tools/requestPicture.ts";
import type { GenerationOutcome, GenerationRun, PictureFacts } from "../../protocol/studioState.ts";
import { choicesOf } from "../studio/requests/imageRequest.ts";
import { failure, notice, savedAs } from "../studio/requests/outcomes.ts";
import type { Unfinished } from "../studio/requests/unfinished.ts";
import type { Gallery } from "./gallery.ts";
import { pictureName } from "./pictureNames.ts";

/** One request and the target of its picture. */
export interface GenerationJob {
  readonly api: Api<Table>;
  readonly service: string;
  readonly request: ImageRequest;
  readonly model: string;
  readonly prompt: string;
  readonly inputs: readonly string[];
  readonly costUsd: number | undefined;
  readonly isPlayMoney: boolean;
  readonly gallery: Gallery;
}

/** A picture that was paid for and is not written yet. */
export interface PendingPicture {
  readonly name: string;
  readonly data: Uint8Array;
  readonly facts: PictureFacts;
}

export interface GenerationsDeps {
  readonly unfinished: Unfinished;
  readonly explain: (error: unknown) => Explanation;
  readonly report: (error: unknown) => void;
  readonly now: () => number;
  readonly onChange: () => void;
  /** Reads the gallery again. */
  readonly refresh: () => Promise<void>;
  /** A picture was generated and saved. */
  readonly onSaved: (picture: string) => void;
}

/** Runs one generation at a time, and holds its result. */
export class Generations {
  readonly #deps: GenerationsDeps;
  #isBusy = false;
  #run: GenerationRun | null = null;
  #stopping: AbortController | undefined;
  #outcome: GenerationOutcome | null = null;
  #unsaved: PendingPicture | undefined;

  constructor(deps: GenerationsDeps) {
    this.#deps = deps;
  }

  get run(): GenerationRun | null {
    return this.#run;
  }

  get outcome(): GenerationOutcome | null {
    return this.#outcome;
  }

  /** The picture that could not be written yet. */
  get unsaved(): PendingPicture | undefined {
    return this.#unsaved;
  }

  /** Runs the job that `prepare` resolves with, if any. Ignored while another one is prepared or runs. */
  async start(prepare: () => Promise<GenerationJob | undefined>): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      const job = await prepare();
      if (job) await this.#execute(job);
    } catch (error) {
      this.#deps.report(error);
      this.show(failure(this.#deps.explain(error)));
    } finally {
      this.#isBusy = false;
    }
  }

  stop(): void {
    this.#stopping?.abort();
  }

  /** Replaces the shown outcome. */
  show(next: GenerationOutcome | null): void {
    this.#outcome = next;
    this.#deps.onChange();
  }

  async saveUnsaved(gallery: Gallery): Promise<void> {
    if (!this.#unsaved) return;
    const { name, data, facts } = this.#unsaved;
    try {
      const saved = await gallery.add(name, data, facts);
      this.#unsaved = undefined;
      await this.#deps.refresh();
      this.show(savedAs(saved));
    } catch (error) {
      this.#deps.report(error);
      this.show(unsavedOutcome(name, error));
    }
  }

  /** The unsaved picture was saved elsewhere. */
  unsavedStored(path: string): void {
    this.#unsaved = undefined;
    this.show(notice("said", `Saved as ${path}.`));
  }

  async #execute(job: GenerationJob): Promise<void> {
    const { unfinished, onChange } = this.#deps;
    this.#stopping = new AbortController();
    this.#outcome = null;
    const startedMs = this.#deps.now();
    const onProgress = (step: Partial<GenerationRun>) => {
      this.#run = { phase: "waiting", received: 0, total: 0, ...step, startedMs };
      onChange();
    };
    onProgress({});
    await unfinished.begin(job);
    try {
      const ended = await generateAndSave(job, { signal: this.#stopping.signal, onProgress, ...this.#deps });
      this.#unsaved = ended.pending ?? this.#unsaved;
      this.#outcome = ended.outcome;
    } finally {
      unfinished.settle();
      this.#run = null;
      this.#stopping = undefined;
      onChange();
    }
    await this.#deps.refresh();
    if (this.#outcome?.kind === "kept") this.#deps.onSaved(this.#outcome.picture);
  }
}

interface GenerateOptions extends Pick<GenerationsDeps, "explain" | "report" | "now"> {
  readonly signal: AbortSignal;
  readonly onProgress: (step: Partial<GenerationRun>) => void;
}

interface GenerationEnd {
  readonly outcome: GenerationOutcome;
  /** Set if the picture could not be written. */
  readonly pending?: PendingPicture;
}

const blocked =
  "The service blocked this picture: its content is not allowed. Nothing was saved. Change the prompt and try again.";
const blurred =
  "The service blurred this picture: it found adult content. To get it unblurred, clear “Blur adult content” and generate it again.";
const stopped = "Stopped. The service may still charge for the request.";

/** Requests a picture and saves it with its metadata. Reports failures in the outcome; never throws. */
async function generateAndSave(job: GenerationJob, options: GenerateOptions): Promise<GenerationEnd> {
  const { signal, onProgress, explain, report, now } = options;
  let reply: PictureReply;
  try {
    const onBytes = (received: number, total = 0) => onProgress({ phase: "receiving", received, total });
    reply = await requestPicture(job.api, job.request, { signal, onProgress: onBytes });
  } catch (error) {
    if (isCancelled(error)) return { outcome: notice("said", stopped) };
    report(error);
    const suggestion = (isApiError(error) && error.details.suggestedPrompt) || "";
    return { outcome: { ...failure(explain(error)), suggestion, fields: fieldsOf(error) } };
  }
  if (reply.kind === "blocked") return { outcome: notice("blocked", blocked) };
  onProgress({ phase: "saving" });
  const pending = toPending(job, reply, now());
  const note = reply.isBlurred ? ` ${blurred}` : "";
  try {
    const name = await job.gallery.add(pending.name, pending.data, pending.facts);
    const cost = job.costUsd === undefined ? "" : `, ${formatUsd(job.costUsd, job.isPlayMoney)}`;
    return { outcome: { ...notice("kept", `Saved as ${name}${cost}.${note}`), picture: name } };
  } catch (error) {
    report(error);
    return { outcome: unsavedOutcome(pending.name, error), pending };
  }
}

/** The first sentence about each member of the request. */
function fieldsOf(error: unknown): GenerationOutcome["fields"] {
  const issues = isApiError(error) ? (error.details.issues ?? []) : [];
  return Object.fromEntries(
    issues.map(({ field, message }) => [field.split(".")[0] ?? "", message]).reverse(),
  );
}

function toPending(
  { prompt, model, service, inputs, costUsd, isPlayMoney, request }: GenerationJob,
  reply: Extract<PictureReply, { kind: "picture" }>,
  atMs: number,
): PendingPicture {
  const { width, height, type } = reply.head;
  const facts: PictureFacts = {
    prompt,
    model,
    seed: reply.seed ?? null,
    costUsd: costUsd ?? null,
    isPlayMoney,
    at: new Date(atMs).toISOString(),
    way: request.mode,
    width,
    height,
    service,
    isBlurred: reply.isBlurred,
    choices: choicesOf(request),
    inputs,
  };
  return { name: pictureName(prompt, atMs, type), data: reply.data, facts };
}

/** The picture is only in memory. */
function unsavedOutcome(picture: string, error: unknown): GenerationOutcome {
  const reason = messageOf(error);
  const text = `The picture was generated, but could not be saved: ${reason}. Save it before you close this window.`;
  return { ...notice("unsaved", text), picture };
}
