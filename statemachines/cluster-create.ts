import { hours, minutes, seconds } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import {
  capacityReleased,
  capacityReserved,
  leaveQueues,
  releaseCapacity,
  reserveCapacity,
} from "./steps/capacity/reserve.ts";
import { configureCluster, forget, isObserved } from "./steps/cluster/configure.ts";
import {
  clearHub,
  controlPlaneAvailable,
  controlPlaneGone,
  deployControlPlane,
  refresh,
  removeControlPlane,
} from "./steps/cluster/deploy-control-plane.ts";
import { nodesJoined } from "./steps/cluster/join-nodes.ts";
import { publishCluster, unpublishCluster } from "./steps/cluster/publish.ts";
import { validating } from "./steps/cluster/validate.ts";
import { allocateFloatingIps, releaseFloatingIps } from "./steps/site/addresses.ts";
import { attaching, detachingAll } from "./steps/site/attachments.ts";
import { createDnsRecords, lookAtDnsRecords, removeDnsRecords } from "./steps/site/dns.ts";
import { createLayer2Network, removeLayer2Network } from "./steps/site/layer2.ts";
import { createLayer3Network, removeLayer3Network } from "./steps/site/layer3.ts";
import { making, takingAway } from "./steps/site/site.ts";
import { allocateStorage, releaseStorage } from "./steps/site/storage.ts";

/** What can run out is waited for this long. */
const scarce = hours(24);
/** Systems outside get this long to give something back before a person is asked. */
const patient = hours(24);

/** An order becomes a cluster: a hub and hosts, a network, names and storage, a control plane, nodes, READY. */
export const clusterCreate = saga<"cluster">("cluster-create", {
  comment: "An ordered cluster becomes READY, or everything it took is given back",
  nodes: [
    step(
      "ReserveCapacity",
      {
        system: "placement",
        act: reserveCapacity,
        look: reserveCapacity,
        until: capacityReserved,
        deadline: scarce,
      },
      {
        system: "hub",
        act: leaveQueues,
        look: releaseCapacity,
        until: capacityReleased,
        effects: "none",
        deadline: patient,
      },
    ),
    {
      name: "PrepareSite",
      branches: [
        {
          name: "network",
          steps: [
            step(
              "CreateLayer2Network",
              making("layer2", "fabric", createLayer2Network, { deadline: scarce }),
              takingAway("layer2", "fabric", removeLayer2Network),
            ),
            step(
              "CreateLayer3Network",
              making("layer3", "fabric", createLayer3Network, {
                deadline: scarce,
                usually: seconds(10),
              }),
              takingAway("layer3", "fabric", removeLayer3Network),
            ),
            step("AttachHosts", attaching, detachingAll),
            step(
              "AllocateFloatingIps",
              making("floating_ips", "fabric", allocateFloatingIps, { deadline: scarce }),
              takingAway("floating_ips", "fabric", releaseFloatingIps),
            ),
            step(
              "CreateDnsRecords",
              {
                ...making("dns_records", "DNS", createDnsRecords, {
                  deadline: minutes(30),
                  usually: seconds(30),
                }),
                look: lookAtDnsRecords,
              },
              takingAway("dns_records", "DNS", removeDnsRecords),
            ),
          ],
        },
        {
          name: "storage",
          steps: [
            step(
              "AllocateStorage",
              making("storage", "storage", allocateStorage, { deadline: minutes(30) }),
              takingAway("storage", "storage", releaseStorage),
            ),
          ],
        },
      ],
    },
    step(
      "DeployControlPlane",
      {
        system: "hub",
        act: deployControlPlane,
        look: refresh,
        until: controlPlaneAvailable,
        deadline: minutes(30),
        usually: minutes(7),
      },
      {
        system: "hub",
        act: removeControlPlane,
        look: clearHub,
        until: controlPlaneGone,
        deadline: patient,
        usually: minutes(5),
      },
    ),
    step(
      "JoinNodes",
      {
        system: "hub",
        look: refresh,
        until: nodesJoined,
        effects: "none",
        deadline: minutes(60),
        usually: minutes(10),
      },
      { none: "it only waits; the nodes go with their control plane" },
    ),
    step(
      "ConfigureCluster",
      {
        system: "hosted cluster",
        act: forget("configuration"),
        look: configureCluster,
        until: isObserved("configuration"),
        deadline: minutes(60),
        usually: minutes(4),
      },
      { none: "all of it is in the hosted cluster and goes with it" },
    ),
    step(
      "ValidateCluster",
      // A template's own test may take two hours.
      validating(hours(4)),
      { none: "its test workload goes with the cluster" },
    ),
    step(
      "PublishCluster",
      { act: publishCluster, deadline: minutes(15) },
      { act: unpublishCluster, deadline: minutes(15) },
    ),
  ],
});
