import { agentNamespace } from "../core/ports/hub/hub.ts";
import type { NewsKind } from "../core/ports/hub/news.ts";
import type { Selection } from "../core/ports/kubernetes/api.ts";
import { clusterLabel } from "../core/resources/cluster/model.ts";

/** What the agent lists and watches of each kind, and so all that it needs rights for. */
export const watched: Record<NewsKind, Selection> = {
  HostedCluster: { labelSelector: clusterLabel },
  NodePool: { labelSelector: clusterLabel },
  Agent: { namespace: agentNamespace },
};
