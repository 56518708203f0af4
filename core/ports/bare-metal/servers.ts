import { bounded } from "./bounded.ts";
import type { BareMetalServer } from "./server.ts";

/** A server as registered: the address of its controller, or its name at a bare metal service. */
export interface ServerAddress {
  /** The id of its host, or of its DPU. */
  id: string;
  /** The hub whose site the server is at. */
  hub: string;
  bmc: {
    /** An address that `parseServerAddress` parses. */
    address: string;
    /** SHA-256 fingerprint of the only certificate to accept. */
    certificate?: string | undefined;
    /** How to log in; `basic` by default. */
    authentication?: "basic" | "session" | undefined;
    /** Reference of a secret in the secret store. */
    credentials?: string | undefined;
  };
}

/** The source of servers. */
export interface Servers {
  /**
   * The server at this address, for a few calls; the caller closes it. Throws Unavailable when its service or
   * its credentials are missing.
   */
  open(server: ServerAddress): Promise<BareMetalServer>;
}

/** Runs `work` with a server, and closes it: controllers allow few sessions. */
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

declare module "../../kernel/saga/context.ts" {
  interface StepDeps {
    servers: Servers;
  }
}
