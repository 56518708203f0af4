import type { Clock } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { HttpFetch } from "../../http.ts";
import { RedfishServer } from "../../ports/bare-metal/redfish/redfish.ts";
import type { BareMetalServer } from "../../ports/bare-metal/server.ts";
import type { ServerAddress, Servers } from "../../ports/bare-metal/servers.ts";
import type { Secrets } from "../../ports/secrets/secrets.ts";
import { bmcSecretSchema } from "./model.ts";

export interface ServerDirectoryOptions {
  secrets: Pick<Secrets, "get">;
  /** Times calls. */
  wall: Clock;
  /** Replaces the network, for controllers without a pinned certificate. */
  fetch?: HttpFetch;
}

/** The limit of one call, in milliseconds: many controllers are slow. */
const timeout = 20_000;

/** The servers of the inventory. Their credentials are read when they are needed, and kept nowhere. */
export function serverDirectory({ secrets, wall, fetch }: ServerDirectoryOptions): Servers {
  return {
    async open({ id, bmc }) {
      const { address, certificate } = bmc;
      const pinned = certificate === undefined ? undefined : await pinnedTo(certificate);
      const over = pinned?.fetch ?? fetch;
      const server = new RedfishServer({
        address,
        credential: () => credentialOf({ id, bmc }, secrets),
        // A worker makes few calls at a time, and controllers allow few sessions.
        authentication: "basic",
        wall,
        timeout,
        ...(over && { fetch: over }),
      });
      return pinned ? closing(server, () => pinned.close()) : server;
    },
  };
}

/** Loaded on demand: not every controller has such a certificate, and the code for it is large. */
const pinnedTo = async (certificate: string) =>
  (await import("../../ports/bare-metal/pinned.ts")).pinnedFetch(certificate);

/** The server, whose connections are closed with it. */
function closing(server: BareMetalServer, close: () => Promise<void>): BareMetalServer {
  const end = server.close.bind(server);
  server.close = async () => {
    await end();
    await close();
  };
  return server;
}

async function credentialOf({ id, bmc }: ServerAddress, secrets: Pick<Secrets, "get">) {
  const text = bmc.credentials && (await secrets.get(bmc.credentials));
  if (text) return bmcSecretSchema.parse(JSON.parse(text));
  throw new AppError("Unavailable", `the credentials of the controller of host ${id} are missing`);
}
