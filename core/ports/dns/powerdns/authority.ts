import { Resolver } from "node:dns/promises";
import type { AddressType } from "../dns.ts";

/**
 * Asks the servers of a zone itself, not a cache. Answers one list of addresses for each server, empty
 * when the server says that there are none. Throws when one does not answer.
 */
export type AskAuthority = (name: string, type: AddressType) => Promise<string[][]>;

/** `servers` are IP addresses, with a port where it is not 53; the timeout is in real milliseconds. */
export function askAuthority(servers: string[], timeout = 2000): AskAuthority {
  // One resolver a server: a resolver with several asks the next only if the first is silent.
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
