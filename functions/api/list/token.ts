import type * as z from "zod";
import { badParameter } from "../parameters.ts";

/** Page tokens are opaque to clients, who may send anything, so their content is not trusted. */

export const encodeToken = (place: unknown): string =>
  Buffer.from(JSON.stringify(place)).toString("base64url");

/** The position in a page token. Throws Invalid for a text that is not a token of this list. */
export function decodeToken<Output>(token: string, schema: z.ZodType<Output>): Output {
  let place: unknown;
  try {
    place = JSON.parse(Buffer.from(token, "base64url").toString());
  } catch {
    throw notOurs();
  }
  const result = schema.safeParse(place);
  if (!result.success) throw notOurs();
  return result.data;
}

export const notOurs = () => badParameter("page_token", "is not a page token of this list");
