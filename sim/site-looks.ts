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
  /** Called after each look. */
  looked(): void;
}

/**
 * Has a hub's operators look at what a change of the site concerns: a site changes all the time, and mostly for
 * others.
 */
export class SiteLooks {
  readonly #options: SiteLooksOptions;
  /** What the site is to an object, by its uid. */
  readonly #seen = new Map<string, string>();
  #unwatch: (() => void) | undefined;
  #next: Timer | undefined;

  constructor(options: SiteLooksOptions) {
    this.#options = options;
  }

  start(): void {
    const { site, clock } = this.#options;
    // Once for all changes of the same moment: an order makes many at a time.
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
      // Its node joins by the names of its cluster.
      const { debugInfo } = read<Agent>(object).status ?? {};
      const isJoining = debugInfo?.state === "installing-in-progress";
      if (isNews || isJoining) loop.enqueue("Agent", object.metadata);
    }
    for (const object of cluster.list("HostedCluster"))
      if (this.#isNews(object, waysTo(site, read<HostedCluster>(object))))
        loop.enqueue("HostedCluster", object.metadata);
    looked();
  }

  /** Whether this is not what the site was to an object at its last change. */
  #isNews({ metadata: { uid } }: KubeObject, seen: object): boolean {
    const before = this.#seen.get(uid);
    const now = JSON.stringify(seen);
    this.#seen.set(uid, now);
    return before !== now;
  }
}
