import { macKey } from "../../kernel/object/keys.ts";
import { adjustPool } from "../../placement/adjust.ts";
import { hostStatus, ownerOf } from "../../placement/host.ts";
import type { Observing } from "../../ports/hub/observer.ts";
import type { Host, ObservedAgent } from "./model.ts";
import { macsOf, observedAgent } from "./observed.ts";

/** A host is observed by its agent; the MAC addresses in a report identify the host. */
export const observer: Observing<"host"> = {
  observers: {
    Agent: {
      async find({ store }, news) {
        const claims = await store.getMany(macsOf(news).map(macKey));
        const id = claims.find((claim) => claim !== undefined)?.host;
        return typeof id === "string" ? id : undefined;
      },
      // Versions of the host's previous hub cannot be compared with those of this hub.
      last: ({ spec, status: { agent } }) => (agent?.hub === spec.hub ? agent : undefined),
      applied: (host, news, now) =>
        withAgent(host, { hub: host.spec.hub, ...observedAgent(news, now) }),
    },
  },
  hubOf: ({ spec }) => spec.hub,
  follow: adjustPool,
};

/** Updates the state of a host that is held; `adjustPool` updates the state of a free host. */
function withAgent(host: Host, agent: ObservedAgent): Host {
  const seen: Host = { ...host, status: { ...host.status, agent } };
  const owner = ownerOf(host);
  return owner ? { ...seen, status: hostStatus(seen, owner) } : seen;
}
