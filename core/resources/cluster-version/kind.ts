import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { manage, type PermissionsOf, provided } from "../../kernel/request/permissions.ts";
import { versionShown } from "./shown.ts";

export const kind: KindDefinition<"cluster_version"> = {
  events: commonChanges,
  privateMembers: ["spec.image"],
  shown: { spec: versionShown },
  shared: {},
  referencedByOthers: {},
};

export const permissions: PermissionsOf = { public: provided, private: manage };
