import type { SqliteStore } from "../core/kernel/store/sqlite/sqlite.ts";
import { onFreePort } from "../sim/free-port.ts";
import { type Handler, type Listener, serve } from "./serve.ts";

/** The HTTP servers of local mode, each on a port that it keeps over restarts. */
export class Listeners {
  readonly #store: Pick<SqliteStore, "setting" | "setSetting">;
  readonly #serve: typeof serve;
  readonly #firstPort: number;
  readonly #open: Listener[] = [];

  /** Servers without a port get the first free one from `firstPort` on; 0 means any. */
  constructor(
    store: Pick<SqliteStore, "setting" | "setSetting">,
    { firstPort = 0, serveOn = serve } = {},
  ) {
    this.#store = store;
    this.#serve = serveOn;
    this.#firstPort = firstPort;
  }

  /**
   * Listens and returns the URL. Port 0 means the previous port; a free one when that is in use or does not exist.
   * Throws when another given port is in use.
   */
  async listen(name: string, fetch: Handler, port = 0): Promise<string> {
    const listener = await this.#listener(name, fetch, port);
    this.#store.setSetting(`port#${name}`, String(listener.port));
    this.#open.push(listener);
    return listener.url;
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map((listener) => listener.close()));
  }

  async #listener(name: string, fetch: Handler, port: number): Promise<Listener> {
    const free = () => onFreePort(this.#firstPort, (one) => this.#serve(fetch, one));
    const wanted = port || Number(this.#store.setting(`port#${name}`) ?? 0);
    if (wanted === 0) return free();
    try {
      return await this.#serve(fetch, wanted);
    } catch (error) {
      const why =
        error instanceof Error && "code" in error ? refusals[String(error.code)] : undefined;
      if (why === undefined) throw error;
      if (port === 0) return free();
      throw new Error(`port ${port} ${why}`, { cause: error });
    }
  }
}

/** Why a port cannot be used, and what to do. */
const refusals: Record<string, string> = {
  EADDRINUSE: "is in use: set PORT to another, or to 0 for any",
  EACCES: "is not open to this user: set PORT to one above 1023, or to 0 for any",
};
