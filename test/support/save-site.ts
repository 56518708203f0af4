import { type Made, openSite, type Site, type SiteOptions, saveSite } from "./site.ts";

/** Brings a site to where tests are to start, and answers what they need to know of it. */
type Bring<T> = (site: Site) => Promise<T>;

/** What is made by each, once a process. */
const made = new Map<Bring<unknown>, Promise<Made<unknown>>>();

/** Opens a site that goes on from where `bring` brings one, by itself and for each test anew. */
export async function siteAfter<T>(
  bring: Bring<T>,
  options: SiteOptions = {},
): Promise<{ site: Site; brought: T }> {
  const making = made.get(bring) ?? saveSite(bring);
  made.set(bring, making);
  // Under `bring` stands what it brought.
  const { saved, brought } = (await making) as Made<T>;
  return { site: await openSite({ ...options, from: saved }), brought };
}
