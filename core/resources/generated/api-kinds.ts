// Made by `npm run generate` from core/resources/index.ts.
import type { ApiKinds } from "../../kernel/request/api-of.ts";
import { api as cluster } from "../cluster/api.ts";
import { api as operation } from "../operation/api.ts";
import { api as clusterTemplate } from "../cluster-template/api.ts";
import { api as clusterCatalogItem } from "../cluster-catalog-item/api.ts";
import { api as clusterVersion } from "../cluster-version/api.ts";
import { api as baremetalInstance } from "../baremetal-instance/api.ts";
import { api as bareMetalInstanceType } from "../bare-metal-instance-type/api.ts";
import { api as baremetalInstanceTemplate } from "../baremetal-instance-template/api.ts";
import { api as baremetalInstanceCatalogItem } from "../baremetal-instance-catalog-item/api.ts";
import { api as allocation } from "../allocation/api.ts";
import { api as networkClass } from "../network-class/api.ts";
import { api as virtualNetwork } from "../virtual-network/api.ts";
import { api as subnet } from "../subnet/api.ts";
import { api as securityGroup } from "../security-group/api.ts";
import { api as externalIp } from "../external-ip/api.ts";
import { api as externalIpAttachment } from "../external-ip-attachment/api.ts";
import { api as natGateway } from "../nat-gateway/api.ts";
import { api as externalIpPool } from "../external-ip-pool/api.ts";
import { api as hostType } from "../host-type/api.ts";
import { api as hub } from "../hub/api.ts";
import { api as host } from "../host/api.ts";
import { api as dpu } from "../dpu/api.ts";
import { api as site } from "../site/api.ts";
import { api as tenant } from "../tenant/api.ts";
import { api as project } from "../project/api.ts";
import { api as projectMembership } from "../project-membership/kind.ts";
import { api as quota } from "../quota/api.ts";
import { api as user } from "../user/kind.ts";
import { api as role } from "../role/kind.ts";
import { api as roleBinding } from "../role-binding/kind.ts";
import { api as identityProvider } from "../identity-provider/kind.ts";
import { api as secret } from "../secret/kind.ts";
import { api as webhook } from "../webhook/api.ts";

/** The parts of every kind that only the API needs. */
export const apiKinds: ApiKinds = {
  cluster,
  operation,
  cluster_template: clusterTemplate,
  cluster_catalog_item: clusterCatalogItem,
  cluster_version: clusterVersion,
  baremetal_instance: baremetalInstance,
  bare_metal_instance_type: bareMetalInstanceType,
  baremetal_instance_template: baremetalInstanceTemplate,
  baremetal_instance_catalog_item: baremetalInstanceCatalogItem,
  allocation,
  network_class: networkClass,
  virtual_network: virtualNetwork,
  subnet,
  security_group: securityGroup,
  external_ip: externalIp,
  external_ip_attachment: externalIpAttachment,
  nat_gateway: natGateway,
  external_ip_pool: externalIpPool,
  host_type: hostType,
  hub,
  host,
  dpu,
  site,
  tenant,
  project,
  project_membership: projectMembership,
  quota,
  user,
  role,
  role_binding: roleBinding,
  identity_provider: identityProvider,
  secret,
  webhook,
};
