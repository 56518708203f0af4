import { hostId } from "../../../sim/host.ts";
import { addServerWithDpus, dpuName } from "../dpus.ts";
import { metal } from "../managed-hosts.ts";
import { openSite, type Site, type SiteOptions } from "../site.ts";
import { type Capture, type CaptureName, readCapture } from "./capture.ts";
import { asCaptured, type CapturedOptions } from "./captured.ts";
import { CapturedController } from "./controller.ts";
import { macsIn } from "./machine.ts";
import { makers } from "./makers.ts";
import { serve } from "./serve.ts";

/** A site whose servers have the controllers of captures, over real HTTP. */
export interface CapturedSite {
  site: Site;
  /** Puts a server into the world that is on, with the controller of a capture, and registers it as a host. */
  addHost(name: CaptureName, options?: HostOptions): Promise<{ id: string } & Captured>;
  /** The same with a DPU, which is registered with the host. */
  addDpu(name: CaptureName, options?: CapturedOptions): Promise<{ id: string } & Captured>;
}

interface Captured {
  controller: CapturedController;
  capture: Capture;
}

export interface HostOptions extends CapturedOptions {
  authentication?: "session";
}

export async function openCapturedSite(options: SiteOptions = {}): Promise<CapturedSite> {
  const hosts = new Set<string>();
  const underWay = new Set<Promise<Response>>();
  const site = await openSite({
    ...options,
    outside(request, send) {
      if (!hosts.has(new URL(request.url).host)) return send();
      const answer = fetch(request);
      underWay.add(answer);
      answer.finally(() => underWay.delete(answer)).catch(() => undefined);
      return answer;
    },
  });
  // Sockets take no time on the site's clock.
  site.laptop.clock.meanwhile = async () => {
    while (underWay.size > 0) {
      await Promise.allSettled(underWay);
      for (let round = 0; round < 8; round += 1)
        await new Promise((resolve) => setImmediate(resolve));
    }
  };

  /** Serves a capture in front of a machine that is added to the world then. Answers where. */
  const controllerFor = async (
    name: CaptureName,
    machine: string,
    { patch = (capture) => capture, quirks = {} }: CapturedOptions,
  ) => {
    const capture = patch(readCapture(name));
    const maker = makers[name];
    const { machines, credential } = site.world.bmcs;
    const { clock } = site.laptop;
    const at = { capture, maker, quirks, machines, id: hostId(machine), clock, credential };
    const controller = new CapturedController(at);
    const host = await serve((request) => controller.handle(request), quirks.delay);
    hosts.add(host);
    const become = () => {
      const now = machines.get(hostId(machine));
      if (!now) throw new Error(`there is no machine ${machine}`);
      machines.put(asCaptured(now, capture, maker.system));
    };
    return { capture, controller, maker, address: `redfish+http://${host}${maker.system}`, become };
  };

  const nicsOf = (capture: Capture, system: string) => {
    const [first = "52:54:00:fe:01:01"] = macsIn(capture, system);
    return [{ name: "eno1", mac: first, switch: "leaf-a1", port: "Ethernet2/1" }];
  };

  return {
    site,
    async addHost(name, { authentication, ...options } = {}) {
      const at = await controllerFor(name, name, options);
      const { capture, controller, maker, address, become } = at;
      const vendor = maker.machine === "bluefield" ? "lenovo" : maker.machine;
      const serial = String(capture.get(maker.system)?.SerialNumber ?? "none");
      const nics = nicsOf(capture, maker.system);
      const host = { hub: "hub-a", host_type: metal, bmc: { address }, nics };
      site.world.addHost({
        ...host,
        name,
        server: { vendor, serial },
        dpus: [],
        discovered: false,
      });
      become();
      const login = { ...site.world.bmcs.credential, ...(authentication && { authentication }) };
      const spec = { ...host, bmc: { address, ...login } };
      const { status, body } = await site.admin("POST", "hosts", { metadata: { name }, spec });
      if (status !== 200) throw new Error(`the host was refused: ${JSON.stringify(body)}`);
      return { id: body.id, controller, capture };
    },
    async addDpu(name, options = {}) {
      const at = await controllerFor(name, dpuName(1, 0), options);
      const { capture, controller, maker, address } = at;
      const serial = () => String(capture.get(maker.system)?.SerialNumber);
      const registered = () => ({ bmc: { address, ...site.world.bmcs.credential } });
      // Nothing is done to the host yet, which has another one.
      const count = { dpus: 1, missing: 1 };
      const { dpus } = await addServerWithDpus(site, 1, { ...count, serial, registered });
      at.become();
      return { id: dpus[0] ?? "", controller, capture };
    },
  };
}
