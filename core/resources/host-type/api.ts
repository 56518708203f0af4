import * as z from "zod";
import type { Violation } from "../../error.ts";
import { idSchema, systemMetadata } from "../../kernel/input/reference.ts";
import { metadataInputSchema } from "../../kernel/object/metadata.ts";
import type { Records } from "../../kernel/object/records.ts";
import { usersOf } from "../../kernel/object/uses.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { availabilityOf } from "./availability.ts";
import { type HostType, type HostTypeSpec, hostTypeSpecSchema } from "./model.ts";
import { hostTypeSchema } from "./wire.ts";

const schema = z.strictObject({
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  ...hostTypeSpecSchema.shape,
  /** Slipway writes it; the client's value is ignored. */
  status: z.unknown().optional(),
});

/** Refuses to change a type's promises about its hosts while it has some. */
async function refuseOtherHosts(
  records: Records,
  before: HostType,
  { hardware }: HostTypeSpec,
  violations: Violation[],
): Promise<void> {
  const { hardware: is } = before.spec;
  const changed = (["dpus", "url_boot"] as const).filter((name) => hardware?.[name] !== is?.[name]);
  if (changed.length === 0) return;
  const users = await usersOf(records, before);
  if (!users.some(({ kind }) => kind === "host")) return;
  for (const name of changed)
    violations.push({
      field: `hardware.${name}`,
      message: "cannot change while there are hosts of the type",
    });
}

export const hostTypes: Definition<"host_type", z.output<typeof schema>> = {
  kind: "host_type",
  schema,
  idIsName: "refused",
  nameFromId: true,
  tenant: "shared",
  async build({ deps, input: { id: _, metadata: __, status: ___, ...spec }, before, violations }) {
    if (before) await refuseOtherHosts(deps, before, spec, violations);
    return { spec, status: {} };
  },
  live: { members: ["availability"], read: availabilityOf },
};

export const api = { schema: hostTypeSchema, rules: hostTypes } satisfies ApiOf<"host_type">;
