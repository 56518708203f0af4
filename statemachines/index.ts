import type { Sagas } from "../core/kernel/saga/settle.ts";
import { clusterCreate } from "./cluster-create.ts";
import { clusterDelete } from "./cluster-delete.ts";
import { clusterNetworking } from "./cluster-networking.ts";
import { clusterRenew } from "./cluster-renew.ts";
import { clusterScale } from "./cluster-scale.ts";
import { clusterUpgrade } from "./cluster-upgrade.ts";
import { dpuProvision } from "./dpu-provision.ts";
import { externalIpAttachmentCreate } from "./external-ip-attachment-create.ts";
import { externalIpAttachmentDelete } from "./external-ip-attachment-delete.ts";
import { hostClean } from "./host-clean.ts";
import { hostDiscover } from "./host-discover.ts";
import { hostProvision } from "./host-provision.ts";
import { hostSwitchOff } from "./host-switch-off.ts";
import { hostUpdateFirmware } from "./host-update-firmware.ts";
import { hubNetworkCreate } from "./hub-network-create.ts";
import { hubNetworkDelete } from "./hub-network-delete.ts";
import { hubSecurityGroupApply } from "./hub-security-group-apply.ts";
import { hubSecurityGroupCreate } from "./hub-security-group-create.ts";
import { hubSecurityGroupDelete } from "./hub-security-group-delete.ts";
import { hubSubnetCreate } from "./hub-subnet-create.ts";
import { hubSubnetDelete } from "./hub-subnet-delete.ts";
import { instanceNetworking } from "./instance-networking.ts";
import { instanceProvision } from "./instance-provision.ts";
import { instanceReinstall } from "./instance-reinstall.ts";
import { instanceRelease } from "./instance-release.ts";
import { instanceRepair } from "./instance-repair.ts";
import { instanceRestart } from "./instance-restart.ts";
import { natGatewayCreate } from "./nat-gateway-create.ts";
import { natGatewayDelete } from "./nat-gateway-delete.ts";
import { retired } from "./retired.ts";
import { securityGroupApply } from "./security-group-apply.ts";
import { securityGroupCreate } from "./security-group-create.ts";
import { securityGroupDelete } from "./security-group-delete.ts";
import { subnetCreate } from "./subnet-create.ts";
import { subnetDelete } from "./subnet-delete.ts";
import { virtualNetworkCreate } from "./virtual-network-create.ts";
import { virtualNetworkDelete } from "./virtual-network-delete.ts";

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
    ...[virtualNetworkCreate, virtualNetworkDelete],
    ...[subnetCreate, subnetDelete],
    ...[securityGroupCreate, securityGroupApply, securityGroupDelete],
    ...[externalIpAttachmentCreate, externalIpAttachmentDelete],
    ...[natGatewayCreate, natGatewayDelete],
    ...[hubNetworkCreate, hubNetworkDelete, hubSubnetCreate, hubSubnetDelete],
    ...[hubSecurityGroupCreate, hubSecurityGroupApply, hubSecurityGroupDelete],
  ].map((saga) => [saga.name, saga]),
);
