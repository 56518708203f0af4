// Made by `npm run generate` from core/resources/index.ts.
import type { Operated } from "../../kernel/saga/operated.ts";
import { operated as cluster } from "../cluster/operated.ts";
import { operated as baremetalInstance } from "../baremetal-instance/operated.ts";
import { operated as virtualNetwork } from "../virtual-network/operated.ts";
import { operated as subnet } from "../subnet/operated.ts";
import { operated as securityGroup } from "../security-group/operated.ts";
import { operated as externalIpAttachment } from "../external-ip-attachment/operated.ts";
import { operated as natGateway } from "../nat-gateway/operated.ts";
import { operated as host } from "../host/operated.ts";
import { operated as dpu } from "../dpu/operated.ts";

/** What operations mean for the objects of the kinds that have them. */
export const operated: Operated = {
  cluster,
  baremetal_instance: baremetalInstance,
  virtual_network: virtualNetwork,
  subnet,
  security_group: securityGroup,
  external_ip_attachment: externalIpAttachment,
  nat_gateway: natGateway,
  host,
  dpu,
};
