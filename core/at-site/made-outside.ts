import { unreportedPartition } from "../kernel/object/keys.ts";
import { commonChanges, type KindDefinition } from "../kernel/object/kind.ts";
import { type LifecycleState, lifecycleOf } from "../kernel/object/lifecycle.ts";
import type { Metadata } from "../kernel/object/metadata.ts";
import type { Charged, KindWith } from "../kernel/object/traits.ts";
import {
  admins,
  manage,
  ordered,
  orderers,
  type PermissionsOf,
  readers,
  staff,
} from "../kernel/request/permissions.ts";
import { privateInWaits } from "../kernel/saga/wait.ts";
import type { HasSite, PlaceRecord } from "./at-site.ts";
import { messageOf } from "./parts.ts";

/** An object that one saga makes at a site or on a hub, and another removes, such as a tenant's subnet. */
export interface MadeOutside extends HasSite, Charged {
  metadata: Metadata;
  /** Present only for an object that is made on a hub instead of at a site. */
  hub?: PlaceRecord;
  /** Its creation succeeded once. */
  made?: true;
}

export type MadeOutsideKind = KindWith<MadeOutside>;

/** The members that the definitions of these kinds share. */
export const madeOutside = {
  events: commonChanges,
  privateMembers: privateInWaits,
  inProjects: true,
  isForGood: true,
  isOperated: true,
  isOrdered: true,
  hasHistory: true,
  referencedByOthers: { named: true },
  stored: {
    indexes: ({ id, hub }) => hub && { g3pk: unreportedPartition(hub.id), g3sk: id },
  },
} as const satisfies Partial<KindDefinition<MadeOutsideKind>>;

/** The permissions on these objects. */
export const madeOutsidePermissions = {
  public: { ...ordered, history: readers, retry: orderers },
  private: { ...manage, history: staff, retry: admins },
} as const satisfies PermissionsOf;

/** The values of the object in the API's filters, by path. */
export const madeOutsideShown = {
  spec: ({ spec }: { spec: unknown }) => spec,
  status: ({ status }: { status: unknown }) => status,
  "status.operation": ({ operation }: Pick<MadeOutside, "operation">) => operation,
};

export interface MadeOutsideStatus<Name extends string> {
  state: `${Name}_STATE_${LifecycleState}`;
  /** The reason of its wait or failure. */
  message?: string;
}

/** Derives the status from the record. `name`: the kind's name in its states. Pure. */
export function madeStatusOf<Name extends string>(
  name: Name,
  object: MadeOutside,
): MadeOutsideStatus<Name> {
  const message = messageOf(object);
  return {
    state: `${name}_STATE_${lifecycleOf(object)}`,
    ...(message !== undefined && { message }),
  };
}
