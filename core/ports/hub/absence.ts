import type { Kind } from "../../kernel/object/object.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { HubClient } from "./hub.ts";
import type { News } from "./news.ts";

/** A direct read of objects on a hub. */
export interface HubRead {
  /** The objects that were found: `kind/name` of each. */
  seen: ReadonlySet<string>;
  /** When the read began, in milliseconds. */
  at: number;
}

/** What it means for the objects of a kind that a read of a hub lacks something. All but `read` is pure. */
export interface Absence<K extends Kind> {
  /** Whether a read of the whole hub lacks something that the object is known to have there. */
  isMissing(object: ObjectOf[K], seen: HubRead["seen"]): boolean;
  /**
   * The object with what a read lacks marked as gone, except what was reported since; undefined if there
   * is nothing to mark. `before` is the object from before the read.
   */
  marked(object: ObjectOf[K], read: HubRead, before: ObjectOf[K]): ObjectOf[K] | undefined;
  /**
   * Reads what one object has on its hub. Where there is such a read, it decides; the read of the whole
   * hub only gives reason for it.
   */
  read?(hub: HubClient, object: ObjectOf[K]): Promise<News[]>;
}

/** By kind; a process that reads hubs has them for every kind that hubs report of. */
export type Absences = { readonly [K in Kind]?: Absence<K> };

declare module "../../kernel/deps.ts" {
  interface Deps {
    /** What it means for objects of kinds that a read of a hub lacks something. */
    absences: Absences;
  }
}
