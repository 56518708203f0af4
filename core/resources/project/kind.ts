import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";

export const kind: KindDefinition<"project"> = {
  events: commonChanges,
  inProjects: true,
  // A project is in itself, and others refer to it by its path.
  project: ({ name }) => name,
  referencedByOthers: { id: ({ metadata }) => `${metadata.tenant}/${metadata.name}` },
};
