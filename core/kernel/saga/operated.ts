import { AppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import type { Deps } from "../deps.ts";
import type { Failure } from "../object/failure.ts";
import type { Reference } from "../object/kind.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { OperatedKind } from "../object/traits.ts";
import type { Write } from "../store/store.ts";
import type { Zone } from "./saga.ts";

/** An object that operations change, of any kind that has them. */
export type Target = ObjectOf[OperatedKind];

/** The end of an operation, for the kind of its target. */
export interface Ending {
  saga: string;
  /** When it ended (RFC 3339). */
  at: string;
  /** The failure; absent if the operation succeeded. */
  failure?: Failure;
  cancelled: boolean;
}

/** How operations change the objects of a kind. All members but `diagnose` are pure. */
export interface Operating<K extends OperatedKind> {
  /** The target when an operation starts. */
  started(target: ObjectOf[K], operation: OperationId): ObjectOf[K];
  /**
   * The target at the end of an operation; it has neither a running nor a queued operation. `archive`: the target is
   * deleted; only a deletion, which has closed the target's use counters, may answer this.
   */
  ended(target: ObjectOf[K], ending: Ending): ObjectOf[K] | "archive";
  /**
   * The target after a failed create whose queued change is cancelled with it. `before` is the target before the end.
   */
  unmade?(target: ObjectOf[K], before: ObjectOf[K]): ObjectOf[K];
  /**
   * The target after a queued change was cancelled. Its spec again has the values of the running operation. By default
   * only `queued` is removed.
   */
  unqueued?(target: ObjectOf[K]): ObjectOf[K];
  /** Further writes at the end of an operation, such as the release of quotas. */
  settled?(before: ObjectOf[K], after: ObjectOf[K]): { target: ObjectOf[K]; writes: Write[] };
  /** Further writes at the end of an operation that deleted its target. */
  archived?(target: ObjectOf[K], deps: Pick<Deps, "clock">): Write[];
  /** The hub, or the site, that a step in this zone calls. */
  placeOf?(target: ObjectOf[K], zone: Zone): Reference | undefined;
  /** The queues in which the target's operations may have tickets, which are dropped at the end. */
  queues?(target: ObjectOf[K]): string[];
  /**
   * The last observations of a target whose operation turns back, for people to read: the undo removes the evidence.
   */
  diagnose?(deps: Pick<Deps, "store" | "kinds">, target: ObjectOf[K]): Promise<string[]>;
}

/** The effects of operations on their targets, by kind. A process has the kinds whose operations it handles. */
export type Operated = { readonly [K in OperatedKind]?: Operating<K> };

/** What a function has that changes the targets of operations. */
export interface OperatedDeps extends Deps {
  operated: Operated;
}

/** The effects of operations on objects of a kind. */
export function operatingOf({ operated }: Pick<OperatedDeps, "operated">, kind: OperatedKind) {
  const operating: Operating<OperatedKind> | undefined = operated[kind];
  if (!operating) throw new AppError("Internal", `nothing is known of operations on a ${kind}`);
  return operating;
}
