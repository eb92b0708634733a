/** A server of language models on this machine, or the sentence that says why an address is none. */
export type ModelServerCheck =
  | { readonly ok: true; readonly server: ModelServer }
  | { readonly ok: false; readonly problem: string };

export interface ModelServer {
  /** Without a slash at its end and without `/v1`. */
  readonly url: string;
  /** The name that people know. */
  readonly name: string;
  /** Stands before the ids of its models. */
  readonly slug: string;
}

/** Other machines would read what is asked, so they are never asked. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** True for a model of a local server. Ids of the sandbox's own models have no slash. */
export function isLocalModel(id: string): boolean {
  return id.includes("/");
}

const knownPorts: Readonly<Record<string, readonly [name: string, slug: string]>> = {
  "11434": ["Ollama", "ollama"],
  "1234": ["LM Studio", "lm-studio"],
};

/** Reads the address of an OpenAI-compatible server, with or without its `/v1`. */
export function checkModelServer(text: string): ModelServerCheck {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  const refuse = (problem: string) => ({ ok: false, problem: `"${shown}" ${problem}` }) as const;
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return refuse("is not a URL. Write it as http://127.0.0.1:8080.");
  const { protocol, hostname, host, port, pathname, username, password, search, hash } = new URL(trimmed);
  if (protocol !== "http:") return refuse("does not begin with http://.");
  if (!loopback.test(hostname))
    return refuse("is not an address of this machine. Use 127.0.0.1, localhost or [::1].");
  if (username || password || search || hash) return refuse("holds more than host, port and path.");
  const path = pathname.replace(/\/+$/, "").replace(/\/v1$/, "");
  // A colon in an id would begin a list of switches (wire.md section 5).
  const plain = (host + path).replace(/[^\w.]+/g, "-").replace(/^-/, "");
  const [name, slug] = (path === "" ? knownPorts[port] : undefined) ?? [host + path, plain];
  return { ok: true, server: { url: `http://${host}${path}`, name, slug } };
}
