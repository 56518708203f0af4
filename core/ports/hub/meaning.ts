import type { Kind } from "../../kernel/object/object.ts";
import type { News } from "./news.ts";
import type { NewsKind } from "./reported-kinds.ts";

/** The parts of a report that Slipway reads. */
export interface Meaning {
  /** Members that steps, rules and states depend on: a change is reported at once. */
  decides: object;
  /** The object's progress, for people only: a change may wait. */
  progress: object;
}

/** Extracts the meaning of a report, by the reported kind. Pure. */
export type Meanings = { readonly [Reported in NewsKind]?: (news: News) => Meaning };

/** The meanings, by the kind of ours that observes the reported kind. */
export type KindMeanings = { readonly [K in Kind]?: Meanings };
