import type { Kind } from "../../kernel/object/object.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { HubClient } from "./hub.ts";
import type { News } from "./news.ts";

/** The result of a direct read of a hub. */
export interface HubRead {
  /** `kind/name` of each object that was found, with its reported MAC addresses, if any. */
  seen: ReadonlyMap<string, readonly string[]>;
  /** When the read began, in milliseconds. */
  at: number;
}

/** How a kind handles hub objects that a direct read did not find. All members but `read` are pure. */
export interface Absence<K extends Kind> {
  /** Whether the object should have something on its hub that a read of the whole hub did not find. */
  isMissing(object: ObjectOf[K], seen: HubRead["seen"]): boolean;
  /**
   * The object, with hub objects marked as gone that the read did not find and that no later report
   * has. Undefined if there are none. `before` is the object as it was before the read.
   */
  marked(object: ObjectOf[K], read: HubRead, before: ObjectOf[K]): ObjectOf[K] | undefined;
  /**
   * Reads one object's hub objects. If a kind has this read, hub objects are marked as gone only when this
   * read does not find them either.
   */
  read?(hub: HubClient, object: ObjectOf[K]): Promise<News[]>;
}

/** The absences of our kinds that observe. A process that reads hubs needs all of them. */
export type Absences = { readonly [K in Kind]?: Absence<K> };

declare module "../../kernel/saga/context.ts" {
  interface StepDeps {
    /** How each kind handles hub objects that a direct read did not find. */
    absences: Absences;
  }
}
