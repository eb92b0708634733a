import { lookup } from "node:dns/promises";
import * as net from "node:net";
import * as tls from "node:tls";

/** A check on the way to the service. */
export interface DiagnosisStep {
  readonly step: string;
  readonly ok: boolean;
  readonly text: string;
}

const stepTimeoutMs = 8_000;

/** Resolves the host name on this machine, without a proxy. */
export async function findName(url: URL): Promise<DiagnosisStep> {
  const step = "Name";
  try {
    const found = await lookup(bareHost(url), { all: true });
    return { step, ok: true, text: `${url.hostname} is ${found.map(({ address }) => address).join(", ")}` };
  } catch (error) {
    return { step, ok: false, text: `${url.hostname} can't be resolved here (${codeOf(error)})` };
  }
}

/** Connects from this machine, without a proxy. For https it also checks the certificate. */
export function findConnection(url: URL): Promise<DiagnosisStep> {
  const secure = url.protocol === "https:";
  const step = secure ? "Connection and certificate" : "Connection";
  const port = Number(url.port) || (secure ? 443 : 80);
  const startMs = performance.now();
  return new Promise((resolve) => {
    const host = bareHost(url);
    const socket = secure
      ? tls.connect({
          host,
          port,
          rejectUnauthorized: false,
          ...(net.isIP(host) ? {} : { servername: host }),
        })
      : net.connect({ host, port });
    const done = (ok: boolean, text: string) => {
      resolve({ step, ok, text });
      socket.destroy();
    };
    socket.setTimeout(stepTimeoutMs, () => done(false, `no connection to port ${port} within 8 s`));
    socket.once("error", (error) => done(false, `port ${port}: ${codeOf(error)}`));
    socket.once(secure ? "secureConnect" : "connect", () => {
      const ms = Math.round(performance.now() - startMs);
      if (!(socket instanceof tls.TLSSocket)) return done(true, `port ${port} open, ${ms} ms`);
      const { ok, text } = describeCertificate(socket);
      done(ok, `port ${port} open, ${ms} ms; ${text}`);
    });
  });
}

function describeCertificate(socket: tls.TLSSocket): { ok: boolean; text: string } {
  const { subject, issuer, valid_to } = socket.getPeerCertificate();
  const text = `certificate of ${first(subject?.CN)}, issued by ${first(issuer?.O ?? issuer?.CN)}, valid to ${valid_to}`;
  if (socket.authorized) return { ok: true, text };
  return {
    ok: false,
    text: `${text}; not trusted by Node's own certificates (${String(socket.authorizationError)}), but possibly by the system's`,
  };
}

/** Compares the local clock with the service's Date header. Reset times are wrong if they differ. */
export function findClock(date: string | undefined, nowMs: number): DiagnosisStep | undefined {
  const theirs = Date.parse(date ?? "");
  if (Number.isNaN(theirs)) return undefined;
  const seconds = Math.round((nowMs - theirs) / 1000);
  const ok = Math.abs(seconds) <= 30;
  const text = ok
    ? "agrees with the service's"
    : `${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the service's`;
  return { step: "Clock", ok, text };
}

/** A proxy's address without user name and password. */
export function withoutCredentials(url: string): string {
  if (!URL.canParse(url)) return url === "" ? "none" : "set, but not a URL";
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

function first(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? "an unnamed subject";
}

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error) return String(error.code);
  return String(error);
}
