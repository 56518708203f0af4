import type { Kind } from "../../kernel/object/object.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { Records } from "../../kernel/object/records.ts";
import type { OperationTarget } from "../../kernel/saga/operation.ts";
import type { SettleDeps } from "../../kernel/saga/settle.ts";
import type { News } from "./news.ts";
import type { Observation } from "./observation.ts";
import type { NewsKind } from "./reported-kinds.ts";

/** An object whose running operation waits for an observation. */
export type Concerned = Pick<OperationTarget, "kind" | "id">;

/** Applies reports of one kind of hub objects to the objects of one of our kinds. */
export interface Observer<K extends Kind> {
  /** The id of our object that a report is about. */
  find(records: Records, news: News): string | undefined | Promise<string | undefined>;
  /** The last observation of the hub object that the report is about. */
  last(object: ObjectOf[K], news: News): Observation | undefined;
  /**
   * The object with the report applied; undefined if the report changes nothing. Pure; `now` is an RFC
   * 3339 timestamp of the deployment's clock.
   */
  applied(object: ObjectOf[K], news: News, now: string): ObjectOf[K] | undefined;
}

/** How a kind observes its objects through hubs' reports. */
export interface Observing<K extends Kind> {
  /** The observers by the reported kind; each reported kind has one observer among all our kinds. */
  observers: { readonly [Reported in NewsKind]?: Observer<K> };
  /** The hub whose reports about an object count; other hubs' reports are ignored. */
  hubOf(object: ObjectOf[K]): string | undefined;
  /**
   * Changes other records after an observation, even after a report that changed nothing: an
   * earlier call may have been cut off. `object` was just read or written. Answers the object whose
   * operation waits for the observation. If absent, no other record changes, and the object's own
   * operation waits.
   */
  follow?(deps: ObserveDeps, object: ObjectOf[K]): Promise<Concerned | undefined>;
  /** If absent, a sweep processes every report. */
  resting?: Resting<K>;
}

/** How a sweep of a hub finds reports that it may skip, without a read for each of them. */
export interface Resting<K extends Kind> {
  /** A report is about the object that shares one of the report's keys. */
  keysIn(news: News): string[];
  keysOf(object: ObjectOf[K]): string[];
  /**
   * The ids of objects for which a sweep may skip a repeated report: it would not change them, and
   * no operation waits for it. `onHub`: the objects of all kinds on the hub.
   */
  among(deps: Records, onHub: readonly ObjectOf[Kind][]): Promise<ReadonlySet<string>>;
}

/** The observing of each of our kinds. A process that receives reports needs all of them. */
export type Observers = { readonly [K in Kind]?: Observing<K> };

/** What a function has that receives reports. */
export interface ObserveDeps extends SettleDeps {
  /** How kinds observe their objects. */
  observers: Observers;
}

declare module "../../kernel/saga/context.ts" {
  interface StepDeps {
    observers: Observers;
  }
}
