import type { Kind } from "../../kernel/object/object.ts";
import type { News } from "./news.ts";
import type { NewsKind } from "./reported-kinds.ts";

/** Everything that Slipway reads in a report, by the reported kind. Pure. */
export type Meanings = { readonly [Reported in NewsKind]?: (news: News) => object };

/** By the kind of ours that observes the reported kind. */
export type KindMeanings = { readonly [K in Kind]?: Meanings };
