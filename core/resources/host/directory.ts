import type { Sites } from "../../at-site/sites.ts";
import type { Clock } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { HttpFetch } from "../../http.ts";
import { mustLoad, type Records } from "../../kernel/object/records.ts";
import { parseServerAddress } from "../../ports/bare-metal/address.ts";
import { closedWith } from "../../ports/bare-metal/closed-with.ts";
import { RedfishServer } from "../../ports/bare-metal/redfish/redfish.ts";
import type { BareMetalServer } from "../../ports/bare-metal/server.ts";
import type { ServerAddress, Servers } from "../../ports/bare-metal/servers.ts";
import type { Hubs } from "../../ports/hub/hub.ts";
import type { Secrets } from "../../ports/secrets/secrets.ts";
import { bmcSecretSchema } from "./bmc.ts";

export interface ServerDirectoryOptions extends Records {
  secrets: Pick<Secrets, "get">;
  /** Finds the Ironic service of a site. */
  sites: Sites;
  /** Finds the hub of a BareMetalHost. */
  hubs: Hubs;
  /** The clock for the time limits of calls. */
  wall: Clock;
  /** Replaces the network for controllers without a pinned certificate. */
  fetch?: HttpFetch;
}

/** The time limit of one call, in milliseconds; many controllers are slow. */
const timeout = 20_000;

/**
 * Opens the servers of hosts, and their DPUs, at their own controllers or at a bare metal service. Credentials
 * are read for each use and never cached.
 */
export function serverDirectory(options: ServerDirectoryOptions): Servers {
  return {
    async open(server) {
      const place = parseServerAddress(server.bmc.address);
      switch (place.by) {
        case "redfish":
          return atController(server, options);
        case "ironic":
          return (await serviceOf(server, options)).server(place.node);
        case "metal3":
          return byMetal3(server, place, options);
      }
    },
  };
}

async function atController(
  { id, bmc }: ServerAddress,
  { secrets, wall, fetch }: ServerDirectoryOptions,
): Promise<BareMetalServer> {
  // The default is `basic`, because a worker makes few calls at a time and controllers allow few sessions.
  const { address, certificate, authentication = "basic" } = bmc;
  const pinned = certificate === undefined ? undefined : await pinnedTo(certificate);
  const over = pinned?.fetch ?? fetch;
  const server = new RedfishServer({
    address,
    credential: () => credentialOf(id, bmc, secrets),
    authentication,
    wall,
    timeout,
    ...(over && { fetch: over }),
  });
  return pinned ? closedWith(server, () => pinned.close()) : server;
}

/** If Slipway has the credentials, it also calls the controller itself, at the address in the BareMetalHost. */
async function byMetal3(
  server: ServerAddress,
  { namespace, name }: { namespace: string; name: string },
  options: ServerDirectoryOptions,
): Promise<BareMetalServer> {
  const { id, hub, bmc } = server;
  const { metal3 } = await options.hubs.client(hub);
  const controller = (address: string) =>
    atController({ ...server, bmc: { ...bmc, address } }, options);
  return metal3.server({
    ...{ at: { namespace, name }, host: id },
    ...(bmc.credentials !== undefined && { controller }),
  });
}

/** The bare metal service at the site of a server's hub. */
async function serviceOf({ hub: id }: ServerAddress, options: ServerDirectoryOptions) {
  const { site } = (await mustLoad(options, "hub", id)).spec;
  const service = site === undefined ? undefined : (await options.sites.systems(site)).bareMetal;
  if (service) return service;
  const where =
    site === undefined ? "is at no site" : `is at site ${site}, which has no bare_metal`;
  throw new AppError("Unavailable", `the hub ${id} ${where}`);
}

/** Loaded on demand, because few controllers have a pinned certificate and the code is large. */
const pinnedTo = async (certificate: string) =>
  (await import("../../ports/bare-metal/pinned.ts")).pinnedFetch(certificate);

async function credentialOf(
  id: string,
  { credentials }: ServerAddress["bmc"],
  secrets: Pick<Secrets, "get">,
) {
  const text = credentials && (await secrets.get(credentials));
  if (text) return bmcSecretSchema.parse(JSON.parse(text));
  throw new AppError("Unavailable", `the credentials of the controller of ${id} are missing`);
}
