import type { HostId, HubId, OperationId } from "../../id.ts";
import type { Failure } from "./failure.ts";
import type { Metadata } from "./metadata.ts";
import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";

/** What objects of several kinds have in common, for code that needs no more of them. */

/** Is changed by operations, one at a time. */
export interface Operated {
  /** The one operation that runs. */
  operation?: OperationId;
  /** The operation that starts when that one has ended. */
  queued?: OperationId;
  /** Set when an operation failed; cleared by the next that succeeds. */
  failure?: Failure;
}

/** Holds hosts of a hub. */
export interface Placed extends Operated {
  placement?: Placement;
}

/** Where an object is, and why there. Its presence means the slot and the hosts are claimed. */
export interface Placement {
  hub: HubId;
  at: string;
  reason: string;
  rejected: RejectedHub[];
  /** Hosts held, by set. */
  hosts: Record<string, HostId[]>;
  /** Of these, hosts that have left their set and are on their way out. */
  leaving?: HostId[];
}

export interface RejectedHub {
  hub: string;
  reason: string;
}

/** Counts in the quotas of its tenant and its projects. */
export interface Charged {
  metadata: Pick<Metadata, "tenant" | "project">;
  /** For how much, by dimension. */
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

/** Kinds whose objects hold hosts. */
export type PlacedKind = KindWith<Placed>;
