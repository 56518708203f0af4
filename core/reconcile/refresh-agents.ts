import type { ObjectOf } from "../kernel/object/object-of.ts";
import { mustLoad } from "../kernel/object/records.ts";
import type { Placed } from "../kernel/object/traits.ts";
import type { StepDeps } from "../kernel/saga/context.ts";
import { heldHosts } from "../placement/reserve/release.ts";
import { macsOf } from "../resources/host/observed.ts";
import { observe } from "./observe.ts";
import { noteMissing, seenIn } from "./refresh.ts";
import { unheard } from "./repeated.ts";

/**
 * Reads the agents of the hosts that a target holds and writes their state; a missing agent is recorded
 * as gone. Throws Unavailable.
 */
export async function refreshAgents(deps: StepDeps, target: Placed): Promise<void> {
  if (!target.placement) return;
  await refreshOf(
    deps,
    target.placement.hub,
    (await heldHosts(deps, target)).map(({ host }) => host),
  );
}

/** Reads the agent of one host and writes its state, and answers the host. Throws Unavailable, NotFound. */
export async function refreshHost(deps: StepDeps, id: string): Promise<ObjectOf["host"]> {
  const host = await mustLoad(deps, "host", id);
  await refreshOf(deps, host.spec.hub, [host]);
  return mustLoad(deps, "host", id);
}

async function refreshOf(deps: StepDeps, hub: string, hosts: ObjectOf["host"][]): Promise<void> {
  const macs = new Set(hosts.flatMap(({ spec }) => spec.nics.map(({ mac }) => mac)));
  const client = await deps.hubs.client(hub);
  const at = deps.clock.now();
  const news = await client.agents.readAll();
  const ours = news.filter((item) => macsOf(item).some((mac) => macs.has(mac)));
  for (const item of unheard(deps, hosts, ours)) await observe(deps, hub, item, at);
  const read = { seen: seenIn(news), at };
  for (const host of hosts) await noteMissing(deps, host, read);
}
