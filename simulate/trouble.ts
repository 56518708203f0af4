import { minutes } from "../core/clock.ts";
import { clusterLabel } from "../core/ports/hub/clusters/labels.ts";
import { seeded } from "../test/support/random.ts";
import { type Chance, chance } from "./chance.ts";
import type { Trouble } from "./plan.ts";
import type { System } from "./system.ts";

/** Trouble that affects more than one call: something is unavailable for some time. */

type Begin = (system: System, draws: Chance) => void;

const between = ({ below }: Chance, least: number, most: number): number =>
  least + below(most - least);

const siteAway =
  (which: "fabric" | "dns" | "storage"): Begin =>
  ({ worlds, outages }, draws) =>
    outages.begin(which, draws.pick(worlds.sites).id, between(draws, minutes(2), minutes(20)));

const begins: Record<Trouble, Begin> = {
  "a host dies": hostDies,
  "an installation fails": ({ worlds }, { pick }) => {
    const hub = pick(worlds.hubs()).id;
    const { world } = worlds.find(hub)?.site ?? {};
    world?.faults.add({ target: `hub:${hub}`, operation: "install", fault: "error" });
  },
  "a hub is unreachable": ({ worlds, outages }, draws) =>
    outages.begin("hub", draws.pick(worlds.hubs()).id, between(draws, minutes(2), minutes(30))),
  "a hub's API server restarts": ({ worlds }, { pick }) => pick(worlds.hubs()).restart(),
  "a fabric is unreachable": siteAway("fabric"),
  "a DNS server is unreachable": siteAway("dns"),
  "a storage is unreachable": siteAway("storage"),
  "all workers die": ({ slipway }) => slipway.workers.killAll(),
  "Slipway restarts": (system) => system.restart(),
};

/** Begins trouble, and counts it. */
export function beginTrouble(system: System, trouble: Trouble, draw: number): void {
  begins[trouble](system, chance(seeded(draw)));
  system.dice.note(trouble);
}

/** Cuts a machine's power for some time, after which the machine may have another owner. */
function hostDies({ worlds, clock, deadHosts }: System, draws: Chance): void {
  const hub = draws.pick(worlds.hubs());
  const namespaces = hub.hosted.list();
  if (namespaces.length === 0) return;
  const namespace = draws.pick(namespaces);
  const nodes = hub.hosted.get(namespace)?.cluster.list("Node") ?? [];
  if (nodes.length === 0) return;
  const { name } = draws.pick(nodes).metadata;
  const set = (isDown: boolean) => {
    const guest = hub.hosted.get(namespace)?.cluster;
    if (!guest?.get("Node", undefined, name)) return;
    guest.mutate("Node", undefined, name, (node) => ({
      ...node,
      metadata: {
        ...node.metadata,
        annotations: { ...node.metadata.annotations, "sim.slipway.dev/down": String(isDown) },
      },
    }));
  };
  const time = between(draws, minutes(10), minutes(120));
  const cluster = hub.cluster
    .list("HostedCluster")
    .find(({ metadata: { namespace: home, name } }) => `${home}-${name}` === namespace);
  deadHosts.note(cluster?.metadata.labels?.[clusterLabel] ?? "", time);
  set(true);
  clock.after(time, () => set(false));
}
