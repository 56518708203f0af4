import type { Cluster } from "./cluster.ts";
import type { ClusterCatalogItem } from "./cluster-catalog-item.ts";
import type { ClusterTemplate } from "./cluster-template.ts";
import type { ClusterVersion } from "./cluster-version.ts";
import type { Host } from "./host.ts";
import type { HostType } from "./host-type.ts";
import type { Hub } from "./hub.ts";
import type { Operation } from "./operation.ts";
import type { Project, ProjectMembership } from "./project.ts";
import type { Quota } from "./quota.ts";
import type { Site } from "./site.ts";
import type { Tenant } from "./tenant.ts";
import type { Webhook } from "./webhook.ts";

/** The object of each kind; a kind with a file of its own in `core/kinds` adds itself there. */
export interface ObjectOf {
  cluster: Cluster;
  cluster_template: ClusterTemplate;
  cluster_version: ClusterVersion;
  host_type: HostType;
  hub: Hub;
  host: Host;
  site: Site;
  operation: Operation;
  tenant: Tenant;
  project: Project;
  project_membership: ProjectMembership;
  quota: Quota;
  cluster_catalog_item: ClusterCatalogItem;
  webhook: Webhook;
}
