import * as z from "zod";
import type { HubApi } from "../../../kubernetes/api.ts";
import { agentMachines, type KubeObject, machines } from "../../../kubernetes/kube-object.ts";
import type { Owner } from "../../../owner.ts";
import { controlPlaneNamespaceOf } from "./named.ts";

/** Cluster API deletes machines with this annotation before others (the MachineSet's delete policy). */
const deleteFirst = "cluster.x-k8s.io/delete-machine";

const ownerSchema = z.object({
  metadata: z.object({
    ownerReferences: z.array(z.object({ kind: z.string(), name: z.string() })).default([]),
  }),
  status: z.object({ agentRef: z.object({ name: z.string() }).optional() }).default({}),
});

/** Marks these agents' machines, which are then removed first when their node pool shrinks. */
export async function letLeaveFirst(
  api: HubApi,
  owner: Owner,
  agents: readonly string[],
): Promise<void> {
  if (agents.length === 0) return;
  const namespace = controlPlaneNamespaceOf(owner);
  const { items } = await api.list(agentMachines, { namespace });
  const going = items.flatMap((object) => machineOf(object, agents));
  for (const name of going) {
    const machine = {
      apiVersion: `${machines.group}/${machines.version}`,
      kind: machines.kind,
      metadata: { name, namespace },
    };
    await api.change(machine, (object) =>
      object ? { metadata: { annotations: { [deleteFirst]: "yes" } } } : undefined,
    );
  }
}

function machineOf(agentMachine: KubeObject, agents: readonly string[]): string[] {
  const { metadata, status } = ownerSchema.parse(agentMachine);
  if (status.agentRef === undefined || !agents.includes(status.agentRef.name)) return [];
  return metadata.ownerReferences.flatMap(({ kind, name }) =>
    kind === machines.kind ? [name] : [],
  );
}
