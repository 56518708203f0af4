import type { Cluster } from "../../resources/cluster/model.ts";
import type { ClusterCatalogItem } from "../../resources/cluster-catalog-item/model.ts";
import type { ClusterTemplate } from "../../resources/cluster-template/model.ts";
import type { ClusterVersion } from "../../resources/cluster-version/model.ts";
import type { Host } from "../../resources/host/model.ts";
import type { HostType } from "../../resources/host-type/model.ts";
import type { Hub } from "../../resources/hub/model.ts";
import type { Project, ProjectMembership } from "../../resources/project/model.ts";
import type { Quota } from "../../resources/quota/model.ts";
import type { Site } from "../../resources/site/model.ts";
import type { Tenant } from "../../resources/tenant/model.ts";
import type { Webhook } from "../../resources/webhook/model.ts";
import type { Operation } from "../saga/operation.ts";

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
