/** An item of a conversation as JSON. */
type Item = Readonly<Record<string, unknown>>;

interface StoredResponse {
  readonly previous: string | undefined;
  /** What this request added, and what was answered. */
  readonly items: readonly Item[];
  /** Characters of the items as JSON. */
  readonly size: number;
}

const maxClients = 16;
const maxResponses = 500;
const maxSize = 16 * 1024 * 1024;
/** Requests of one conversation. */
const maxChain = 10_000;

/**
 * Remembers the answers of each client in memory, so that a request can continue one by its id. The least recently used
 * are forgotten at 500 answers or 16 MB of a client. Each answer holds its own turn and the id of the one before.
 */
export class ResponseStore {
  readonly #clients = new Map<string, ClientResponses>();

  of(client: string): ClientResponses {
    const known = this.#clients.get(client) ?? new ClientResponses();
    this.#clients.delete(client);
    this.#clients.set(client, known);
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > maxClients && oldest !== undefined) this.#clients.delete(oldest);
    return known;
  }
}

export class ClientResponses {
  /** The least recently used first. */
  readonly #responses = new Map<string, StoredResponse>();
  readonly #items = new Map<string, Item>();
  #size = 0;

  add(id: string, previous: string | undefined, items: readonly Item[]): void {
    const size = JSON.stringify(items).length;
    if (size > maxSize) return;
    this.#responses.set(id, { previous, items, size });
    this.#size += size;
    for (const item of items) if (typeof item.id === "string") this.#items.set(item.id, item);
    // An answer is forgotten before those that it continues.
    this.#chainOf(id);
    while (this.#responses.size > maxResponses || this.#size > maxSize) this.#forgetOldest();
  }

  /** All items of a conversation up to an answer, in their order; undefined if one of its answers is not known. */
  conversation(id: string): Item[] | undefined {
    return this.#chainOf(id)
      ?.reverse()
      .flatMap(({ items }) => items);
  }

  item(id: string): Item | undefined {
    return this.#items.get(id);
  }

  /** An answer and those before it, the last one first, which are now the most recently used. */
  #chainOf(id: string): StoredResponse[] | undefined {
    const chain: StoredResponse[] = [];
    for (let at: string | undefined = id; at !== undefined; ) {
      const response: StoredResponse | undefined = this.#responses.get(at);
      if (!response || chain.length >= maxChain) return undefined;
      this.#responses.delete(at);
      this.#responses.set(at, response);
      chain.push(response);
      at = response.previous;
    }
    return chain;
  }

  #forgetOldest(): void {
    const [oldest] = this.#responses;
    if (!oldest) return;
    const [id, { items, size }] = oldest;
    this.#responses.delete(id);
    this.#size -= size;
    for (const item of items)
      if (typeof item.id === "string" && this.#items.get(item.id) === item) this.#items.delete(item.id);
  }
}
