import * as z from "zod";
import { type Hub, hubSpecSchema } from "../model/hub.ts";
import { orphansSchema } from "./orphans.ts";
import { metadataSchema, metadataView } from "./wire.ts";

const { credentials: _, ...shape } = hubSpecSchema.shape;

export const hubSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object(shape),
  status: z.object({
    state: z
      .enum(["HUB_STATE_PENDING", "HUB_STATE_READY", "HUB_STATE_UNREACHABLE"])
      .describe("Whether orders can be placed on it."),
    message: z.string().optional().describe("Why, in words."),
    orphans: orphansSchema.optional().describe("What was found there without an owner."),
  }),
});
type HubWire = z.output<typeof hubSchema>;

/** Credentials are never answered, not even where they are. */
export function hubView(hub: Hub): HubWire {
  const { credentials: _, ...spec } = hub.spec;
  return { id: hub.id, metadata: metadataView(hub), spec, status: hub.status };
}

/** OSAC's hubs have a kubeconfig (never answered) and a namespace; ours need no other namespace. */
export function osacHub({ id, metadata }: HubWire) {
  return { id, metadata, spec: {}, status: {} };
}
