import { setTimeout as pause } from "node:timers/promises";
import type { ProviderApi } from "./api.ts";
import { teller } from "./telling.ts";

/** Shows what Slipway does with the servers of the demo. */
export class Servers {
  readonly #api: ProviderApi;
  /** The operations that were already shown or skipped. */
  readonly #told = new Set<string>();

  constructor(api: ProviderApi) {
    this.#api = api;
  }

  /** Skips the earlier operations of a host. */
  async skip(host: string): Promise<void> {
    for (const id of await this.#api.operationsOn(host)) this.#told.add(id);
  }

  /** Waits for the next operation on a host or a DPU, and shows it until it has ended. */
  async follow(target: string): Promise<void> {
    for (;;) {
      const next = (await this.#api.operationsOn(target)).find((id) => !this.#told.has(id));
      if (next !== undefined) {
        this.#told.add(next);
        return this.#api.follow(next, teller());
      }
      await pause(100);
    }
  }

  /** Waits until every host is available, and returns their ids. Throws when a host is quarantined. */
  async untilFree(): Promise<Set<string>> {
    for (;;) {
      const hosts = await this.#api.hosts();
      const aside = hosts.find(({ status }) => status.state === "HOST_STATE_QUARANTINED");
      if (aside) throw new Error(`${aside.metadata.name}: ${aside.status.message}`);
      if (hosts.every(({ status }) => status.state === "HOST_STATE_AVAILABLE"))
        return new Set(hosts.map(({ id }) => id));
      await pause(100);
    }
  }
}
