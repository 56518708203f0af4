import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";
import { manage, type PermissionsOf, provided } from "../../kernel/request/permissions.ts";
import type { BaremetalInstanceTemplate } from "./model.ts";

/** The content of a template in the API's answers. */
export function instanceContentShown({ spec }: Pick<BaremetalInstanceTemplate, "spec">) {
  const { image, ...rest } = spec;
  return { ...rest, spec_defaults: image ? { image } : {} };
}

export const kind: KindDefinition<"baremetal_instance_template"> = {
  events: commonChanges,
  shown: { "": instanceContentShown },
  shared: {},
  references: ({ spec }) => [{ kind: "bare_metal_instance_type", id: spec.host_type }],
  referencedByOthers: {},
};

export const permissions: PermissionsOf = { public: provided, private: manage };

const image = { source_type: "registry", source_ref: "quay.io/images/rhel:9.6" };

export const documentation: Documentation = {
  meaning: "Templates for servers: a type, an image and parameters.",
  groups: { public: "Order", private: "Provider" },
  example: {
    metadata: { name: "rhel-server-2" },
    title: "Another server with RHEL",
    host_type: "bm-standard",
    spec_defaults: { image },
  },
  answer: ofProvider("rhel-server", {
    title: "A server with RHEL",
    parameters: [],
    host_type: "bm-standard",
    spec_defaults: { image },
  }),
};
