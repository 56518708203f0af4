import * as z from "zod";

/**
 * The path of a link, with its query. A controller may write its own name in a link, and behind NAT or with
 * a name of its own that is another one than we know it by. The link is about the same controller, and it
 * is asked at the address that is known: what it writes never leads elsewhere.
 */
export function pathIn(link: string): string {
  const at = URL.parse(link, "http://controller");
  return at ? `${at.pathname}${at.search}${at.hash}` : `/${link}`;
}

/** A member that links to something of the same controller: its path. */
export const reference = z.string().transform(pathIn);

export const link = z.object({ "@odata.id": reference });
export type RedfishLink = z.infer<typeof link>;
export const links = z.array(link).catch([]).default([]);

/** A path to compare: without the slash at the end and the query that some write. */
export const bare = (path: string): string => pathIn(path).replace(/\?.*$/, "").replace(/\/$/, "");
