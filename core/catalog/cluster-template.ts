import * as z from "zod";
import type { Violation } from "../error.ts";
import {
  idSchema,
  type ReferenceInput,
  referenceInputSchema,
  systemMetadata,
} from "../input/reference.ts";
import {
  type ClusterTemplateSpec,
  hasType,
  nodeSetSizeSchema,
  type Parameter,
} from "../model/cluster-template.ts";
import { metadataInputSchema, nameSchema } from "../model/metadata.ts";
import { resolve } from "../order/resolve.ts";
import type { Store } from "../store/store.ts";
import { parameterType, parameterValueSchema, unwrapped } from "../view/any.ts";
import type { Definition, Request } from "./definition.ts";

const parameterSchema = z.strictObject({
  name: z.string().min(1).max(63),
  title: z.string().max(128).optional(),
  description: z.string().max(1024).optional(),
  /** `string`, `integer`, `number`, `boolean`, or the type URL of such a protobuf value. */
  type: z.string().max(253),
  required: z.boolean().optional(),
  default: parameterValueSchema.optional(),
});

const schema = z.strictObject({
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  title: z.string().max(128).optional(),
  description: z.string().max(1024).optional(),
  parameters: z.array(parameterSchema).max(100).optional(),
  node_sets: z.record(
    nameSchema,
    z.strictObject({ host_type: referenceInputSchema, size: nodeSetSizeSchema.min(1) }),
  ),
  allowed_host_types: z.array(referenceInputSchema).max(100).optional(),
  spec_defaults: z.strictObject({ version: referenceInputSchema.optional() }).optional(),
});
type Input = z.output<typeof schema>;

export const clusterTemplates: Definition<"cluster_template", Input> = {
  kind: "cluster_template",
  schema,
  tenant: "caller",
  build: async (request) => ({ spec: await specOf(request), status: {} }),
};

async function specOf({
  deps,
  tenant,
  input,
  violations,
}: Request<"cluster_template", Input>): Promise<ClusterTemplateSpec> {
  const names = new Names(deps.store, tenant, violations);
  const node_sets: ClusterTemplateSpec["node_sets"] = {};
  for (const [name, { host_type, size }] of Object.entries(input.node_sets)) {
    const field = `node_sets.${name}.host_type`;
    node_sets[name] = { host_type: await names.of("host_type", field, host_type), size };
  }
  if (Object.keys(node_sets).length === 0) {
    violations.push({ field: "node_sets", message: "at least one node set is needed" });
  }
  const { title, description, parameters, allowed_host_types, spec_defaults } = input;
  const allowed: string[] = [];
  for (const [n, reference] of (allowed_host_types ?? []).entries()) {
    allowed.push(await names.of("host_type", `allowed_host_types[${n}]`, reference));
  }
  const version =
    spec_defaults?.version &&
    (await names.of("cluster_version", "spec_defaults.version", spec_defaults.version));
  return {
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...(parameters ? { parameters: parametersOf(parameters, violations) } : {}),
    node_sets,
    ...(allowed_host_types ? { allowed_host_types: allowed } : {}),
    ...(version ? { version } : {}),
  };
}

function parametersOf(
  inputs: z.output<typeof parameterSchema>[],
  violations: Violation[],
): Parameter[] {
  const names = new Set<string>();
  return inputs.flatMap(({ default: given, ...input }, n): Parameter[] => {
    const refuse = (member: string, message: string) =>
      violations.push({ field: `parameters[${n}].${member}`, message });
    if (names.has(input.name)) refuse("name", `'${input.name}' is there twice`);
    names.add(input.name);
    const type = parameterType(input.type);
    if (!type) {
      refuse(
        "type",
        "must be string, integer, number, boolean, or the type URL of such a protobuf value",
      );
      return [];
    }
    if (given === undefined) return [{ ...input, type }];
    const value = unwrapped(given)?.value;
    if (value === undefined || !hasType(value, type)) {
      refuse("default", `must be of type ${type}`);
      return [];
    }
    return [{ ...input, type, default: value }];
  });
}

/** Templates keep names of what they refer to; what is not there is a violation. */
class Names {
  readonly #store: Store;
  readonly #tenant: string;
  readonly #violations: Violation[];

  constructor(store: Store, tenant: string, violations: Violation[]) {
    this.#store = store;
    this.#tenant = tenant;
    this.#violations = violations;
  }

  async of(
    kind: "host_type" | "cluster_version",
    field: string,
    reference: ReferenceInput,
  ): Promise<string> {
    const object = await resolve(this.#store, kind, this.#tenant, reference);
    if (object) return object.metadata.name;
    const { id, name } = typeof reference === "string" ? { id: reference, name: "" } : reference;
    const label = kind === "host_type" ? "HostType" : "ClusterVersion";
    this.#violations.push({ field, message: `${label} "${name || id || ""}" not found` });
    return "";
  }
}
