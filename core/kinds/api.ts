import type { Kind } from "../model/object.ts";
import { clusterSchema } from "../view/cluster.ts";
import { clusterCatalogItemSchema } from "../view/cluster-catalog-item.ts";
import { clusterTemplateSchema } from "../view/cluster-template.ts";
import { clusterVersionSchema } from "../view/cluster-version.ts";
import { hostSchema } from "../view/host.ts";
import { hostTypeSchema } from "../view/host-type.ts";
import { hubSchema } from "../view/hub.ts";
import { operationSchema } from "../view/operation.ts";
import { projectMembershipSchema, projectSchema } from "../view/project.ts";
import { quotaSchema } from "../view/quota.ts";
import { siteSchema } from "../view/site.ts";
import { tenantSchema } from "../view/tenant.ts";
import { webhookSchema } from "../view/webhook.ts";
import { identityProviderApi } from "./identity-provider.ts";
import type { ApiOf } from "./kind.ts";
import { roleApi } from "./role.ts";
import { roleBindingApi } from "./role-binding.ts";
import { secretApi } from "./secret.ts";
import { userApi } from "./user.ts";

/** What the API must know of every kind. A new one has its line here, and one in `kinds.ts`. */
export const apiKinds: { readonly [K in Kind]: ApiOf<K> } = {
  cluster: { schema: clusterSchema },
  cluster_template: { schema: clusterTemplateSchema },
  cluster_version: { schema: clusterVersionSchema },
  host_type: { schema: hostTypeSchema },
  hub: { schema: hubSchema },
  host: { schema: hostSchema },
  site: { schema: siteSchema },
  operation: { schema: operationSchema },
  tenant: { schema: tenantSchema },
  project: { schema: projectSchema },
  project_membership: { schema: projectMembershipSchema },
  quota: { schema: quotaSchema },
  cluster_catalog_item: { schema: clusterCatalogItemSchema },
  webhook: { schema: webhookSchema },
  identity_provider: identityProviderApi,
  role: roleApi,
  role_binding: roleBindingApi,
  secret: secretApi,
  user: userApi,
};
