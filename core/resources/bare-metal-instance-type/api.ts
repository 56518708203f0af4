import type * as z from "zod";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { servedBy } from "./host-types.ts";
import { instanceTypeSpecSchema } from "./model.ts";
import { bareMetalInstanceTypeSchema } from "./wire.ts";

const schema = inputSchema(instanceTypeSpecSchema);

const rules: Definition<"bare_metal_instance_type", z.output<typeof schema>> = {
  kind: "bare_metal_instance_type",
  schema,
  idIsName: "refused",
  nameFromId: true,
  tenant: "shared",
  async build({ input: { spec }, violations }) {
    const ports = spec.hardware.network_ports ?? [];
    ports.forEach(({ name }, n) => {
      if (ports.findIndex((each) => each.name === name) !== n)
        violations.push({
          field: `spec.hardware.network_ports[${n}].name`,
          message: `'${name}' is another port's name`,
        });
    });
    return { spec, status: {} };
  },
  live: {
    members: ["host_types"],
    // Only the provider sees its hosts.
    read: async (deps, caller, found) =>
      caller.everywhere ? servedBy(deps, found) : (await found).map(() => ({})),
  },
};

export const api = {
  schema: bareMetalInstanceTypeSchema,
  rules,
} satisfies ApiOf<"bare_metal_instance_type">;
