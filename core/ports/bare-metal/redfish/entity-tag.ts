import * as z from "zod";
import type { HttpReply } from "../../../http.ts";

/** The entity tags by which a controller names the state of a resource: that of the header, and that of the body. */
export type EntityTags = readonly string[];

const taggedSchema = z.looseObject({ "@odata.etag": z.string() });

/** The tags of a resource that was read; none where its controller tells none. */
export function entityTagsOf({ headers, json }: HttpReply): EntityTags {
  const inBody = taggedSchema.safeParse(json).data?.["@odata.etag"];
  return [headers.get("etag"), inBody].flatMap((tag) => tag || []);
}

/**
 * What a change can name as its condition, in the order in which it is tried: controllers differ in which spelling of their
 * own tags they take. At last none, and then any state, for those that want a condition and tell no tag that they take.
 */
export function preconditionsOf(tags: EntityTags): (string | undefined)[] {
  return [...new Set([...tags.flatMap(spellingsOf), undefined, "*"])];
}

/** As received; strong in place of weak, with one pair of quotes, and as before a server has compressed the body. */
function spellingsOf(tag: string): string[] {
  const opaque = tag.replace(/^W\//, "").replace(/^"*|"*$/g, "");
  const plain = opaque.replace(/[-;](gzip|br|deflate)$/, "");
  return [tag, `"${opaque}"`, `"${plain}"`];
}
