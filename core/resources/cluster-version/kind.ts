import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { versionShown } from "./shown.ts";

export const kind: KindDefinition<"cluster_version"> = {
  events: commonChanges,
  privateMembers: ["spec.image"],
  shown: { spec: versionShown },
  shared: {},
  referencedByOthers: {},
};
