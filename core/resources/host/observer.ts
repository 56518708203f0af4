import { macKey } from "../../kernel/object/keys.ts";
import { adjustPool } from "../../placement/adjust.ts";
import { hostStatus, ownerOf } from "../../placement/host.ts";
import type { Observing } from "../../ports/hub/observer.ts";
import type { Host, ObservedAgent } from "./model.ts";
import { macsOf, observedAgent } from "./observed.ts";

/** What hubs report of a host: its agent, which the MAC addresses identify. */
export const observer: Observing<"host"> = {
  observers: {
    Agent: {
      async find({ store }, news) {
        const claims = await store.getMany(macsOf(news).map(macKey));
        const id = claims.find((claim) => claim !== undefined)?.host;
        return typeof id === "string" ? id : undefined;
      },
      // Versions from the hub where the host was before mean nothing here.
      last: ({ spec, status: { agent } }) => (agent?.hub === spec.hub ? agent : undefined),
      applied: (host, news, now) =>
        withAgent(host, { hub: host.spec.hub, ...observedAgent(news, now) }),
    },
  },
  hubOf: ({ spec }) => spec.hub,
  followed: adjustPool,
};

/** A claimed host's state is updated here; a free host's when the pool changes (`adjustPool`). */
function withAgent(host: Host, agent: ObservedAgent): Host {
  const seen: Host = { ...host, status: { ...host.status, agent } };
  const owner = ownerOf(host);
  return owner ? { ...seen, status: hostStatus(seen, owner) } : seen;
}
