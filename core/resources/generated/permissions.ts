// Made by `npm run generate` from core/resources/index.ts.
import type { KindPermissions } from "../../kernel/request/permissions.ts";
import { permissions as cluster } from "../cluster/kind.ts";
import { permissions as operation } from "../operation/kind.ts";
import { permissions as clusterTemplate } from "../cluster-template/kind.ts";
import { permissions as clusterCatalogItem } from "../cluster-catalog-item/kind.ts";
import { permissions as clusterVersion } from "../cluster-version/kind.ts";
import { permissions as baremetalInstance } from "../baremetal-instance/kind.ts";
import { permissions as bareMetalInstanceType } from "../bare-metal-instance-type/kind.ts";
import { permissions as baremetalInstanceTemplate } from "../baremetal-instance-template/kind.ts";
import { permissions as baremetalInstanceCatalogItem } from "../baremetal-instance-catalog-item/kind.ts";
import { permissions as allocation } from "../allocation/kind.ts";
import { permissions as networkClass } from "../network-class/kind.ts";
import { permissions as virtualNetwork } from "../virtual-network/kind.ts";
import { permissions as subnet } from "../subnet/kind.ts";
import { permissions as securityGroup } from "../security-group/kind.ts";
import { permissions as externalIp } from "../external-ip/kind.ts";
import { permissions as externalIpAttachment } from "../external-ip-attachment/kind.ts";
import { permissions as natGateway } from "../nat-gateway/kind.ts";
import { permissions as externalIpPool } from "../external-ip-pool/kind.ts";
import { permissions as hostType } from "../host-type/kind.ts";
import { permissions as hub } from "../hub/kind.ts";
import { permissions as host } from "../host/kind.ts";
import { permissions as dpu } from "../dpu/kind.ts";
import { permissions as site } from "../site/kind.ts";
import { permissions as tenant } from "../tenant/kind.ts";
import { permissions as project } from "../project/kind.ts";
import { permissions as projectMembership } from "../project-membership/kind.ts";
import { permissions as quota } from "../quota/kind.ts";
import { permissions as user } from "../user/kind.ts";
import { permissions as role } from "../role/kind.ts";
import { permissions as roleBinding } from "../role-binding/kind.ts";
import { permissions as identityProvider } from "../identity-provider/kind.ts";
import { permissions as secret } from "../secret/kind.ts";
import { permissions as webhook } from "../webhook/kind.ts";

/** The permissions of every kind. */
export const permissions: KindPermissions = {
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
