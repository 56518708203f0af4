import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";

export const kind: KindDefinition<"host_type"> = {
  events: commonChanges,
  privateMembers: ["status.hubs"],
  shown: { "": ({ spec }) => spec },
  shared: {},
  referencedByOthers: {},
};
