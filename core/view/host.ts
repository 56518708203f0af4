import * as z from "zod";
import { type Host, type HostState, hostSpecSchema, hostStates } from "../model/host.ts";
import { metadataSchema, metadataView } from "./wire.ts";

const states = hostStates.map((state) => `HOST_STATE_${state}` as const) as [
  HostState,
  ...HostState[],
];

export const hostSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: hostSpecSchema.extend({ bmc: z.object({ address: z.string() }) }),
  status: z.object({
    state: z.enum(states),
    message: z.string().optional(),
    owner: z
      .object({
        tenant: z.string(),
        kind: z.literal("cluster"),
        id: z.string(),
        node_set: z.string(),
      })
      .optional(),
    agent: z
      .object({
        name: z.string(),
        state: z.string(),
        message: z.string(),
        bound_to: z.string(),
        gone: z.boolean(),
      })
      .optional(),
  }),
});

export function hostView(host: Host): z.output<typeof hostSchema> {
  const { agent, ...status } = host.status;
  return {
    id: host.id,
    metadata: metadataView(host),
    spec: { ...host.spec, bmc: { address: host.spec.bmc.address } },
    status: { ...status, ...(agent ? { agent: agentView(agent) } : {}) },
  };
}

function agentView({ name, state, message, bound_to, gone }: NonNullable<Host["status"]["agent"]>) {
  return { name, state, message, bound_to, gone };
}
