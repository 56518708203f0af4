import { hours, minutes, seconds } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import type { StepContext } from "../core/kernel/saga/context.ts";
import { backwards, phase, step } from "../core/kernel/saga/saga.ts";
import { secretReference } from "../core/ports/secrets/secrets.ts";
import type { Cluster } from "../core/resources/cluster/model.ts";
import { capacityReleased, releaseCapacity } from "./steps/capacity/release.ts";
import { capacityReserved, leaveQueues, reserveCapacity } from "./steps/capacity/reserve.ts";
import { clusterNames, clusterStorage } from "./steps/cluster/at-site.ts";
import { wantedCapacity } from "./steps/cluster/capacity.ts";
import { configureCluster } from "./steps/cluster/configure.ts";
import {
  clearHub,
  controlPlaneAvailable,
  controlPlaneGone,
  deployControlPlane,
  refresh,
  removeControlPlane,
} from "./steps/cluster/deploy-control-plane.ts";
import { forget, isObserved } from "./steps/cluster/guest.ts";
import { nodesJoined } from "./steps/cluster/join-nodes.ts";
import {
  leadAddresses,
  removeAddresses,
  withoutExternalIps,
} from "./steps/cluster/outside-addresses.ts";
import { publishCluster, unpublishCluster } from "./steps/cluster/publish.ts";
import { refuseOverlap } from "./steps/cluster/refuse-overlap.ts";
import { validating } from "./steps/cluster/validate.ts";
import { attachHosts, detachAllHosts } from "./steps/site/attachments.ts";
import { createDnsRecords, lookAtDnsRecords, removeDnsRecords } from "./steps/site/dns.ts";
import { createLayer2Network, removeLayer2Network } from "./steps/site/layer2.ts";
import { createLayer3Network, removeLayer3Network } from "./steps/site/layer3.ts";
import { ensurePart, removePart } from "./steps/site/site.ts";
import { allocateStorage, releaseStorage } from "./steps/site/storage.ts";
import { systems } from "./steps/systems.ts";

/** How long an order waits for something scarce, such as hosts or numbers. */
const capacityDeadline = hours(24);
/** How long a removal at an outside system is retried before operator action is required. */
const removalDeadline = hours(24);

/** Turns an order into a READY cluster: hub and hosts, network, names, storage, control plane, nodes. */
export const clusterCreate = saga<"cluster">("cluster-create", {
  comment: "An ordered cluster becomes READY, or everything that it claimed is released",
  nodes: [
    step(
      "ReserveCapacity",
      {
        system: systems.placement,
        act: reserveCapacity(wantedCapacity),
        look: reserveCapacity(wantedCapacity),
        looksLater: true,
        until: capacityReserved(wantedCapacity),
        deadline: capacityDeadline,
      },
      withoutExternalIps({
        system: systems.hub,
        act: leaveQueues(wantedCapacity),
        look: releaseCapacity(wantedCapacity),
        until: capacityReleased,
        effects: "none",
        deadline: removalDeadline,
      }),
    ),
    {
      name: "PrepareSite",
      branches: [
        {
          name: "network",
          steps: [
            step(
              "CreateLayer2Network",
              ensurePart("layer2", systems.fabric, createLayer2Network, {
                deadline: capacityDeadline,
              }),
              removePart("layer2", systems.fabric, removeLayer2Network),
            ),
            step(
              "CreateLayer3Network",
              ensurePart("layer3", systems.fabric, createLayer3Network(refuseOverlap), {
                deadline: capacityDeadline,
                usually: seconds(10),
              }),
              removePart("layer3", systems.fabric, removeLayer3Network),
            ),
            step("AttachHosts", attachHosts, detachAllHosts),
            step(
              "AllocateFloatingIps",
              ensurePart("floating_ips", systems.fabric, leadAddresses, {
                deadline: capacityDeadline,
              }),
              removePart("floating_ips", systems.fabric, removeAddresses),
            ),
            step(
              "CreateDnsRecords",
              {
                ...ensurePart("dns_records", systems.dns, createDnsRecords(clusterNames), {
                  deadline: minutes(30),
                  usually: seconds(30),
                }),
                look: lookAtDnsRecords(clusterNames),
              },
              removePart("dns_records", systems.dns, removeDnsRecords(clusterNames)),
            ),
          ],
        },
        {
          name: "storage",
          steps: [
            step(
              "AllocateStorage",
              ensurePart("storage", systems.storage, allocateStorage(clusterStorage), {
                deadline: minutes(30),
              }),
              removePart("storage", systems.storage, releaseStorage(clusterStorage)),
            ),
          ],
        },
      ],
    },
    step(
      "DeployControlPlane",
      {
        system: systems.hub,
        act: deployControlPlane,
        look: refresh,
        until: controlPlaneAvailable,
        deadline: minutes(30),
        usually: minutes(7),
      },
      {
        system: systems.hub,
        act: removeControlPlane,
        look: clearHub,
        until: controlPlaneGone,
        deadline: removalDeadline,
        usually: minutes(5),
      },
    ),
    step(
      "JoinNodes",
      {
        system: systems.hub,
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
        system: systems.hostedCluster,
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
      // The template's own test may take two hours.
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

/** The undos of cluster-create in reverse order, so that each undo is written once. */
const undos = backwards(clusterCreate.nodes);

/** The index of an undo in `undos`. Throws when there is none of that name. */
function placeOf(name: string): number {
  const place = undos.findIndex((undo) => undo.name === name);
  if (place < 0) throw new Error(`cluster-create has no ${name}`);
  return place;
}
const atSite = placeOf("Undo AllocateStorage");
const capacity = placeOf("Undo ReserveCapacity");

/**
 * Joins consecutive undos into phases, because each Step Functions state costs; people still see every step.
 */
export const clusterDelete = saga<"cluster">("cluster-delete", {
  comment: "A cluster is deleted, and everything that it held is released",
  irreversible: true,
  nodes: [
    phase("ClearHub", ...undos.slice(0, atSite)),
    phase("ClearSite", ...undos.slice(atSite, capacity)),
    phase(
      "ReleaseAndArchive",
      ...undos.slice(capacity),
      step(
        "ArchiveCluster",
        { act: forgetSecrets, deadline: minutes(15) },
        { none: "nothing is left to go back to" },
      ),
    ),
  ],
});

/** Removes the secrets that came with the order or were created for it; the provider's secrets are kept. */
async function forgetSecrets(
  { id, spec }: Cluster,
  { deps: { secrets } }: StepContext<Cluster>,
): Promise<void> {
  if (spec.pull_secret !== undefined) await secrets.remove(spec.pull_secret);
  await secrets.remove(secretReference.ingressCertificate(id));
}
