import * as vscode from "vscode";
import type { Called } from "../../../api/call/record/callRecorder.ts";
import { createHostTransport } from "../../../api/transport/host.ts";
import { warnModally } from "../../../platform/editor/dialogs/modal.ts";
import { readRequestSettings } from "../../../platform/settings.ts";
import { isLoopback } from "../../../session/connection/baseUrl.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import type { ConsentKey } from "../../../session/consent/consent.ts";
import { settings } from "../../../shared/names/ids.ts";
import { withoutLinks } from "../../../shared/text/html/withoutLinks.ts";
import type { RequestsDeps } from "../deps.ts";
import type { RequestHead } from "../log/requestHead.ts";
import { toSpan } from "./otlpSpan.ts";
import { TraceExporter } from "./traceExporter.ts";

/** Where spans are sent, and whether they have what was asked and answered. */
interface Receiver {
  readonly url: string;
  readonly origin: string;
  readonly withContent: boolean;
}

/** The address of the setting; undefined for none. */
export function readReceiver(
  address: string,
  withContent: boolean,
): Receiver | { readonly problem: string } | undefined {
  if (address === "") return undefined;
  if (!URL.canParse(address)) return { problem: "it is not a URL" };
  const url = new URL(address);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(address)))
    return { problem: "it must begin with https://, or be http:// on this computer" };
  if (url.username || url.password || url.search || url.hash)
    return { problem: "it must not contain a user name, a password, ? or #" };
  const path = url.pathname.replace(/\/+$/, "");
  return {
    url: `${url.origin}${path.endsWith("/v1/traces") ? path : `${path}/v1/traces`}`,
    origin: url.origin,
    withContent,
  };
}

/** Each has its bodies. Of more calls there is no span. */
const mostWaiting = 64;

/** Sends a span for each call to the collector of the setting, after the user has agreed to the address. */
export class Traces implements vscode.Disposable {
  readonly #deps: RequestsDeps;
  #exporter: { readonly receiver: Receiver; readonly exporter: TraceExporter } | undefined;
  /** The address and level that the user was asked about in this window, or that can't be used. */
  #decided = "";
  #asking: Promise<boolean> | undefined;
  /** Calls that wait for the answer of the user, who may be away for hours. */
  #waiting = 0;

  constructor(deps: RequestsDeps) {
    this.#deps = deps;
  }

  /** Waits for the user's answer about a new address. */
  async record(connection: Connection, head: RequestHead, called: Called): Promise<void> {
    const receiver = this.#receiver();
    if (!receiver || (this.#asking && this.#waiting >= mostWaiting)) return;
    this.#waiting += 1;
    const isAllowed = await this.#isAllowed(receiver).finally(() => {
      this.#waiting -= 1;
    });
    if (!isAllowed) return;
    const { withContent } = receiver;
    this.#exporterFor(receiver).add(toSpan(head, called, { server: serverOf(connection), withContent }));
  }

  /** The settings have changed: asks about a new address at once. */
  async configure(): Promise<void> {
    this.#decided = "";
    const receiver = this.#receiver();
    if (receiver) await this.#isAllowed(receiver);
    else this.#drop();
  }

  dispose(): void {
    this.#drop();
  }

  #receiver(): Receiver | undefined {
    const { traceAddress, tracesContent } = readRequestSettings();
    const receiver = readReceiver(traceAddress, tracesContent);
    if (!receiver || !("problem" in receiver)) return receiver;
    if (this.#decided !== traceAddress) {
      this.#decided = traceAddress;
      void vscode.window.showWarningMessage(
        `Traces are not sent, because the address in ${settings.requestsTraceAddress} can't be used: ${receiver.problem}.`,
      );
    }
    return undefined;
  }

  /** A question that is open is not asked again, and one that was refused not before the settings change. */
  #isAllowed(receiver: Receiver): Promise<boolean> {
    if (this.#deps.consents.use(consentKey(receiver))) return Promise.resolve(true);
    const asked = JSON.stringify(receiver);
    if (this.#decided === asked) return Promise.resolve(false);
    this.#asking ??= this.#ask(receiver).finally(() => {
      this.#decided = asked;
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(receiver: Receiver): Promise<boolean> {
    const { origin, withContent } = receiver;
    const content = withContent
      ? "It also has what was asked and answered: prompts, files in them, and answers. Secrets that are recognised are removed."
      : "It has no prompt and no answer.";
    const detail = `${origin} gets a span for each request of this extension: time, service, model, tokens, price, source, errors. ${content} It gets no key.\n\nThe setting ${settings.requestsTraceAddress} has the address. Your answer counts until you revoke it.`;
    const button = "Send Traces";
    if ((await warnModally(`Send traces of your requests to ${origin}?`, { detail }, button)) !== button)
      return false;
    const what = withContent ? "traces with prompts and answers" : "traces without prompts and answers";
    await this.#deps.consents.give({ ...consentKey(receiver), says: `Send ${what} to ${origin}` });
    return true;
  }

  #exporterFor(receiver: Receiver): TraceExporter {
    const known = this.#exporter;
    if (known?.receiver.url === receiver.url && known.receiver.withContent === receiver.withContent)
      return known.exporter;
    this.#drop();
    const exporter = new TraceExporter({
      url: receiver.url,
      extensionVersion: this.#deps.extensionVersion,
      transport: createHostTransport(),
      maySend: () => this.#deps.consents.find(consentKey(receiver)) !== undefined,
      onFailure: (reason) => {
        this.#deps.log.warn(`traces were not sent to ${receiver.origin}: ${reason}`);
        void vscode.window.showWarningMessage(
          withoutLinks(`Traces can't be sent to ${receiver.origin}: ${reason}. Nothing else is affected.`),
        );
      },
    });
    this.#exporter = { receiver, exporter };
    return exporter;
  }

  #drop(): void {
    this.#exporter?.exporter.dispose();
    this.#exporter = undefined;
  }
}

function consentKey({ origin, withContent }: Receiver): ConsentKey {
  return { kind: "traces", receiver: origin, subject: [withContent ? "content" : "facts"] };
}

/** The sandbox has no address of its own. */
function serverOf({ baseUrl }: Connection) {
  if (!URL.canParse(baseUrl)) return undefined;
  const { hostname, port, protocol } = new URL(baseUrl);
  return { address: hostname, port: Number(port) || (protocol === "http:" ? 80 : 443) };
}
