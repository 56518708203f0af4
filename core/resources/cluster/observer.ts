import { clusterLabel, nodeSetLabel } from "../../ports/hub/clusters/labels.ts";
import type { News } from "../../ports/hub/news.ts";
import type { Observer, Observing } from "../../ports/hub/observer.ts";
import { knownNodeSets } from "./model.ts";
import { observedControlPlane, observedNodePool } from "./observed.ts";

const labelOf = ({ object }: News, label: string): string | undefined =>
  object.metadata.labels?.[label];
const find: Observer<"cluster">["find"] = (_, news) => labelOf(news, clusterLabel);

const controlPlane: Observer<"cluster"> = {
  find,
  last: ({ observed }) => observed.control_plane,
  applied(cluster, news, now) {
    const { observed } = cluster;
    const control_plane = observedControlPlane(news, observed.control_plane, now);
    return { ...cluster, observed: { ...observed, control_plane } };
  },
};

const nodePool: Observer<"cluster"> = {
  find,
  last: ({ observed }, news) => observed.node_pools[labelOf(news, nodeSetLabel) ?? ""],
  applied(cluster, news, now) {
    const set = labelOf(news, nodeSetLabel);
    const { observed } = cluster;
    // Anybody can put the label on an object of the hub, so a node set that the cluster never had is ignored.
    const isKnown =
      set !== undefined &&
      (Object.hasOwn(knownNodeSets(cluster), set) || Object.hasOwn(observed.node_pools, set));
    if (!isKnown) return undefined;
    const node_pools = { ...observed.node_pools, [set]: observedNodePool(news, now) };
    return { ...cluster, observed: { ...observed, node_pools } };
  },
};

/** The HostedCluster and the NodePools with the label of a cluster are its observations. */
export const observer: Observing<"cluster"> = {
  observers: { HostedCluster: controlPlane, NodePool: nodePool },
  hubOf: ({ placement }) => placement?.hub,
  resting: {
    keysIn: (news) => [labelOf(news, clusterLabel) ?? ""],
    keysOf: ({ id }) => [id],
    among: async (_, onHub) =>
      new Set(
        onHub.flatMap((each) => (each.kind === "cluster" && !each.operation ? [each.id] : [])),
      ),
  },
};
