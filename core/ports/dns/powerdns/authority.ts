import { Resolver } from "node:dns/promises";
import type { AddressType } from "../dns.ts";

/**
 * Queries a zone's authoritative servers directly, not a cache. Answers a list of addresses for each server,
 * empty if the server has no such record. Throws when a server does not answer.
 */
export type AskAuthority = (name: string, type: AddressType) => Promise<string[][]>;

/** `servers` are IP addresses, with a port unless it is 53; the timeout is in real milliseconds. */
export function askAuthority(servers: string[], timeout = 2000): AskAuthority {
  // One resolver for each server: a resolver with several asks the next one only if the first is silent.
  const resolvers = servers.map((server) => {
    const resolver = new Resolver({ timeout, tries: 2 });
    resolver.setServers([server]);
    return resolver;
  });
  return (name, type) =>
    Promise.all(
      resolvers.map((resolver) => resolver.resolve(name, type).catch(emptyWhenThereAreNone)),
    );
}

function emptyWhenThereAreNone(error: NodeJS.ErrnoException): string[] {
  if (error.code === "ENOTFOUND" || error.code === "ENODATA") return [];
  throw error;
}
