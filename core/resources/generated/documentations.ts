// Made by `npm run generate` from core/resources/index.ts.
import type { Documentations } from "../../kernel/request/documentation.ts";
import { documentation as cluster } from "../cluster/documentation.ts";
import { documentation as operation } from "../operation/kind.ts";
import { documentation as clusterTemplate } from "../cluster-template/kind.ts";
import { documentation as clusterCatalogItem } from "../cluster-catalog-item/kind.ts";
import { documentation as clusterVersion } from "../cluster-version/kind.ts";
import { documentation as baremetalInstance } from "../baremetal-instance/documentation.ts";
import { documentation as bareMetalInstanceType } from "../bare-metal-instance-type/kind.ts";
import { documentation as baremetalInstanceTemplate } from "../baremetal-instance-template/kind.ts";
import { documentation as baremetalInstanceCatalogItem } from "../baremetal-instance-catalog-item/kind.ts";
import { documentation as allocation } from "../allocation/kind.ts";
import { documentation as networkClass } from "../network-class/kind.ts";
import { documentation as virtualNetwork } from "../virtual-network/kind.ts";
import { documentation as subnet } from "../subnet/kind.ts";
import { documentation as securityGroup } from "../security-group/kind.ts";
import { documentation as externalIp } from "../external-ip/kind.ts";
import { documentation as externalIpAttachment } from "../external-ip-attachment/kind.ts";
import { documentation as natGateway } from "../nat-gateway/kind.ts";
import { documentation as externalIpPool } from "../external-ip-pool/kind.ts";
import { documentation as hostType } from "../host-type/kind.ts";
import { documentation as hub } from "../hub/kind.ts";
import { documentation as host } from "../host/kind.ts";
import { documentation as dpu } from "../dpu/kind.ts";
import { documentation as site } from "../site/kind.ts";
import { documentation as tenant } from "../tenant/kind.ts";
import { documentation as project } from "../project/kind.ts";
import { documentation as projectMembership } from "../project-membership/kind.ts";
import { documentation as quota } from "../quota/kind.ts";
import { documentation as user } from "../user/kind.ts";
import { documentation as role } from "../role/kind.ts";
import { documentation as roleBinding } from "../role-binding/kind.ts";
import { documentation as identityProvider } from "../identity-provider/kind.ts";
import { documentation as secret } from "../secret/kind.ts";
import { documentation as webhook } from "../webhook/kind.ts";

/** The part of every kind in the API reference. */
export const documentations: Documentations = {
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
