import { hours, minutes, seconds } from "../core/clock.ts";
import type { ClusterSaga } from "../core/saga/end.ts";
import { step } from "../core/saga/saga.ts";
import {
  attachHosts,
  detachAllHosts,
  hostsAttached,
  hostsDetached,
  lookAtAttachments,
  lookAtDetachments,
} from "./steps/attach-hosts.ts";
import { configureCluster, forget, isObserved } from "./steps/configure-cluster.ts";
import {
  clearHub,
  controlPlaneAvailable,
  controlPlaneGone,
  deployControlPlane,
  refresh,
  removeControlPlane,
} from "./steps/deploy-control-plane.ts";
import { createDnsRecords, lookAtDnsRecords, removeDnsRecords } from "./steps/dns-records.ts";
import { allocateFloatingIps, releaseFloatingIps } from "./steps/floating-ips.ts";
import { nodesJoined } from "./steps/join-nodes.ts";
import { createLayer2Network, removeLayer2Network } from "./steps/layer2-network.ts";
import { createLayer3Network, removeLayer3Network } from "./steps/layer3-network.ts";
import { publishCluster, unpublishCluster } from "./steps/publish-cluster.ts";
import {
  capacityReleased,
  capacityReserved,
  leaveQueues,
  releaseCapacity,
  reserveCapacity,
} from "./steps/reserve-capacity.ts";
import { settledAt } from "./steps/settled.ts";
import { isGone, isThere, unlessDone, unlessGone } from "./steps/site.ts";
import { allocateStorage, releaseStorage } from "./steps/storage.ts";
import { validateCluster } from "./steps/validate-cluster.ts";

/** What can run out is waited for this long. */
const scarce = hours(24);
/** Systems outside get this long to give something back before a person is asked. */
const patient = hours(24);

/** An order becomes a cluster: a hub and hosts, a network, names and storage, a control plane, nodes, READY. */
export const clusterCreate: ClusterSaga = {
  name: "cluster-create",
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
              {
                system: "fabric",
                act: createLayer2Network,
                look: unlessDone("layer2", createLayer2Network),
                until: isThere("layer2"),
                deadline: scarce,
              },
              {
                system: "fabric",
                act: removeLayer2Network,
                look: unlessGone("layer2", removeLayer2Network),
                until: isGone("layer2"),
                deadline: patient,
              },
            ),
            step(
              "CreateLayer3Network",
              {
                system: "fabric",
                act: createLayer3Network,
                look: unlessDone("layer3", createLayer3Network),
                until: isThere("layer3"),
                deadline: scarce,
                usually: seconds(10),
              },
              {
                system: "fabric",
                act: removeLayer3Network,
                look: unlessGone("layer3", removeLayer3Network),
                until: isGone("layer3"),
                deadline: patient,
              },
            ),
            step(
              "AttachHosts",
              {
                system: "fabric",
                act: attachHosts,
                look: lookAtAttachments,
                until: hostsAttached,
                deadline: minutes(30),
                usually: minutes(1),
              },
              {
                system: "fabric",
                act: detachAllHosts,
                look: lookAtDetachments,
                until: hostsDetached,
                deadline: patient,
                usually: minutes(1),
              },
            ),
            step(
              "AllocateFloatingIps",
              {
                system: "fabric",
                act: allocateFloatingIps,
                look: unlessDone("floating_ips", allocateFloatingIps),
                until: isThere("floating_ips"),
                deadline: scarce,
              },
              {
                system: "fabric",
                act: releaseFloatingIps,
                look: unlessGone("floating_ips", releaseFloatingIps),
                until: isGone("floating_ips"),
                deadline: patient,
              },
            ),
            step(
              "CreateDnsRecords",
              {
                system: "DNS",
                act: createDnsRecords,
                look: lookAtDnsRecords,
                until: isThere("dns_records"),
                deadline: minutes(30),
                usually: seconds(30),
              },
              {
                system: "DNS",
                act: removeDnsRecords,
                until: isGone("dns_records"),
                deadline: patient,
              },
            ),
          ],
        },
        {
          name: "storage",
          steps: [
            step(
              "AllocateStorage",
              {
                system: "storage",
                act: allocateStorage,
                look: unlessDone("storage", allocateStorage),
                until: isThere("storage"),
                deadline: minutes(30),
              },
              {
                system: "storage",
                act: releaseStorage,
                look: unlessGone("storage", releaseStorage),
                until: isGone("storage"),
                deadline: patient,
              },
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
      {
        system: "hosted cluster",
        act: forget("validation"),
        look: validateCluster,
        until: isObserved("validation"),
        // A template's own test may take two hours.
        deadline: hours(4),
        usually: minutes(3),
      },
      { none: "its test workload goes with the cluster" },
    ),
    step(
      "PublishCluster",
      { act: publishCluster, deadline: minutes(15) },
      { act: unpublishCluster, deadline: minutes(15) },
    ),
  ],
  ended: {
    succeeded: settledAt,
    failed: (cluster, failure) => ({ ...cluster, published: false, failure }),
  },
};
