// Made by `npm run generate` from core/resources/index.ts.
import type { Reactions } from "../../kernel/relay/reaction.ts";
import { reaction as cluster } from "../cluster/reaction.ts";
import { reaction as operation } from "../operation/reaction.ts";
import { reaction as baremetalInstance } from "../baremetal-instance/reaction.ts";
import { reaction as allocation } from "../allocation/reaction.ts";
import { reaction as networkClass } from "../network-class/reaction.ts";
import { reaction as virtualNetwork } from "../virtual-network/reaction.ts";
import { reaction as externalIp } from "../external-ip/reaction.ts";
import { reaction as externalIpPool } from "../external-ip-pool/reaction.ts";
import { reaction as hub } from "../hub/reaction.ts";
import { reaction as host } from "../host/reaction.ts";
import { reaction as dpu } from "../dpu/reaction.ts";
import { reaction as site } from "../site/reaction.ts";
import { reaction as tenant } from "../tenant/reaction.ts";
import { reaction as webhook } from "../webhook/reaction.ts";

/** The reactions of the relay to changes of objects, by kind. */
export const reactions: Reactions = {
  cluster,
  operation,
  baremetal_instance: baremetalInstance,
  allocation,
  network_class: networkClass,
  virtual_network: virtualNetwork,
  external_ip: externalIp,
  external_ip_pool: externalIpPool,
  hub,
  host,
  dpu,
  site,
  tenant,
  webhook,
};
