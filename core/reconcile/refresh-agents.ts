import type { Deps } from "../kernel/deps.ts";
import type { Placed } from "../kernel/object/traits.ts";
import { heldHosts } from "../placement/release.ts";
import { isRepeated } from "../ports/hub/observation.ts";
import { agentOf, macsOf } from "../resources/host/observed.ts";
import { observe } from "./observe.ts";
import { noteMissing, seenIn } from "./refresh.ts";

/**
 * Reads the agents of the hosts that a target holds and writes their state; a missing agent is recorded
 * as gone. Throws Unavailable.
 */
export async function refreshAgents(deps: Deps, target: Placed): Promise<void> {
  if (!target.placement) return;
  const { hub } = target.placement;
  const hosts = (await heldHosts(deps, target)).map(({ host }) => host);
  const byMac = new Map(hosts.flatMap((host) => host.spec.nics.map(({ mac }) => [mac, host])));
  const client = await deps.hubs.client(hub);
  const at = deps.clock.now();
  const news = await client.agents.readAll();
  for (const item of news) {
    const host = macsOf(item).flatMap((mac) => byMac.get(mac) ?? [])[0];
    // What the host's record has already would be read there once more, and nothing written.
    if (host && !isRepeated(agentOf(host), item)) await observe(deps, hub, item, at);
  }
  const read = { seen: seenIn(news), at };
  for (const host of hosts) await noteMissing(deps, host, read);
}
