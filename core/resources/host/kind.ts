import { hubPartition } from "../../kernel/object/keys.ts";
import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { admins, manage, type PermissionsOf } from "../../kernel/request/permissions.ts";
import { hostStatus, ownerOf } from "../../placement/host.ts";
import { specShown } from "./bmc.ts";
import { type Host, type HostState, hostStates } from "./model.ts";
import { hostStatusShown } from "./shown.ts";

const outOfService: readonly HostState[] = [
  "HOST_STATE_MAINTENANCE",
  "HOST_STATE_UNHEALTHY",
  "HOST_STATE_QUARANTINED",
  "HOST_STATE_RETIRED",
];

/** What keeps a host from orders until somebody does something about it. */
const concernOf = ({ status: { state, health } }: Host): string =>
  `${outOfService.includes(state) ? state : ""} ${health?.prevents_allocation === true}`;

export const kind: KindDefinition<"host"> = {
  events: commonChanges,
  // Every report of a hub and every order changes hosts. Told is what people do, and what is theirs to do.
  isQuiet: (before, after, paths) =>
    paths.every((path) => path.startsWith("status.") && path !== "status.maintenance") &&
    concernOf(before) === concernOf(after),
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
  status: (host, now) => hostStatus(host, ownerOf(host), now),
  foundBy: [
    {
      path: "status.state",
      of: ({ status }) => status.state,
      values: hostStates.map((state) => `HOST_STATE_${state}`),
      // A host that its owner gives back is both in turn until it is given back: four index entries less for each.
      liesAs: { HOST_STATE_RECLAIMING: "HOST_STATE_RESERVED" },
    },
    { path: "spec.host_type", of: ({ spec }) => spec.host_type },
  ],
  isListedByName: true,
  indexes: ({ id, spec }) => ({ g3pk: hubPartition(spec.hub, "host"), g3sk: id }),
};

export const permissions: PermissionsOf = {
  private: {
    ...manage,
    retry: admins,
    release: admins,
    retire: admins,
    maintain: admins,
    health: admins,
    override: admins,
    validate: admins,
    reprovision: admins,
    update_firmware: admins,
  },
};
