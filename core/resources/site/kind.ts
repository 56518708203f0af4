import { endsPartition } from "../../kernel/object/keys.ts";
import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { manage, type PermissionsOf, staff } from "../../kernel/request/permissions.ts";
import { authorityEnds } from "./certificates.ts";
import { siteSpecShown } from "./shown.ts";

export const kind: KindDefinition<"site"> = {
  // Events of sites are for the provider's administrators.
  events: commonChanges,
  shown: { spec: siteSpecShown, status: ({ status }) => status },
  referencedByOthers: { named: true },
  status: ({ spec, status }) => ({ ...status, ...authorityEnds(spec) }),
  stored: {
    indexes: ({ id, status: { authority_ends: ends } }) =>
      ends === undefined ? undefined : { g3pk: endsPartition("site"), g3sk: `${ends}#${id}` },
  },
};

export const permissions: PermissionsOf = { private: { ...manage, numbers: staff } };
