import { isDeepStrictEqual } from "node:util";
import type { News } from "../ports/hub/news.ts";
import { meanings } from "./generated/meanings.ts";

/**
 * Whether a report of an object says the same as the report before, in the parts that Slipway reads:
 * other conditions, times and progress change all the time. The hub agent does not send a report that
 * says the same.
 */
export function meansTheSame(before: News, news: News): boolean {
  return isDeepStrictEqual(meaningOf(before), meaningOf(news));
}

function meaningOf(news: News): object {
  const { name, uid } = news.object.metadata;
  const [meaning] = Object.values(meanings).flatMap(({ [news.kind]: of }) => of ?? []);
  // If none of our kinds observes the object, every change counts.
  if (!meaning) return news;
  return { name, uid, ...meaning(news), resource_version: "" };
}
