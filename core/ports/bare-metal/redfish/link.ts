import * as z from "zod";

/**
 * The path and query of a link. A controller may write its own host name in a link, which behind NAT is not
 * the address by which we reach it. The host is dropped: requests always go to the known address, never to
 * one from an answer.
 */
export function pathIn(link: string): string {
  const at = URL.parse(link, "http://controller");
  return at ? `${at.pathname}${at.search}${at.hash}` : `/${link}`;
}

/** A link to a resource of the same controller: its path. */
export const reference = z.string().transform(pathIn);

export const link = z.object({ "@odata.id": reference });
export type RedfishLink = z.infer<typeof link>;
export const links = z.array(link).catch([]).default([]);

/** A path for comparison: without the query and the slash at the end that some controllers add. */
export const bare = (path: string): string => pathIn(path).replace(/\?.*$/, "").replace(/\/$/, "");
