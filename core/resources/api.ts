import type { ApiOf } from "../kernel/object/kind.ts";
import type { Kind } from "../kernel/object/object.ts";
import { clusterSchema } from "./cluster/wire.ts";
import { clusterCatalogItemSchema } from "./cluster-catalog-item/wire.ts";
import { clusterTemplateSchema } from "./cluster-template/wire.ts";
import { clusterVersionSchema } from "./cluster-version/wire.ts";
import { hostSchema } from "./host/wire.ts";
import { hostTypeSchema } from "./host-type/wire.ts";
import { hubSchema } from "./hub/wire.ts";
import { identityProviderApi } from "./identity-provider/kind.ts";
import { operationSchema } from "./operation/wire.ts";
import { projectMembershipSchema, projectSchema } from "./project/wire.ts";
import { quotaSchema } from "./quota/wire.ts";
import { roleApi } from "./role/kind.ts";
import { roleBindingApi } from "./role-binding/kind.ts";
import { secretApi } from "./secret/kind.ts";
import { siteSchema } from "./site/wire.ts";
import { tenantSchema } from "./tenant/wire.ts";
import { userApi } from "./user/kind.ts";
import { webhookSchema } from "./webhook/wire.ts";

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
