import type { Selection } from "../core/hub/api.ts";
import { agentNamespace } from "../core/hub/hub.ts";
import type { NewsKind } from "../core/hub/news.ts";
import { clusterLabel } from "../core/model/cluster.ts";

/** What the agent lists and watches of each kind, and so all that it needs rights for. */
export const watched: Record<NewsKind, Selection> = {
  HostedCluster: { labelSelector: clusterLabel },
  NodePool: { labelSelector: clusterLabel },
  Agent: { namespace: agentNamespace },
};
