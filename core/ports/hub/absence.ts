import type { Kind } from "../../kernel/object/object.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { HubClient } from "./hub.ts";
import type { News } from "./news.ts";

/** What a direct read of a hub found. */
export interface HubRead {
  /** `kind/name` of each object that was found. */
  seen: ReadonlySet<string>;
  /** When the read began, in milliseconds. */
  at: number;
}

/** What a kind makes of objects that a direct read of a hub did not find. All but `read` is pure. */
export interface Absence<K extends Kind> {
  /** Whether the object is known to have something on its hub that a read of the whole hub did not find. */
  isMissing(object: ObjectOf[K], seen: HubRead["seen"]): boolean;
  /**
   * The object, with everything marked as gone that a read did not find and no report has brought since;
   * undefined if there is nothing to mark. `before` is the object from before the read.
   */
  marked(object: ObjectOf[K], read: HubRead, before: ObjectOf[K]): ObjectOf[K] | undefined;
  /**
   * Reads what one object has on its hub. With such a read, nothing is marked before this read has not
   * found it either.
   */
  read?(hub: HubClient, object: ObjectOf[K]): Promise<News[]>;
}

/** By kind of ours, for each that observes. A process that reads hubs has all of them. */
export type Absences = { readonly [K in Kind]?: Absence<K> };

declare module "../../kernel/deps.ts" {
  interface Deps {
    /** What kinds make of objects that a direct read of a hub did not find. */
    absences: Absences;
  }
}
