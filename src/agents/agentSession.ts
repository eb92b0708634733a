import * as z from "zod";
import { Refusal } from "../platform/errors/refusal.ts";
import type { LineStart } from "../platform/process/lineProgram.ts";
import { messageOf } from "../shared/messageOf.ts";
import { AgentTurn, type TurnHost } from "./agentTurn.ts";
import { titleLine } from "./turnView.ts";
import type { AgentLimits } from "./wire/agentLimits.ts";
import {
  Initialized,
  NewSession,
  Prompted,
  protocolVersion,
  SessionUpdate,
  type StopReason,
} from "./wire/agentMessages.ts";
import { AgentError, RpcPeer } from "./wire/rpcPeer.ts";

/** A part of a question. */
export type PromptBlock =
  | { readonly type: "text"; readonly text: string }
  /** `data`: base64. */
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

export interface AgentStart extends LineStart {
  /** Of the agent, for sentences. */
  readonly name: string;
  /** Of this extension. */
  readonly version: string;
  /** The model of the session, for an agent that is not started with one. */
  readonly model?: string;
}

/**
 * A session of another agent: its program, which it does not outlive. What the agent says is data. Each failure is a
 * `Refusal` with a sentence that names the agent.
 */
export class AgentSession {
  readonly #name: string;
  readonly #limits: AgentLimits;
  readonly #peer: RpcPeer;
  #id = "";
  #takesPictures = false;
  #turn: AgentTurn | undefined;

  private constructor(start: AgentStart, limits: AgentLimits) {
    this.#name = start.name;
    this.#limits = limits;
    this.#peer = new RpcPeer(start, limits, {
      onRequest: (method, params) => {
        if (!this.#turn) throw new Error("No question is being answered.");
        return this.#turn.answer(method, params);
      },
      onNotification: (method, params) => this.#take(method, params),
      onMessage: () => this.touch(),
    });
  }

  /** Starts the program, and a session in its folder. Rejects with a Refusal, and then nothing of it runs. */
  static async open(start: AgentStart, limits: AgentLimits, signal: AbortSignal): Promise<AgentSession> {
    const session = new AgentSession(start, limits);
    const late = setTimeout(() => session.kill("it did not answer in time"), limits.startMs);
    const stop = () => session.kill();
    signal.addEventListener("abort", stop, { once: true });
    try {
      signal.throwIfAborted();
      await session.#open(start);
      return session;
    } catch (error) {
      session.kill();
      signal.throwIfAborted();
      throw session.#refusal("could not be started", error);
    } finally {
      clearTimeout(late);
      signal.removeEventListener("abort", stop);
    }
  }

  get hasEnded(): boolean {
    return this.#peer.hasEnded;
  }

  /** True if a question may have pictures. */
  get takesPictures(): boolean {
    return this.#takesPictures;
  }

  /** Something happens for this agent: it is not silent. */
  touch(): void {
    this.#turn?.touch();
  }

  /**
   * Asks the agent. An abort cancels the turn, and ends the program if it does not follow. Rejects with a Refusal if the
   * program ends or fails.
   */
  async prompt(prompt: readonly PromptBlock[], host: TurnHost, signal: AbortSignal): Promise<StopReason> {
    signal.throwIfAborted();
    if (this.#turn) throw new Refusal(`${this.#name} is answering another question. Wait for its end.`);
    const turn = new AgentTurn(this.#id, host, this.#limits, (why) => this.kill(why));
    this.#turn = turn;
    let late: NodeJS.Timeout | undefined;
    const cancel = () => {
      this.#peer.notify("session/cancel", { sessionId: this.#id });
      turn.cancel();
      late = setTimeout(() => this.kill("it did not stop when it was asked to"), this.#limits.cancelMs);
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const answer = await this.#peer.request("session/prompt", { sessionId: this.#id, prompt });
      return Prompted.parse(answer).stopReason;
    } catch (error) {
      signal.throwIfAborted();
      throw this.#refusal("stopped", error);
    } finally {
      clearTimeout(late);
      signal.removeEventListener("abort", cancel);
      turn.end();
      this.#turn = undefined;
    }
  }

  /** Ends the program and all that it has started. `why`: what it has done wrong, as the beginning of a sentence. */
  kill(why?: string): void {
    this.#peer.kill(why);
  }

  /** Resolves when the program has ended. */
  get whenOver(): Promise<void> {
    return this.#peer.whenOver;
  }

  async #open({ folder, version, model }: AgentStart): Promise<void> {
    await this.#peer.start();
    const capabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: false };
    const known = await this.#peer.request("initialize", {
      protocolVersion,
      clientCapabilities: capabilities,
      clientInfo: { name: "inference-workbench", title: "Inference Workbench", version },
    });
    const { protocolVersion: spoken, agentCapabilities } = Initialized.parse(known);
    if (spoken !== protocolVersion) throw new OtherVersion(spoken);
    this.#takesPictures = agentCapabilities.promptCapabilities.image;
    this.#id = NewSession.parse(
      await this.#peer.request("session/new", { cwd: folder, mcpServers: [] }),
    ).sessionId;
    if (model !== undefined)
      await this.#peer.request("session/set_model", { sessionId: this.#id, modelId: model });
  }

  #take(method: string, params: unknown): void {
    if (method !== "session/update") return;
    const { data } = SessionUpdate.safeParse(params);
    if (data) this.#turn?.take(data);
  }

  /** `Cline stopped: …`. */
  #refusal(what: string, error: unknown): Refusal {
    const reason = this.#peer.hasEnded ? this.#peer.end : reasonOf(error);
    const line = titleLine(reason).replace(/[.\s]+$/, "");
    if (error instanceof AgentError && error.code === signInCode)
      return new Refusal(
        `${this.#name} asks you to sign in: ${line}. Start it in a terminal, sign in there, and try again.`,
      );
    const isOld = error instanceof OtherVersion && error.spoken < protocolVersion;
    const update = isOld ? this.#name : "this extension";
    const step =
      error instanceof OtherVersion
        ? `Update ${update}, and try again.`
        : "Try again, or start it in a terminal to see why.";
    return new Refusal(`${this.#name} ${what}: ${line}. ${step}`);
  }
}

/** Of an agent that wants the user to sign in. */
const signInCode = -32_000;

class OtherVersion extends Error {
  readonly spoken: number;

  constructor(spoken: number) {
    super(`it speaks version ${spoken} of the protocol, and this extension ${protocolVersion}`);
    this.spoken = spoken;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof z.ZodError ? "its answer is not one of the protocol" : messageOf(error);
}
