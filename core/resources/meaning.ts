import { isDeepStrictEqual } from "node:util";
import type { Meaning } from "../ports/hub/meaning.ts";
import type { News } from "../ports/hub/news.ts";
import { meanings } from "./generated/meanings.ts";

/**
 * The changes of a report since the previous one, in the parts that Slipway reads. Other
 * conditions, times and versions change all the time. The hub agent sends no report without such a
 * change, and delays a report of mere progress.
 */
export function newsIn(before: News, news: News): "nothing" | "progress" | "turn" {
  const [from, to] = [meaningOf(before), meaningOf(news)];
  if (!isDeepStrictEqual(from.decides, to.decides)) return "turn";
  return isDeepStrictEqual(from.progress, to.progress) ? "nothing" : "progress";
}

function meaningOf(news: News): Meaning {
  const { name, uid } = news.object.metadata;
  const [read] = Object.values(meanings).flatMap(({ [news.kind]: of }) => of ?? []);
  // If no kind observes the object, every change counts.
  if (!read) return { decides: news, progress: {} };
  const { decides, progress } = read(news);
  return { decides: { name, uid, ...decides, resource_version: "" }, progress };
}
