import * as z from "zod";
import type { Violation } from "../../error.ts";
import { idSchema, referenceInputSchema, systemMetadata } from "../../kernel/input/reference.ts";
import { metadataInputSchema, type Reference } from "../../kernel/object/metadata.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition, Request } from "../../kernel/request/definition.ts";
import { referenceTo } from "../../kernel/request/resolve.ts";
import { changePools, refuseFaultyPools } from "./change-pools.ts";
import { defaultWrites, forgetDefault } from "./default.ts";
import { refuseFaultyDefaults } from "./default-networking.ts";
import {
  type NetworkClassSpec,
  networkClassSettingsSchema,
  networkClassTextSchema,
} from "./model.ts";
import { usageOf } from "./usage.ts";
import { networkClassSchema } from "./wire.ts";

const schema = z.strictObject({
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  ...networkClassTextSchema,
  spec: networkClassSettingsSchema
    .extend({
      site: referenceInputSchema
        .optional()
        .describe("The site whose fabric makes its networks; required for the strategy `fabric`."),
    })
    .prefault({}),
  capabilities: z
    .unknown()
    .optional()
    .describe("Follows from the strategy; what is sent is ignored."),
  status: z.unknown().optional(),
});
type Input = z.output<typeof schema>;

const rules: Definition<"network_class", Input> = {
  kind: "network_class",
  schema,
  idIsName: "refused",
  nameFromId: true,
  tenant: "shared",
  async build(request) {
    const { deps, id, input, before, violations } = request;
    const { title, description, implementation_strategy, is_default = false } = input;
    const { site: _, ...settings } = input.spec;
    const site = await siteOf(request);
    const spec: NetworkClassSpec = {
      ...settings,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      implementation_strategy,
      is_default,
      ...(site && { site }),
    };
    refuseOther(before?.spec, spec, violations);
    refuseFaultyPools(spec, violations);
    refuseRange(spec, violations);
    refuseFaultyDefaults(spec, violations);
    const was = before?.spec.is_default ?? false;
    return {
      spec,
      status: { state: "NETWORK_CLASS_STATE_READY" },
      writes: [
        ...(await changePools(deps, before, spec, violations)),
        ...(await defaultWrites(deps, { id, isDefault: is_default, was })),
      ],
    };
  },
  live: {
    members: ["prefix_pools", "vnis"],
    read: async (deps, { everywhere }, found) =>
      Promise.all(
        (await found).map(async (networkClass) =>
          everywhere ? { ...(await usageOf(deps, networkClass)) } : {},
        ),
      ),
  },
  remove: async (_, object) => forgetDefault(object),
};

async function siteOf({
  input,
  violations,
  references,
}: Request<"network_class", Input>): Promise<Reference | undefined> {
  const { implementation_strategy: strategy, spec } = input;
  const refuse = (message: string) => violations.push({ field: "spec.site", message });
  if (strategy !== "fabric") {
    if (spec.site !== undefined)
      refuse(`is only for the strategy 'fabric', and this one is '${strategy}'`);
    return undefined;
  }
  if (spec.site === undefined) {
    refuse("is required for the strategy 'fabric'");
    return undefined;
  }
  const site = await references.resolve("spec.site", "site", spec.site);
  if (site && !site.spec.fabric) refuse(`site '${site.id}' has no fabric`);
  return site && referenceTo(site);
}

/** The networks of an overlay have VNIs, and no others. */
function refuseRange(
  { implementation_strategy: strategy, vni_range: range }: NetworkClassSpec,
  violations: Violation[],
): void {
  const field = "spec.vni_range";
  if (strategy === "overlay" && !range)
    violations.push({ field, message: "is required for the strategy 'overlay'" });
  if (strategy !== "overlay" && range)
    violations.push({
      field,
      message: `is only for the strategy 'overlay', and this one is '${strategy}'`,
    });
}

/** Refuses what networks that exist are made by. */
function refuseOther(
  before: NetworkClassSpec | undefined,
  after: NetworkClassSpec,
  violations: Request<"network_class", Input>["violations"],
): void {
  if (!before) return;
  const refuse = (field: string) =>
    violations.push({ field, message: `field '${field}' is immutable` });
  if (before.implementation_strategy !== after.implementation_strategy)
    refuse("implementation_strategy");
  if (before.site?.id !== after.site?.id) refuse("spec.site");
}

export const api = { schema: networkClassSchema, rules } satisfies ApiOf<"network_class">;
