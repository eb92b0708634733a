import * as vscode from "vscode";
import type { AskedSignIn } from "../api/call/client.ts";
import { ApiError } from "../api/errors/errors.ts";
import { ask } from "../platform/editor/dialogs/ask.ts";
import { readWalletCommand } from "../platform/settings.ts";
import { shortAddress } from "../shared/rpc/hex.ts";
import { SerialQueue } from "../shared/serialQueue.ts";
import { visibleLine } from "../shared/text/html/visibleText.ts";
import { shortened } from "../shared/text/shortened.ts";
import { readSignIn, type SignInChallenge, signInChallenge } from "./signIn.ts";
import { askWalletProgram, notSigned } from "./walletProgram.ts";
import type { ConnectionWallet } from "./walletText.ts";

/** A request that a wallet pays: the connection's address and name, and what is asked. */
export interface WalletRequest extends AskedSignIn {
  readonly wallet: ConnectionWallet;
  /** The API root of the service. */
  readonly root: string;
  readonly service: string;
}

/** What the calls that a wallet can pay do, for the user who signs. */
const purposes: Readonly<Record<string, string>> = {
  "rpc.call": "a chain call",
  "audio.speech": "speech",
  "images.edit": "a picture edit",
  "images.multiEdit": "a picture edit",
  "wallet.balance": "the balance of the wallet",
  "wallet.transactions": "the transactions of the wallet",
};

/** Nonces that were sent. Each is valid for five minutes, so the oldest can be forgotten. */
const mostNonces = 1_000;

/**
 * Asks for the sign-in of each request: a program of the user's, or the user, who pastes it. It holds no key, and keeps
 * no sign-in. One is asked for at a time, since a hardware wallet and a person can answer only one.
 */
export class WalletSigner {
  readonly #queue = new SerialQueue();
  readonly #used = new Set<string>();

  /** The value of the header for one request. Rejects with an ApiError `not-signed` or `cancelled`. */
  sign(request: WalletRequest): Promise<string> {
    return this.#queue.run(async () => {
      if (request.signal?.aborted) throw cancelled();
      const isByProgram = request.wallet.signer === "command";
      const { header, nonce } = isByProgram ? await this.#byProgram(request) : await this.#byHand(request);
      this.#remember(nonce);
      return header;
    });
  }

  async #byProgram(request: WalletRequest) {
    const challenge = challengeOf(request);
    const title = `$(credit-card) Waiting for the wallet to sign ${purposeOf(request)}…`;
    const run = () => askWalletProgram(readWalletCommand(), challenge, { signal: request.signal });
    const answer = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, run);
    const read = this.#read(answer, challenge);
    if (typeof read === "string") throw notSigned(`the program's answer can't be sent: ${read}`);
    return read;
  }

  async #byHand(request: WalletRequest) {
    const { wallet, service, refused, signal } = request;
    let challenge = challengeOf(request);
    const why = refused ? `${service} refused the last one: ${said(refused)}. ` : "";
    const answer = await ask({
      title: `Wallet Sign-In for ${visibleLine(service)}`,
      prompt: `${why}Copy the message with the button above, sign it with ${shortAddress(wallet.address)}, and paste the signature (0x…) or a whole sign-in header. It pays for ${purposeOf(request)}, once.`,
      placeholder: "Paste the signature",
      password: true,
      copied: {
        label: "Copy the Message to Sign",
        // A message is valid for five minutes, so each copy is a new one.
        text: () => {
          challenge = challengeOf(request);
          return challenge.message;
        },
      },
      ...(signal ? { signal } : {}),
      prove: async (value) => {
        const read = this.#read(value, challenge);
        return typeof read === "string" ? `This can't be sent: ${read}.` : undefined;
      },
    });
    const read = typeof answer === "object" ? this.#read(answer.value, challenge) : undefined;
    if (typeof read !== "object") throw cancelled();
    return read;
  }

  #read(answer: string, challenge: SignInChallenge) {
    return readSignIn(answer, challenge, { nowMs: Date.now(), isUsed: (nonce) => this.#used.has(nonce) });
  }

  #remember(nonce: string): void {
    this.#used.add(nonce);
    const [oldest] = this.#used;
    if (this.#used.size > mostNonces && oldest !== undefined) this.#used.delete(oldest);
  }
}

function challengeOf({ root, wallet }: WalletRequest): SignInChallenge {
  return signInChallenge(root, wallet.address, Date.now());
}

function purposeOf({ endpoint }: WalletRequest): string {
  return purposes[endpoint] ?? "one request";
}

function said({ message }: ApiError): string {
  return shortened(visibleLine(message), 120);
}

function cancelled(): ApiError {
  return new ApiError("cancelled", "the sign-in was cancelled", { mayHaveArrived: false });
}
