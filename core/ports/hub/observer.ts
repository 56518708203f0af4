import type { Deps } from "../../kernel/deps.ts";
import type { Kind } from "../../kernel/object/object.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { Records } from "../../kernel/object/records.ts";
import type { OperationTarget } from "../../kernel/saga/operation.ts";
import type { News } from "./news.ts";
import type { Observation } from "./observation.ts";
import type { NewsKind } from "./reported-kinds.ts";

/** Whose running operation waits for what was observed. */
export type Concerned = Pick<OperationTarget, "kind" | "id">;

/** How reports of one kind on hubs change the objects of a kind of ours. */
export interface Observer<K extends Kind> {
  /** The id of the object of ours that a report is about. */
  find(records: Records, news: News): string | undefined | Promise<string | undefined>;
  /** What was observed last of what the report is about. */
  last(object: ObjectOf[K], news: News): Observation | undefined;
  /**
   * The object with the report applied; undefined if the report says nothing to it. Pure; `now` is an
   * RFC 3339 timestamp of the deployment's clock.
   */
  applied(object: ObjectOf[K], news: News, now: string): ObjectOf[K] | undefined;
}

/** What a kind says of hubs' reports about its objects. */
export interface Observing<K extends Kind> {
  /** By the reported kind, which no other kind of ours observes. */
  observers: { readonly [Reported in NewsKind]?: Observer<K> };
  /** The hub that speaks for an object. What other hubs report of the object does not count. */
  hubOf(object: ObjectOf[K]): string | undefined;
  /**
   * Follows with the records of others what was observed, also when that changed nothing: an earlier call
   * may have been cut off. Answers whose operation waits for it. Absent: the object's own waits.
   */
  followed?(deps: Deps, id: string): Promise<Concerned | undefined>;
}

/** By kind; a process has those that reports may change. */
export type Observers = { readonly [K in Kind]?: Observing<K> };

declare module "../../kernel/deps.ts" {
  interface Deps {
    /** What kinds say of hubs' reports about their objects. */
    observers: Observers;
  }
}
