import * as z from "zod";
import { idSchema, systemMetadata } from "../input/reference.ts";
import { hostTypeSpecSchema } from "../model/host-type.ts";
import { metadataInputSchema } from "../model/metadata.ts";
import { availabilityOf } from "./availability.ts";
import type { Definition } from "./definition.ts";

const schema = z.strictObject({
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  ...hostTypeSpecSchema.shape,
  /** Written by the server; ignored. */
  status: z.unknown().optional(),
});

export const hostTypes: Definition<"host_type", z.output<typeof schema>> = {
  kind: "host_type",
  schema,
  idIsName: "refused",
  nameFromId: true,
  tenant: "shared",
  async build({ input: { id: _, metadata: __, status: ___, ...spec } }) {
    return { spec, status: {} };
  },
  live: { members: ["availability", "hubs"], read: availabilityOf },
};
