import { bounded } from "./bounded.ts";
import type { BareMetalServer } from "./server.ts";

/** A server as the inventory knows it: where its controller is, or what a service calls it. */
export interface ServerAddress {
  /** The id of its host, or of the DPU that it is. */
  id: string;
  /** The hub at whose site it is. */
  hub: string;
  bmc: {
    /** What `parseServerAddress` reads. */
    address: string;
    /** SHA-256 fingerprint of the only certificate that is accepted. */
    certificate?: string | undefined;
    /** How it is logged into; `basic` where nothing is said. */
    authentication?: "basic" | "session" | undefined;
    /** Reference into the secret store. */
    credentials?: string | undefined;
  };
}

/** The source of servers. */
export interface Servers {
  /**
   * The server at this address, for some calls; the caller closes it. Throws Unavailable where its service or
   * its credentials are missing.
   */
  open(server: ServerAddress): Promise<BareMetalServer>;
}

/** Does something with a server, and closes it: controllers allow few sessions. */
export async function withOpen<T>(
  servers: Servers,
  address: ServerAddress,
  work: (server: BareMetalServer) => Promise<T>,
): Promise<T> {
  const server = bounded(await servers.open(address));
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

declare module "../../kernel/deps.ts" {
  interface Deps {
    servers: Servers;
  }
}
