import { hubPartition } from "../../kernel/object/keys.ts";
import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";
import { admins, manage, type PermissionsOf, staff } from "../../kernel/request/permissions.ts";
import { hostOwnerOf, hostStatus } from "../../placement/pool/host.ts";
import { specShown } from "./bmc.ts";
import { healthLimit } from "./health-sources.ts";
import { type Host, hostStates } from "./model.ts";
import { packed, unpacked } from "./packed.ts";
import { hostStatusShown } from "./shown.ts";

/**
 * Changes that are published at once: a new state, the start or end of an operation, an alert that prevents
 * allocation.
 */
const toldOf = ({ status: { state, health }, operation }: Host): string =>
  `${state} ${operation} ${health?.prevents_allocation === true}`;

export const kind: KindDefinition<"host"> = {
  events: commonChanges,
  hasHistory: true,
  // Every report of a hub changes hosts, so only changes by people and those of `toldOf` cause an event; others
  // are included in the next one.
  isQuiet: (before, after, paths) =>
    paths.every((path) => path.startsWith("status.") && path !== "status.maintenance") &&
    toldOf(before) === toldOf(after),
  shown: {
    spec: specShown,
    status: hostStatusShown,
  },
  references: ({ spec }) => [
    { kind: "host_type", id: spec.host_type },
    { kind: "hub", id: spec.hub },
  ],
  referencedByOthers: { named: true },
  isOperated: true,
  // A held host stays RESERVED, so its quarantine is shown separately.
  isOutOfService: ({ server }) => server?.quarantine !== undefined,
  status: (host, now) => hostStatus(host, hostOwnerOf(host), now),
  stored: {
    packing: { pack: packed, unpack: unpacked },
    // The reports of its hub, its controller and its DPUs, besides its health.
    reportedBytes: healthLimit + 112 * 1024,
    foundBy: [
      {
        path: "status.state",
        of: ({ status }) => status.state,
        values: hostStates.map((state) => `HOST_STATE_${state}`),
        // A host under release alternates between both states; one index entry for both saves four index writes
        // for each release.
        liesAs: { HOST_STATE_RECLAIMING: "HOST_STATE_RESERVED" },
      },
      { path: "spec.host_type", of: ({ spec }) => spec.host_type },
    ],
    isListedByName: true,
    indexes: ({ id, spec }) => ({ g3pk: hubPartition(spec.hub, "host"), g3sk: id }),
  },
};

export const permissions: PermissionsOf = {
  private: {
    ...manage,
    history: staff,
    retry: admins,
    release: admins,
    retire: admins,
    maintain: admins,
    health: admins,
    override: admins,
    validate: admins,
    reprovision: admins,
    update_firmware: admins,
    accept_identity: admins,
  },
};

export const documentation: Documentation = {
  meaning: "Servers in the inventory.",
  groups: { private: "Provider" },
  example: {
    metadata: { name: "rack-1-01" },
    spec: {
      host_type: "fc430",
      hub: "hub-a",
      bmc: { address: "redfish://10.1.0.1/redfish/v1/Systems/1" },
      nics: [{ name: "eth0", mac: "52:54:00:12:34:56", switch: "leaf-1", port: "swp48" }],
    },
  },
  answer: ofProvider("fc430-b-02", {
    id: "0d0082d1-9f5a-5106-b720-0460f750b562",
    spec: {
      host_type: "fc430",
      hub: "hub-b",
      bmc: { address: "redfish-virtualmedia://192.168.2.12/redfish/v1/Systems/1" },
      nics: [{ name: "eno1", mac: "52:54:00:01:02:01", switch: "leaf-b1", port: "Ethernet1/2" }],
    },
    status: { state: "HOST_STATE_AVAILABLE" },
  }),
  osacLacksIt: true,
};
