import type { Around } from "./around.ts";
import { exits, Failure } from "./exit.ts";

/**
 * What a server answers, which is never another server's: a redirect would bring the body, with its secrets, to whoever it
 * names. Neither Slipway nor an issuer sends one. Throws Failure for it.
 */
export async function answerOf(
  { fetch }: Pick<Around, "fetch">,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  const { status, headers, type } = response;
  if (type !== "opaqueredirect" && (status < 300 || status > 399)) return response;
  const target = headers.get("location");
  throw new Failure(
    exits.unreachable,
    `${new URL(url).origin} redirects${target === null ? "" : ` to ${target}`}, and no redirect is followed`,
    { details: ["is the address right? slipway context list"] },
  );
}
