import type { Kind } from "../../kernel/object/object.ts";
import type { News } from "./news.ts";
import type { NewsKind } from "./reported-kinds.ts";

/** The parts of a report that Slipway reads. */
export interface Meaning {
  /** What steps, rules and states are decided by: a change here is reported at once. */
  decides: object;
  /** How far the object is, for people alone: a change here may wait. */
  progress: object;
}

/** The meaning of a report, by the reported kind. Pure. */
export type Meanings = { readonly [Reported in NewsKind]?: (news: News) => Meaning };

/** The meanings by our kind that observes the reported kind. */
export type KindMeanings = { readonly [K in Kind]?: Meanings };
