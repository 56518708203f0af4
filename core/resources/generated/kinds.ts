// Made by `npm run generate` from core/resources/index.ts.
import type { Kinds } from "../../kernel/object/kind.ts";
import { kind as cluster } from "../cluster/kind.ts";
import { kind as operation } from "../operation/kind.ts";
import { kind as clusterTemplate } from "../cluster-template/kind.ts";
import { kind as clusterCatalogItem } from "../cluster-catalog-item/kind.ts";
import { kind as clusterVersion } from "../cluster-version/kind.ts";
import { kind as baremetalInstance } from "../baremetal-instance/kind.ts";
import { kind as bareMetalInstanceType } from "../bare-metal-instance-type/kind.ts";
import { kind as baremetalInstanceTemplate } from "../baremetal-instance-template/kind.ts";
import { kind as baremetalInstanceCatalogItem } from "../baremetal-instance-catalog-item/kind.ts";
import { kind as allocation } from "../allocation/kind.ts";
import { kind as networkClass } from "../network-class/kind.ts";
import { kind as virtualNetwork } from "../virtual-network/kind.ts";
import { kind as subnet } from "../subnet/kind.ts";
import { kind as securityGroup } from "../security-group/kind.ts";
import { kind as externalIp } from "../external-ip/kind.ts";
import { kind as externalIpAttachment } from "../external-ip-attachment/kind.ts";
import { kind as natGateway } from "../nat-gateway/kind.ts";
import { kind as externalIpPool } from "../external-ip-pool/kind.ts";
import { kind as hostType } from "../host-type/kind.ts";
import { kind as hub } from "../hub/kind.ts";
import { kind as host } from "../host/kind.ts";
import { kind as dpu } from "../dpu/kind.ts";
import { kind as site } from "../site/kind.ts";
import { kind as tenant } from "../tenant/kind.ts";
import { kind as project } from "../project/kind.ts";
import { kind as projectMembership } from "../project-membership/kind.ts";
import { kind as quota } from "../quota/kind.ts";
import { kind as user } from "../user/kind.ts";
import { kind as role } from "../role/kind.ts";
import { kind as roleBinding } from "../role-binding/kind.ts";
import { kind as identityProvider } from "../identity-provider/kind.ts";
import { kind as secret } from "../secret/kind.ts";
import { kind as webhook } from "../webhook/kind.ts";

/** The definition of every kind, for the kernel. */
export const kinds: Kinds = {
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
