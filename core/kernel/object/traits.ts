import type { HostId, HubId, OperationId } from "../../id.ts";
import type { Failure } from "./failure.ts";
import { definitionOf, type Kinds } from "./kind.ts";
import type { Metadata } from "./metadata.ts";
import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";

/** Members that objects of several kinds share, for code that needs only these. */

/** An object that operations change, one at a time. */
export interface Operated {
  /** The one operation that runs. */
  operation?: OperationId;
  /** The operation that starts when the running one has ended. */
  queued?: OperationId;
  /** Set when an operation failed; cleared by the next that succeeds. */
  failure?: Failure;
  /** Why its running operation needs operator action; absent while the operation proceeds. */
  stuck?: Failure;
}

/** The object without the mark of a stuck operation. */
export function unstuck<T extends Operated>(object: T): T {
  const { stuck: _, ...rest } = object;
  // The removed member is optional in every such object, which the compiler cannot infer.
  return rest as unknown as T;
}

/** An object that holds hosts of a hub. */
export interface Placed extends Operated {
  placement?: Placement;
}

/** The hub of an object, and why it was chosen. A placement means that the slot and the hosts are claimed. */
export interface Placement {
  hub: HubId;
  at: string;
  reason: string;
  rejected: RejectedHub[];
  /** The claimed hosts, by set. */
  hosts: Record<string, HostId[]>;
  /** The allocations of those claimed hosts that were reserved for the tenant, by host. */
  kept?: Record<string, string>;
  /** The claimed hosts that have left their set and will be released. */
  leaving?: HostId[];
  /** The object has no control-plane slot of the hub. */
  slotless?: true;
}

export interface RejectedHub {
  hub: string;
  reason: string;
}

/** An object that counts in the quotas of its tenant and its projects. */
export interface Charged {
  metadata: Pick<Metadata, "tenant" | "project">;
  /** The amounts, by dimension. */
  charge?: Record<string, number>;
}

/** The kinds whose objects have a trait. */
export type KindWith<Trait> = {
  [K in Kind]: keyof Trait extends keyof ObjectOf[K]
    ? ObjectOf[K] extends Trait
      ? K
      : never
    : never;
}[Kind];

/** Kinds whose objects are changed by operations. */
export type OperatedKind = KindWith<Operated>;

export const isOperated = (kinds: Kinds, kind: Kind): kind is OperatedKind =>
  definitionOf(kinds, kind).isOperated === true;

/** Kinds whose objects hold hosts. */
export type PlacedKind = KindWith<Placed>;
