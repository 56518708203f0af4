import { hubPartition } from "../../kernel/object/keys.ts";
import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofProvider, referred } from "../../kernel/request/documentation.ts";
import { admins, manage, type PermissionsOf, staff } from "../../kernel/request/permissions.ts";
import { identityShown } from "../../machine/identity.ts";
import { specShown } from "../host/bmc.ts";
import { dpuStates } from "./model.ts";
import { configurationBytes } from "./network.ts";
import { dpuStatusOf } from "./status.ts";

export const kind: KindDefinition<"dpu"> = {
  // Events of DPUs go only to the provider's administrators.
  events: commonChanges,
  hasHistory: true,
  isQuiet: (_, __, paths) =>
    paths.every((path) => /^status\.(\w+_time|told_times\b.*|leases\b.*)$/.test(path)),
  shown: {
    spec: specShown,
    status: ({ status }) => status,
    "status.identity": (dpu) => identityShown(dpu).identity,
    "status.operation": ({ operation }) => operation,
  },
  references: ({ spec }) => [{ kind: "host", id: spec.host.id }],
  isOperated: true,
  status: dpuStatusOf,
  stored: {
    foundBy: [
      {
        path: "status.state",
        of: ({ status }) => status.state,
        values: dpuStates.map((state) => `DPU_STATE_${state}`),
      },
      { path: "spec.serial", of: ({ spec }) => spec.serial },
    ],
    isListedByName: true,
    // Its own reports, besides its configuration.
    reportedBytes: configurationBytes + 128 * 1024,
    indexes: ({ id, hub }) => ({ g3pk: hubPartition(hub, "dpu"), g3sk: id }),
  },
};

export const permissions: PermissionsOf = {
  private: { ...manage, history: staff, retry: admins, accept_identity: admins },
};

export const documentation: Documentation = {
  meaning: "The DPUs of hosts: computers on their network cards, which carry their packets.",
  groups: { private: "Provider" },
  example: {
    metadata: { name: "rack-1-02-dpu-0" },
    spec: {
      host: { name: "rack-1-02" },
      serial: "MT2334X00123",
      bmc: {
        address: "redfish://10.1.1.1/redfish/v1/Systems/Bluefield",
        username: "slipway",
        password: "a-secret",
      },
      ports: [{ name: "pf0hpf", host_mac: "52:54:00:12:34:57" }],
    },
  },
  answer: ofProvider("rack-1-02-dpu-0", {
    spec: {
      host: referred("rack-1-02"),
      serial: "MT2334X00123",
      bmc: { address: "redfish://10.1.1.1/redfish/v1/Systems/Bluefield" },
      ports: [{ name: "pf0hpf", host_mac: "52:54:00:12:34:57" }],
    },
    status: { state: "DPU_STATE_UNDISCOVERED" },
  }),
  osacLacksIt: true,
};
