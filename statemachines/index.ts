import type { Sagas } from "../core/kernel/saga/settle.ts";
import { clusterCreate, clusterDelete } from "./cluster.ts";
import { clusterNetworking } from "./cluster-networking.ts";
import { clusterRenew } from "./cluster-renew.ts";
import { clusterScale } from "./cluster-scale.ts";
import { clusterUpgrade } from "./cluster-upgrade.ts";
import { dpuProvision } from "./dpu-provision.ts";
import {
  externalIpAttachmentCreate,
  externalIpAttachmentDelete,
} from "./external-ip-attachment.ts";
import {
  hostClean,
  hostDiscover,
  hostProvision,
  hostSwitchOff,
  hostUpdateFirmware,
} from "./host.ts";
import { instanceProvision, instanceRelease } from "./instance.ts";
import {
  instanceNetworking,
  instanceReinstall,
  instanceRepair,
  instanceRestart,
} from "./instance-running.ts";
import { natGatewayCreate, natGatewayDelete } from "./nat-gateway.ts";
import { retired } from "./retired.ts";
import { securityGroupAt } from "./security-group.ts";
import { subnetAt } from "./subnet.ts";
import { virtualNetworkAt } from "./virtual-network.ts";

/** Every saga, by the name of its state machine. */
export const sagas: Sagas = Object.fromEntries(
  [
    ...Object.values(retired),
    ...[
      clusterCreate,
      clusterDelete,
      clusterScale,
      clusterUpgrade,
      clusterNetworking,
      clusterRenew,
    ],
    ...[hostDiscover, hostProvision, hostClean, hostSwitchOff, hostUpdateFirmware, dpuProvision],
    ...[
      instanceProvision,
      instanceNetworking,
      instanceRestart,
      instanceReinstall,
      instanceRepair,
      instanceRelease,
    ],
    ...virtualNetworkAt("site"),
    ...subnetAt("site"),
    ...securityGroupAt("site"),
    ...[externalIpAttachmentCreate, externalIpAttachmentDelete],
    ...[natGatewayCreate, natGatewayDelete],
    ...virtualNetworkAt("hub"),
    ...subnetAt("hub"),
    ...securityGroupAt("hub"),
  ].map((saga) => [saga.name, saga]),
);
