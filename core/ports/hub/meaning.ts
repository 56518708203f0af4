import type { Kind } from "../../kernel/object/object.ts";
import type { News } from "./news.ts";
import type { NewsKind } from "./reported-kinds.ts";

/** The parts of a report that Slipway reads, by the reported kind. Pure. */
export type Meanings = { readonly [Reported in NewsKind]?: (news: News) => object };

/** The meanings by our kind that observes the reported kind. */
export type KindMeanings = { readonly [K in Kind]?: Meanings };
