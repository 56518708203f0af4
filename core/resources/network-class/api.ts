import * as z from "zod";
import { toAppError, type Violation } from "../../error.ts";
import { idSchema, referenceInputSchema, systemMetadata } from "../../kernel/input/reference.ts";
import { metadataInputSchema } from "../../kernel/object/metadata.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition, Request } from "../../kernel/request/definition.ts";
import type { RequestDeps } from "../../kernel/request/request-deps.ts";
import { referenceTo } from "../../kernel/request/resolve.ts";
import { changePools, refuseFaultyPools } from "./change-pools.ts";
import { defaultWrites, forgetDefault } from "./default.ts";
import { refuseFaultyDefaults } from "./default-networking.ts";
import { keptFrom } from "./kept.ts";
import {
  type NetworkClassSpec,
  networkClassSettingsSchema,
  networkClassTextSchema,
} from "./model.ts";
import { classUsageOf } from "./usage.ts";
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
      hub: referenceInputSchema
        .optional()
        .describe("The hub that carries its networks; required for the strategy `hub`."),
    })
    .prefault({}),
  capabilities: z.unknown().optional().describe("Follows from the strategy; ignored in requests."),
  status: z.unknown().optional(),
});
type Input = z.output<typeof schema>;

const rules: Definition<"network_class", Input, RequestDeps> = {
  kind: "network_class",
  schema,
  idIsName: "refused",
  nameFromId: true,
  tenant: "shared",
  async build(request) {
    const { deps, id, input, before, violations } = request;
    const { title, description, implementation_strategy, is_default = false } = input;
    const { site: _, hub: __, ...settings } = input.spec;
    const place = await placeOf(request);
    const spec: NetworkClassSpec = {
      ...settings,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      implementation_strategy,
      is_default,
      ...place,
    };
    refuseOther(before?.spec, spec, violations);
    const was = before?.spec.is_default ?? false;
    const [kept, pools, defaults] = await Promise.all([
      keptFrom(deps, spec),
      changePools(deps, before, spec, violations),
      defaultWrites(deps, { id, isDefault: is_default, was }),
    ]);
    refuseFaultyPools(spec, kept, violations);
    refuseRange(spec, violations);
    refuseFaultyDefaults(spec, kept, violations);
    return {
      spec,
      status: { state: "NETWORK_CLASS_STATE_READY", low: before?.status.low ?? [] },
      writes: [...pools, ...defaults],
    };
  },
  live: {
    members: ["prefix_pools", "vnis"],
    read: async (deps, { everywhere }, found) =>
      Promise.all(
        (await found).map(async (networkClass) =>
          everywhere ? { ...(await classUsageOf(deps, networkClass)) } : {},
        ),
      ),
  },
  remove: async (_, object) => forgetDefault(object),
};

/** The strategies with a fixed place for their networks, and the member that names it. */
const places = { fabric: "site", hub: "hub" } as const;

/** The place of a class's networks; a fault adds a violation for the member that names it. */
async function placeOf({
  deps,
  before,
  input: { implementation_strategy: strategy, spec },
  violations,
  references,
}: Request<"network_class", Input, RequestDeps>): Promise<Pick<NetworkClassSpec, "site" | "hub">> {
  const refuse = (field: string, message: string) => violations.push({ field, message });
  for (const [of, member] of Object.entries(places)) {
    if (of !== strategy && spec[member] !== undefined)
      refuse(`spec.${member}`, `is only for the strategy '${of}', and this one is '${strategy}'`);
    if (of === strategy && spec[member] === undefined)
      refuse(`spec.${member}`, `is required for the strategy '${of}'`);
  }
  if (strategy === "fabric" && spec.site !== undefined) {
    const site = await references.resolve("spec.site", "site", spec.site);
    if (site && !site.spec.fabric) refuse("spec.site", `site '${site.id}' has no fabric`);
    return site ? { site: referenceTo(site) } : {};
  }
  if (strategy === "hub" && spec.hub !== undefined) {
    const hub = await references.resolve("spec.hub", "hub", spec.hub);
    const fault = hub && !before ? await networksFault(deps, hub.id) : undefined;
    if (fault !== undefined) refuse("spec.hub", fault);
    return hub ? { hub: referenceTo(hub) } : {};
  }
  return {};
}

/**
 * The reason why a hub cannot carry networks; undefined also if it does not answer now, because an
 * order will then get the reason.
 */
async function networksFault(
  { askableHubs, log }: Pick<RequestDeps, "askableHubs" | "log">,
  hub: string,
): Promise<string | undefined> {
  try {
    return await (await askableHubs.client(hub)).networksFault();
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.kind === "Internal") throw error;
    log.warn(
      { hub, kind: error.kind, detail: error.message },
      "a hub cannot be asked for networks",
    );
    return undefined;
  }
}

/** VNIs are required for networks of an overlay, and refused for others. */
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

/** Refuses changes of members on which existing networks depend. */
function refuseOther(
  before: NetworkClassSpec | undefined,
  after: NetworkClassSpec,
  violations: Request<"network_class", Input, RequestDeps>["violations"],
): void {
  if (!before) return;
  const refuse = (field: string) =>
    violations.push({ field, message: `field '${field}' is immutable` });
  if (before.implementation_strategy !== after.implementation_strategy)
    refuse("implementation_strategy");
  for (const place of ["site", "hub"] as const)
    if (before[place]?.id !== after[place]?.id) refuse(`spec.${place}`);
}

export const api = { schema: networkClassSchema, rules } satisfies ApiOf<"network_class">;
