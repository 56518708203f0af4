import type { Clock, Timer } from "../core/clock.ts";
import type { Host } from "./host.ts";
import type { KubeCluster, KubeObject } from "./kubernetes/cluster.ts";
import { networkOf } from "./operators/agent-network.ts";
import type { ControlLoop } from "./operators/control-loop.ts";
import { type Agent, type HostedCluster, read } from "./operators/objects.ts";
import { waysTo } from "./operators/published-api.ts";
import type { SiteEffects } from "./site-effects.ts";

interface SiteLooksOptions {
  cluster: KubeCluster;
  clock: Clock;
  site: SiteEffects;
  loop: ControlLoop;
  host(id: string): Host | undefined;
  /** Called after each check. */
  looked(): void;
}

/**
 * Queues the objects of a hub that a change of the site concerns, since a site changes often, and mostly for others.
 */
export class SiteLooks {
  readonly #options: SiteLooksOptions;
  /** The last state of the site for an object, by the object's uid. */
  readonly #seen = new Map<string, string>();
  #unwatch: (() => void) | undefined;
  #next: Timer | undefined;

  constructor(options: SiteLooksOptions) {
    this.#options = options;
  }

  start(): void {
    const { site, clock } = this.#options;
    // One check for all changes at the same time, since an order makes many.
    this.#unwatch = site.watch(() => {
      this.#next ??= clock.after(0, () => this.#look());
    });
  }

  stop(): void {
    this.#unwatch?.();
    this.#next?.cancel();
    this.#next = undefined;
  }

  #look(): void {
    this.#next = undefined;
    const { cluster, loop, site, host: machine, looked } = this.#options;
    for (const object of cluster.list("Agent")) {
      const host = machine(object.metadata.name);
      const isNews = host && this.#isNews(object, networkOf(host, site));
      // Its node uses the names of its cluster to join.
      const { debugInfo } = read<Agent>(object).status ?? {};
      const isJoining = debugInfo?.state === "installing-in-progress";
      if (isNews || isJoining) loop.enqueue("Agent", object.metadata);
    }
    for (const object of cluster.list("HostedCluster"))
      if (this.#isNews(object, waysTo(site, read<HostedCluster>(object))))
        loop.enqueue("HostedCluster", object.metadata);
    looked();
  }

  /** Whether the site has changed for an object since the last check. */
  #isNews({ metadata: { uid } }: KubeObject, seen: object): boolean {
    const before = this.#seen.get(uid);
    const now = JSON.stringify(seen);
    this.#seen.set(uid, now);
    return before !== now;
  }
}
