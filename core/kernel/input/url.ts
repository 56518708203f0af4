import * as z from "zod";
import { hostFault, machineFault } from "./address.ts";

/** Whether a URL has no login in it. The API answers addresses, and it must never answer secrets. */
export const withoutUser = (address: string): boolean =>
  !/^([a-z][a-z0-9+.-]*:)?[\\/]*[^\\/?#]*@/i.test(address);

export const userRefusal = "must not have a user or a password in it";

/**
 * Whether a text is a URL as all programs read it: a scheme, two slashes, a host. Parsers of browsers also take
 * `https:a`, `https:\\a`, and line ends, which they pass over.
 */
function isUrl(text: string, protocol: RegExp): boolean {
  // Nor are there characters that nobody sees, or that turn the text around.
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#\\\p{Cc}\p{Cf}][^\s\\\p{Cc}\p{Cf}]*$/iu.test(text))
    return false;
  const url = URL.parse(text);
  if (url === null || url.hostname === "" || url.port === "0") return false;
  return protocol.test(url.protocol.slice(0, -1));
}

const hasPlainHost = (url: string, context: z.RefinementCtx) => {
  const message = hostFault(url) ?? machineFault(url);
  if (message !== undefined) context.addIssue({ code: "custom", message });
};

/** A URL of one of these protocols. */
export const urlSchema = (protocol: RegExp, error: string) =>
  z
    .string()
    .refine((text) => isUrl(text, protocol), { error, abort: true })
    .refine(withoutUser, userRefusal)
    .superRefine(hasPlainHost)
    .meta({ format: "uri" });

/** A URL of one of these protocols that paths are put behind. */
export const baseUrlSchema = (protocol: RegExp, error: string) =>
  urlSchema(protocol, error).refine(
    (text) => !/[?#]/.test(text),
    "must not have a query or a fragment: paths are put behind it",
  );

/** Each byte of a text as `%2F`, also of those that `encodeURIComponent` leaves as they are. */
export const percentEncoded = (text: string): string =>
  Buffer.from(text).toString("hex").toUpperCase().replace(/../g, "%$&");
