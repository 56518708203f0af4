import { unreportedPartition } from "../../kernel/object/keys.ts";
import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import {
  admins,
  manage,
  ordered,
  orderers,
  type PermissionsOf,
  readers,
  staff,
} from "../../kernel/request/permissions.ts";
import { privateInFailures } from "../../kernel/saga/failure.ts";
import { privateInWaits } from "../../kernel/saga/wait.ts";
import { allocationsOf } from "../../placement/pool/reserved.ts";
import { type BaremetalInstance, instanceStates } from "./model.ts";
import { everyStand } from "./networks.ts";
import { instanceStatus } from "./status.ts";

export const kind: KindDefinition<"baremetal_instance"> = {
  events: commonChanges,
  hasHistory: true,
  // Hides from tenants which host it is, and where.
  privateMembers: [
    "status.hub",
    "status.host",
    "status.host_type",
    ...privateInWaits,
    ...privateInFailures,
  ],
  shown: {
    // A mask replaces the user data in answers.
    spec: ({ spec: { user_data, ...spec } }) => ({
      ...spec,
      ...(user_data === undefined ? {} : { user_data: true }),
    }),
    status: ({ status }) => status,
    "status.operation": ({ operation }) => operation,
    "status.batch": ({ batch }) =>
      batch && {
        id: batch.id,
        size: batch.members.length,
        ...(batch.racks && { racks: batch.racks }),
      },
    "status.repair": ({ repair }) => repair,
    "status.host": ({ placement }) => placement?.hosts,
    "status.host_type": ({ host_type }) => host_type,
  },
  inProjects: true,
  isForGood: true,
  isOperated: true,
  isOrdered: true,
  references: (instance) => {
    const { spec, template, instance_type, host_type, automatic_ip, placement } = instance;
    return [
      { kind: "baremetal_instance_catalog_item", id: spec.catalog_item.id },
      { kind: "baremetal_instance_template", id: template.id },
      { kind: "bare_metal_instance_type", id: instance_type.id },
      { kind: "host_type", id: host_type },
      ...each(
        everyStand(instance).map(({ subnet }) => subnet),
        "subnet",
      ),
      ...each(groupIds(instance), "security_group"),
      ...(automatic_ip ? each([automatic_ip.attachment], "external_ip_attachment") : []),
      ...each(allocationsOf(placement), "allocation"),
    ];
  },
  status: instanceStatus,
  stored: {
    foundBy: [
      {
        path: "status.state",
        of: ({ status }) => status.state,
        values: instanceStates.map((state) => `BARE_METAL_INSTANCE_STATE_${state}`),
      },
      { path: "metadata.tenant", of: ({ metadata }) => metadata.tenant },
      { path: "spec.image.source_ref", of: ({ spec }) => spec.image.source_ref },
    ],
    indexes: ({ id, placement }) =>
      placement && { g3pk: unreportedPartition(placement.hub), g3sk: id },
  },
};

export const permissions: PermissionsOf = {
  public: {
    ...ordered,
    history: readers,
    batch: orderers,
    retry: orderers,
    reinstall: orderers,
    consent: orderers,
    release: orderers,
  },
  private: {
    ...manage,
    history: staff,
    batch: admins,
    retry: admins,
    reinstall: admins,
    consent: admins,
    release: admins,
    force: admins,
  },
};

/** The ids of its security groups and, during a change of its networks, of the previous ones. */
const groupIds = ({ spec, formerly }: BaremetalInstance): string[] =>
  [...spec.network_attachments, ...(formerly?.network_attachments ?? [])].flatMap(
    ({ security_groups }) => security_groups.map(({ id }) => id),
  );

const each = <K extends "subnet" | "security_group" | "external_ip_attachment" | "allocation">(
  ids: string[],
  kind: K,
) => [...new Set(ids)].map((id) => ({ kind, id }));
