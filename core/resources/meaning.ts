import { isDeepStrictEqual } from "node:util";
import type { Meaning } from "../ports/hub/meaning.ts";
import type { News } from "../ports/hub/news.ts";
import { meanings } from "./generated/meanings.ts";

/**
 * How much a report of an object says beyond the report before, in the parts that Slipway reads: other
 * conditions, times and versions change all the time. The hub agent sends no report that says nothing
 * new, and one of progress only after a while.
 */
export function newsIn(before: News, news: News): "nothing" | "progress" | "turn" {
  const [from, to] = [meaningOf(before), meaningOf(news)];
  if (!isDeepStrictEqual(from.decides, to.decides)) return "turn";
  return isDeepStrictEqual(from.progress, to.progress) ? "nothing" : "progress";
}

function meaningOf(news: News): Meaning {
  const { name, uid } = news.object.metadata;
  const [read] = Object.values(meanings).flatMap(({ [news.kind]: of }) => of ?? []);
  // If none of our kinds observes the object, every change counts.
  if (!read) return { decides: news, progress: {} };
  const { decides, progress } = read(news);
  return { decides: { name, uid, ...decides, resource_version: "" }, progress };
}
