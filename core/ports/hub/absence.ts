import type { Kind } from "../../kernel/object/object.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { HubClient } from "./hub.ts";
import type { News } from "./news.ts";

/** The result of a direct read of a hub. */
export interface HubRead {
  /** `kind/name` of each object that was found, with the MAC addresses that it reports, if any. */
  seen: ReadonlyMap<string, readonly string[]>;
  /** When the read began, in milliseconds. */
  at: number;
}

/** How a kind treats hub objects that a direct read did not find. All members but `read` are pure. */
export interface Absence<K extends Kind> {
  /** Whether the object is known to have something on its hub that a read of the whole hub did not find. */
  isMissing(object: ObjectOf[K], seen: HubRead["seen"]): boolean;
  /**
   * The object with its hub objects marked as gone that the read did not find and no report has brought
   * since; undefined if there are none. `before` is the object from before the read.
   */
  marked(object: ObjectOf[K], read: HubRead, before: ObjectOf[K]): ObjectOf[K] | undefined;
  /**
   * Reads what one object has on its hub. If a kind has this read, hub objects are marked as gone only
   * when this read does not find them either.
   */
  read?(hub: HubClient, object: ObjectOf[K]): Promise<News[]>;
}

/** The absences by our kinds, for each kind that observes. A process that reads hubs has all of them. */
export type Absences = { readonly [K in Kind]?: Absence<K> };

declare module "../../kernel/deps.ts" {
  interface Deps {
    /** How each kind treats hub objects that a direct read did not find. */
    absences: Absences;
  }
}
