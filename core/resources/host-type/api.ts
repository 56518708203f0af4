import * as z from "zod";
import { idSchema, systemMetadata } from "../../kernel/input/reference.ts";
import { metadataInputSchema } from "../../kernel/object/metadata.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { availabilityOf } from "./availability.ts";
import { hostTypeSpecSchema } from "./model.ts";
import { hostTypeSchema } from "./wire.ts";

const schema = z.strictObject({
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  ...hostTypeSpecSchema.shape,
  /** Written by Slipway; the client's value is ignored. */
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
  live: { members: ["availability"], read: availabilityOf },
};

export const api = { schema: hostTypeSchema, rules: hostTypes } satisfies ApiOf<"host_type">;
