import type { Kind } from "../../kernel/object/object.ts";
import type { News } from "./news.ts";
import type { NewsKind } from "./reported-kinds.ts";

/** All that anybody reads in a report, by the kind that is reported. Pure. */
export type Meanings = { readonly [Reported in NewsKind]?: (news: News) => object };

/** By the kind of ours whose objects the reports are about. */
export type KindMeanings = { readonly [K in Kind]?: Meanings };
