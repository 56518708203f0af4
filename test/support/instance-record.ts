import { timestamp } from "../../core/clock.ts";
import { asHostId, asHubId } from "../../core/id.ts";
import type { BaremetalInstance } from "../../core/resources/baremetal-instance/model.ts";

/** A tenant's server as a record with nothing behind it: ordered into one subnet of an overlay. */
export function instanceRecord(more: Partial<BaremetalInstance> = {}, now = 0): BaremetalInstance {
  const reference = (name: string) => ({ id: name, name });
  return {
    kind: "baremetal_instance",
    id: "server-1",
    metadata: {
      name: more.id ?? "server-1",
      tenant: "tenant-a",
      labels: {},
      annotations: {},
      creator: "ann",
      creation_timestamp: timestamp(now),
    },
    generation: 0,
    revision: 1,
    spec: {
      catalog_item: reference("rhel"),
      template_parameters: {},
      image: { source_type: "registry", source_ref: "quay.io/images/rhel:9.6" },
      run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS",
      network_attachments: [{ subnet: reference("web"), security_groups: [], primary: true }],
    },
    status: {
      state: "BARE_METAL_INSTANCE_STATE_PROVISIONING",
      conditions: [],
      state_transition_time: "",
      network_attachment_statuses: [],
    },
    infra_id: "b123456789",
    template: reference("rhel"),
    instance_type: reference("big"),
    host_type: "metal",
    stands: [{ subnet: "web", name: "web", groups: [], primary: true }],
    published: false,
    event: { type: "", sequence: 0, time: "2026-01-01T00:00:00.000Z", changed: [] },
    ...more,
  };
}

/** What it has of a host of its own. */
export const onHost = (
  host: string,
  hub = "hub",
): Required<Pick<BaremetalInstance, "placement">> => ({
  placement: {
    ...{ hub: asHubId(hub), at: "", reason: "", rejected: [] },
    hosts: { metal: [asHostId(host)] },
  },
});
