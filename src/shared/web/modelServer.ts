import { shortened } from "../text/shortened.ts";

/** A language model server on this machine, or the reason that an address is invalid. */
export type ModelServerCheck =
  | { readonly ok: true; readonly server: ModelServer }
  | { readonly ok: false; readonly problem: string };

export interface ModelServer {
  /** Without a trailing slash and without `/v1`. */
  readonly url: string;
  /** Its product name. */
  readonly name: string;
  /** Prefix of the ids of its models. */
  readonly slug: string;
}

/** Only this machine is asked: another one could read the prompts. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** True for a model of a local server. Ids of the sandbox's own models contain no slash. */
export function isLocalModel(id: string): boolean {
  return id.includes("/");
}

const knownPorts: Readonly<Record<string, readonly [name: string, slug: string]>> = {
  "11434": ["Ollama", "ollama"],
  "1234": ["LM Studio", "lm-studio"],
};

/** Parses the address of an OpenAI-compatible server, with or without `/v1`. */
export function checkModelServer(text: string): ModelServerCheck {
  const shown = shortened(text, 80);
  const refuse = (problem: string) => ({ ok: false, problem: `"${shown}" ${problem}` }) as const;
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return refuse("is not a URL. Write it as http://127.0.0.1:8080.");
  const { protocol, hostname, host, port, pathname, username, password, search, hash } = new URL(trimmed);
  if (protocol !== "http:") return refuse("must begin with http://.");
  if (!loopback.test(hostname))
    return refuse("is not an address of this machine. Use 127.0.0.1, localhost or [::1].");
  if (username || password || search || hash) return refuse("must contain only host, port and path.");
  const path = pathname.replace(/\/+$/, "").replace(/\/v1$/, "");
  // A colon in a model id would start a list of switches (wire.md section 5).
  const plain = (host + path).replace(/[^\w.]+/g, "-").replace(/^-/, "");
  const [name, slug] = (path === "" ? knownPorts[port] : undefined) ?? [host + path, plain];
  return { ok: true, server: { url: `http://${host}${path}`, name, slug } };
}
