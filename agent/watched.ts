import { agentNamespace } from "../core/ports/hub/agents/port.ts";
import { clusterLabel } from "../core/ports/hub/clusters/labels.ts";
import type { NewsKind } from "../core/ports/hub/news.ts";
import type { Selection } from "../core/ports/kubernetes/api.ts";

/**
 * The selection that the agent lists and watches of each kind; it needs rights for nothing else.
 */
export const watched: Record<NewsKind, Selection> = {
  HostedCluster: { labelSelector: clusterLabel },
  NodePool: { labelSelector: clusterLabel },
  Agent: { namespace: agentNamespace },
};
