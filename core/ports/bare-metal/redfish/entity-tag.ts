import * as z from "zod";
import type { HttpReply } from "../../../http.ts";

/** The entity tags of a resource's state: the one in the header, and the one in the body. */
export type EntityTags = readonly string[];

const taggedSchema = z.looseObject({ "@odata.etag": z.string() });

/** The entity tags of a resource that was read; empty if the controller sends none. */
export function entityTagsOf({ headers, json }: HttpReply): EntityTags {
  const inBody = taggedSchema.safeParse(json).data?.["@odata.etag"];
  return [headers.get("etag"), inBody].flatMap((tag) => tag || []);
}

/**
 * The values of If-Match for a change, in the order of attempts: controllers differ in which spelling of
 * their own tags they accept. The last two are none and `*`, for controllers that require a condition but
 * accept none of their tags.
 */
export function preconditionsOf(tags: EntityTags): (string | undefined)[] {
  return [...new Set([...tags.flatMap(spellingsOf), undefined, "*"])];
}

/**
 * The tag as received; then as a strong tag with one pair of quotes; then without the suffix that a server
 * adds when it compresses the body.
 */
function spellingsOf(tag: string): string[] {
  const opaque = tag.replace(/^W\//, "").replace(/^"*|"*$/g, "");
  const plain = opaque.replace(/[-;](gzip|br|deflate)$/, "");
  return [tag, `"${opaque}"`, `"${plain}"`];
}
