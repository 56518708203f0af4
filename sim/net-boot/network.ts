import type { Clock } from "../../core/clock.ts";
import type { Faults } from "../faults.ts";
import { Disconnected, faulty } from "../faulty.ts";
import type { Host } from "../host.ts";
import type { FetchHandler } from "../kubernetes/api.ts";
import type { SiteEffects } from "../site-effects.ts";
import { filesHost, serveFiles } from "./files.ts";

interface Options {
  clock: Clock;
  wall: Clock;
  faults: Faults;
  site: SiteEffects;
  /** Whether DHCP answers a NIC through its DPU; undefined for a NIC without a DPU. */
  getsAddress(mac: string): boolean | undefined;
}

/** What servers reach on their boot networks: the site controller, and the site's files. */
export class BootNetwork {
  /** The site controller's handler, for any host in the URL; without it nothing answers. */
  siteController: FetchHandler | undefined;
  readonly #options: Options;
  readonly #controller: FetchHandler;

  constructor(options: Options) {
    this.#options = options;
    const { clock, wall, faults } = options;
    const take = (operation: string) => faults.take("machines", withoutToken(operation));
    const refuse = (status: number) => new Response(null, { status });
    this.#controller = faulty(
      async (request) => {
        if (!this.siteController) throw new Disconnected();
        return this.siteController(request);
      },
      { take, clock, wall, refuse },
    );
  }

  /** Sends a request. Throws when nothing answers. */
  async ask(request: Request): Promise<Response> {
    const { host, pathname } = new URL(request.url);
    if (pathname.startsWith("/site/v1/")) return this.#controller(request);
    if (host === filesHost) return serveFiles(request);
    throw new Disconnected();
  }

  /** Whether DHCP answers one of a server's NICs; on the network of free hosts it does. */
  hasAddress({ name, nics }: Host): boolean {
    const { faults, site, getsAddress } = this.#options;
    if (faults.heldAt(`bmc:${name}`).includes("address")) return false;
    return nics.some(({ mac, switch: name, port }) => {
      const isAnswered = getsAddress(mac);
      if (isAnswered !== undefined) return isAnswered;
      return !site.isInVlan(name, port) || site.leaseOf(mac) !== undefined;
    });
  }
}

/** The operation as faults name it, without a token: `GET /site/v1/boot`. */
const withoutToken = (operation: string): string =>
  operation.replace(/(\/(?:boot|seed|phone-home))\/[^/]+/, "$1");
