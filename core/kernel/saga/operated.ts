import { AppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import type { Deps } from "../deps.ts";
import type { Failure } from "../object/failure.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { OperatedKind } from "../object/traits.ts";
import type { Write } from "../store/store.ts";

/** What operations change: an object of any kind that has them. */
export type Target = ObjectOf[OperatedKind];

/** How an operation ended, as the kind of its target is told. */
export interface Ending {
  saga: string;
  /** Absent: it succeeded. */
  failure?: Failure;
  cancelled: boolean;
}

/** What a kind says of the operations that change its objects. All but `diagnose` is pure. */
export interface Operating<K extends OperatedKind> {
  /** The target with an operation that starts now. */
  started(target: ObjectOf[K], operation: OperationId): ObjectOf[K];
  /**
   * The target as an operation leaves it: it has no operation any more, running or queued. `archive`:
   * it is gone.
   */
  ended(target: ObjectOf[K], ending: Ending): ObjectOf[K] | "archive";
  /**
   * The target as its create left it, which failed while a change was queued: `before` is what it was
   * until then. The change is cancelled.
   */
  unmade?(target: ObjectOf[K], before: ObjectOf[K]): ObjectOf[K];
  /**
   * The target without the change that was queued, which was cancelled: what its spec wishes for is again
   * what the running operation brings about. Absent: only its `queued` goes.
   */
  unqueued?(target: ObjectOf[K]): ObjectOf[K];
  /** What goes with the end of an operation in the same write, such as what quotas have back. */
  settled?(before: ObjectOf[K], after: ObjectOf[K]): { target: ObjectOf[K]; writes: Write[] };
  /** The same for a target that is gone. */
  archived?(target: ObjectOf[K]): Write[];
  /** Queues that one of its operations may have a ticket of: they are dropped when it ends. */
  queues?(target: ObjectOf[K]): string[];
  /** What was last seen of a target whose operation turns back, for people: the undo takes the evidence away. */
  diagnose?(deps: Pick<Deps, "store" | "kinds">, target: ObjectOf[K]): Promise<string[]>;
}

/** By kind; a process has those of the operations that it may meet. */
export type Operated = { readonly [K in OperatedKind]?: Operating<K> };

/** What the kind of an operation's target says. */
export function operatingOf({ operated }: Pick<Deps, "operated">, kind: OperatedKind) {
  const operating: Operating<OperatedKind> | undefined = operated[kind];
  if (!operating) throw new AppError("Internal", `nothing is known of operations on a ${kind}`);
  return operating;
}

declare module "../deps.ts" {
  interface Deps {
    /** What kinds say of the operations that change their objects. */
    operated: Operated;
  }
}
