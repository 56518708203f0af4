import type { Around } from "./around.ts";
import { CliFailure, exits, wrongCall } from "./exit.ts";

/**
 * Reads a server's answer without following redirects: a redirect would send the body, with its secrets, to another
 * server. Neither Slipway nor an issuer sends one. Throws Failure for a redirect, and for a server that is not this
 * computer and has no TLS.
 */
export async function answerOf(
  { fetch, env }: Pick<Around, "fetch" | "env">,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const { protocol, hostname, origin } = new URL(url);
  if (protocol !== "https:" && !isLoopback(hostname) && env.SLIPWAY_ALLOW_HTTP !== "1")
    throw wrongCall(
      `the connection to ${origin} is not encrypted: others could read the token and every secret`,
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

/** Whether a host of a URL, as the URL parser writes it, is this computer. */
const isLoopback = (hostname: string): boolean =>
  /^(127\.\d+\.\d+\.\d+|\[::1\]|(.+\.)?localhost)$/.test(hostname);
