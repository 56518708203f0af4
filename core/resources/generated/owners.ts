// Made by `npm run generate` from core/resources/index.ts.
import type { Owners } from "../../at-site/owners.ts";
import { owning as cluster } from "../cluster/owning.ts";
import { owning as baremetalInstance } from "../baremetal-instance/owning.ts";
import { owning as virtualNetwork } from "../virtual-network/owning.ts";
import { owning as subnet } from "../subnet/owning.ts";
import { owning as securityGroup } from "../security-group/owning.ts";
import { owning as externalIpAttachment } from "../external-ip-attachment/owning.ts";

/** What the kinds say of the things that their objects own outside. */
export const owners: Owners = {
  cluster,
  baremetal_instance: baremetalInstance,
  virtual_network: virtualNetwork,
  subnet,
  security_group: securityGroup,
  external_ip_attachment: externalIpAttachment,
};
