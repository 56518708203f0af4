import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { manage, type PermissionsOf, provided } from "../../kernel/request/permissions.ts";
import { contentShown } from "./shown.ts";

export const kind: KindDefinition<"baremetal_instance_template"> = {
  events: commonChanges,
  shown: { "": contentShown },
  shared: {},
  references: ({ spec }) => [{ kind: "bare_metal_instance_type", id: spec.host_type }],
  referencedByOthers: {},
};

export const permissions: PermissionsOf = { public: provided, private: manage };
