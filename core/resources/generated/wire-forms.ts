// Made by `npm run generate` from core/resources/index.ts.
import type { WireForms } from "../../kernel/object/wire-form.ts";
import { wire as cluster } from "../cluster/wire.ts";
import { wire as operation } from "../operation/wire.ts";
import { wire as clusterTemplate } from "../cluster-template/wire.ts";
import { wire as clusterCatalogItem } from "../cluster-catalog-item/kind.ts";
import { wire as clusterVersion } from "../cluster-version/wire.ts";
import { wire as baremetalInstance } from "../baremetal-instance/wire.ts";
import { wire as bareMetalInstanceType } from "../bare-metal-instance-type/wire.ts";
import { wire as baremetalInstanceTemplate } from "../baremetal-instance-template/wire.ts";
import { wire as baremetalInstanceCatalogItem } from "../baremetal-instance-catalog-item/kind.ts";
import { wire as allocation } from "../allocation/wire.ts";
import { wire as networkClass } from "../network-class/wire.ts";
import { wire as virtualNetwork } from "../virtual-network/wire.ts";
import { wire as subnet } from "../subnet/wire.ts";
import { wire as securityGroup } from "../security-group/wire.ts";
import { wire as externalIp } from "../external-ip/wire.ts";
import { wire as externalIpAttachment } from "../external-ip-attachment/wire.ts";
import { wire as natGateway } from "../nat-gateway/wire.ts";
import { wire as externalIpPool } from "../external-ip-pool/wire.ts";
import { wire as hostType } from "../host-type/wire.ts";
import { wire as hub } from "../hub/wire.ts";
import { wire as host } from "../host/wire.ts";
import { wire as dpu } from "../dpu/wire.ts";
import { wire as site } from "../site/wire.ts";
import { wire as tenant } from "../tenant/wire.ts";
import { wire as project } from "../project/wire.ts";
import { wire as projectMembership } from "../project-membership/kind.ts";
import { wire as quota } from "../quota/wire.ts";
import { wire as user } from "../user/kind.ts";
import { wire as role } from "../role/kind.ts";
import { wire as roleBinding } from "../role-binding/kind.ts";
import { wire as identityProvider } from "../identity-provider/kind.ts";
import { wire as secret } from "../secret/kind.ts";
import { wire as webhook } from "../webhook/wire.ts";

/** The form of every kind on the wire. */
export const wireForms: WireForms = {
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
