import { isDeepStrictEqual } from "node:util";
import type { News } from "../ports/hub/news.ts";
import { meanings } from "./generated/meanings.ts";

/**
 * Whether news of an object means the same to us as the news of it before: conditions that nobody
 * reads, times and progress change all the while. Who reports may keep it to himself.
 */
export function meansTheSame(before: News, news: News): boolean {
  return isDeepStrictEqual(meaningOf(before), meaningOf(news));
}

function meaningOf(news: News): object {
  const { name, uid } = news.object.metadata;
  const [meaning] = Object.values(meanings).flatMap(({ [news.kind]: of }) => of ?? []);
  // Of a kind that nobody has said it of, everything may mean something.
  if (!meaning) return news;
  return { name, uid, ...meaning(news), resource_version: "" };
}
