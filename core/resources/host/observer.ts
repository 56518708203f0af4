import { macKey } from "../../kernel/object/keys.ts";
import type { Kind } from "../../kernel/object/object.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { Records } from "../../kernel/object/records.ts";
import { hostOwnerOf, hostStatus, isManaged } from "../../placement/pool/host.ts";
import { adjusted, adjustPool } from "../../placement/reserve/adjust.ts";
import type { News } from "../../ports/hub/news.ts";
import type { Observing } from "../../ports/hub/observer.ts";
import type { Host, ObservedAgent } from "./model.ts";
import { agentOf, macsOf, observedAgent } from "./observed.ts";

/** The agent of a host, found by the MAC addresses in its report, gives the observations of the host. */
export const observer: Observing<"host"> = {
  observers: {
    Agent: {
      async find({ store }, news) {
        // One read at a time, because each costs money and the first address is usually registered.
        for (const mac of macsOf(news)) {
          const claim = await store.get(macKey(mac));
          if (typeof claim?.host === "string") return claim.host;
        }
        return undefined;
      },
      last: agentOf,
      applied(host, news, now) {
        if (isForeign(host, news)) return undefined;
        return withAgent(host, { hub: host.spec.hub, ...observedAgent(news, now) });
      },
    },
  },
  hubOf: ({ spec }) => spec.hub,
  async follow(deps, host) {
    const holder = await adjustPool(deps, host.id, host);
    return holder ?? (host.operation && { kind: "host", id: host.id });
  },
  resting: {
    keysIn: macsOf,
    keysOf: ({ spec }) => spec.nics.map(({ mac }) => mac),
    among: restingHosts,
  },
};

/**
 * Whether an agent with the host's MAC addresses runs on another server: the host already has an agent, or
 * Slipway has not booted its server. Otherwise an order could get an unchecked server.
 */
function isForeign(host: Host, { object }: News): boolean {
  const { agent } = host.status;
  if (!isManaged(host)) return false;
  if (agent?.gone === false) return agent.name !== object.metadata.name;
  return host.operation === undefined && hostOwnerOf(host) === undefined;
}

/** The hosts whose pool entries agree with their records, and whose owners have no operation. */
async function restingHosts(
  { store }: Records,
  onHub: readonly ObjectOf[Kind][],
): Promise<ReadonlySet<string>> {
  const atRest = new Set<string>(
    onHub.flatMap((each) => ("operation" in each && each.operation ? [] : [each.id])),
  );
  const hosts = onHub.filter((each) => each.kind === "host");
  const settled = await adjusted(store, hosts);
  return new Set(
    settled.flatMap(({ id, operation, status: { owner } }) =>
      !operation && (owner === undefined || atRest.has(owner.id)) ? [id] : [],
    ),
  );
}

/** Updates the state of a held host; `adjustPool` updates the state of a free one. */
function withAgent(host: Host, agent: ObservedAgent): Host {
  const seen: Host = { ...host, status: { ...host.status, agent } };
  const owner = hostOwnerOf(host);
  return owner ? { ...seen, status: hostStatus(seen, owner, Date.parse(agent.at)) } : seen;
}
