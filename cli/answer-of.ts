import type { Around } from "./around.ts";
import { CliFailure, exits, wrongCall } from "./exit.ts";

/**
 * What a server answers, which is never another server's: a redirect would bring the body, with its secrets, to whoever it
 * names. Neither Slipway nor an issuer sends one. Throws Failure for it, and for a server that would be asked in the clear.
 */
export async function answerOf(
  { fetch, env }: Pick<Around, "fetch" | "env">,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const { protocol, hostname, origin } = new URL(url);
  if (protocol !== "https:" && !isLoopback(hostname) && env.SLIPWAY_ALLOW_HTTP !== "1")
    throw wrongCall(
      `${origin} is not encrypted: whoever is on the way could read the token and every secret`,
      "use https, or allow it for this command: SLIPWAY_ALLOW_HTTP=1",
    );
  const response = await fetch(url, { ...init, redirect: "manual" });
  const { status, headers, type } = response;
  if (type !== "opaqueredirect" && (status < 300 || status > 399)) return response;
  const target = headers.get("location");
  throw new CliFailure(
    exits.unreachable,
    `${origin} redirects${target === null ? "" : ` to ${target}`}, and no redirect is followed`,
    { details: ["is the address right? slipway context list"] },
  );
}

/** Whether a host of a URL, as the URL parser spells it, is this machine. */
const isLoopback = (hostname: string): boolean =>
  /^(127\.\d+\.\d+\.\d+|\[::1\]|(.+\.)?localhost)$/.test(hostname);
