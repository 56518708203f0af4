import type * as z from "zod";
import type { Kind } from "../model/object.ts";
import type { ObjectOf } from "../model/object-of.ts";
import { wrappedJson } from "./any.ts";
import { clusterSchema, clusterView, osacCluster } from "./cluster.ts";
import {
  clusterCatalogItemSchema,
  clusterCatalogItemView,
  osacClusterCatalogItem,
} from "./cluster-catalog-item.ts";
import {
  clusterTemplateSchema,
  clusterTemplateView,
  osacClusterTemplate,
} from "./cluster-template.ts";
import { clusterVersionSchema, clusterVersionView } from "./cluster-version.ts";
import { hostSchema, hostView } from "./host.ts";
import { hostTypeSchema, hostTypeView } from "./host-type.ts";
import { hubSchema, hubView, osacHub } from "./hub.ts";
import { operationSchema, operationView } from "./operation.ts";
import {
  osacProject,
  projectMembershipSchema,
  projectMembershipView,
  projectSchema,
  projectView,
} from "./project.ts";
import { quotaSchema, quotaView } from "./quota.ts";
import { siteSchema, siteView } from "./site.ts";
import { tenantSchema, tenantView } from "./tenant.ts";
import { webhookSchema, webhookView } from "./webhook.ts";

/** `osac` leaves out what OSAC's clients do not know; for those that refuse unknown members. */
export const profiles = ["slipway", "osac"] as const;
export type Profile = (typeof profiles)[number];

export interface Wire {
  [member: string]: z.core.util.JSONType;
}

export const wireSchemas = {
  cluster: clusterSchema,
  cluster_template: clusterTemplateSchema,
  cluster_version: clusterVersionSchema,
  host_type: hostTypeSchema,
  hub: hubSchema,
  host: hostSchema,
  site: siteSchema,
  operation: operationSchema,
  tenant: tenantSchema,
  project: projectSchema,
  project_membership: projectMembershipSchema,
  quota: quotaSchema,
  cluster_catalog_item: clusterCatalogItemSchema,
  webhook: webhookSchema,
} satisfies Record<Kind, z.ZodObject>;

const renderers: {
  [K in Kind]: (object: ObjectOf[K], privately: boolean) => z.output<(typeof wireSchemas)[K]>;
} = {
  cluster: clusterView,
  cluster_template: clusterTemplateView,
  cluster_version: clusterVersionView,
  host_type: hostTypeView,
  hub: hubView,
  host: hostView,
  site: siteView,
  operation: operationView,
  tenant: tenantView,
  project: projectView,
  project_membership: projectMembershipView,
  quota: quotaView,
  cluster_catalog_item: clusterCatalogItemView,
  webhook: webhookView,
};

/** A stored object as the wire shows it; `private` to administrators. */
export function view<K extends Kind>(
  object: ObjectOf[K],
  options: { profile: Profile; private: boolean },
): Wire {
  const kind: K = object.kind as K;
  // Through JSON: undefined members are gone, and nothing in the answer is shared with the object.
  const wire: Wire = JSON.parse(JSON.stringify(renderers[kind](object, options.private)));
  return options.profile === "osac" ? asOsac(kind, wire) : wire;
}

/** What `view` rendered in the slipway profile, as the osac profile has it. Kinds that OSAC lacks stay as they are. */
export function asOsac(kind: Kind, wire: Wire): Wire {
  switch (kind) {
    case "cluster": {
      const cluster = osacCluster(clusterSchema.parse(wire));
      const parameters = Object.entries(cluster.spec.template_parameters);
      const template_parameters = Object.fromEntries(
        parameters.map(([name, value]) => [name, wrappedJson(value)]),
      );
      return plain({ ...cluster, spec: { ...cluster.spec, template_parameters } });
    }
    case "cluster_template":
      return plain(osacClusterTemplate(clusterTemplateSchema.parse(wire)));
    case "hub":
      return plain(osacHub(hubSchema.parse(wire)));
    case "cluster_catalog_item":
      return plain(osacClusterCatalogItem(clusterCatalogItemSchema.parse(wire)));
    case "project":
      return plain(osacProject(projectSchema.parse(wire)));
    default:
      return wire;
  }
}

const plain = (value: unknown): Wire => JSON.parse(JSON.stringify(value));
