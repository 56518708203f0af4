import * as z from "zod";

/** Whether a URL has no login in it. The API answers addresses, and it must never answer secrets. */
export const withoutUser = (address: string): boolean =>
  !/^([a-z][a-z0-9+.-]*:)?[\\/]*[^\\/?#]*@/i.test(address);

export const userRefusal = "must not have a user or a password in it";

/** A URL of one of these protocols. */
export const urlSchema = (protocol: RegExp, error: string) =>
  z.url({ protocol, error, abort: true }).refine(withoutUser, userRefusal);
