import * as z from "zod";
import { hostFault, machineFault } from "./address.ts";

/** Whether a URL has no user or password in it. The API answers URLs, and it must never answer secrets. */
export const withoutUser = (address: string): boolean =>
  !/^([a-z][a-z0-9+.-]*:)?[\\/]*[^\\/?#]*@/i.test(address);

export const userRefusal = "must not have a user or a password in it";

/**
 * Whether all programs read a text as the same URL: a scheme, two slashes, a host. Parsers of browsers also accept
 * `https:a` and `https:\\a`, and skip line ends.
 */
function isUrl(text: string, protocol: RegExp): boolean {
  // Refuses invisible characters, and characters that reverse the direction of text.
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

/** A URL of one of these protocols to which paths are appended. */
export const baseUrlSchema = (protocol: RegExp, error: string) =>
  urlSchema(protocol, error).refine(
    (text) => !/[?#]/.test(text),
    "must not have a query or a fragment: Slipway appends paths",
  );

/** Each byte of a text in the form `%2F`, including characters that `encodeURIComponent` does not encode. */
export const percentEncoded = (text: string): string =>
  Buffer.from(text).toString("hex").toUpperCase().replace(/../g, "%$&");
