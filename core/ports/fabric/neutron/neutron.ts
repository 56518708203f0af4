import type { HttpOptions } from "../../../http.ts";
import { Keystone, type KeystoneCredential } from "../../openstack/keystone.ts";
import type {
  Fabric,
  FabricObject,
  FabricObservation,
  OwnedFabricObject,
  OwnedNetwork,
} from "../fabric.ts";
import { NeutronApi } from "./api.ts";
import { attachmentsAmong, ensurePorts, removeAttachments } from "./attachments.ts";
import { ensureExternalIp, observeExternalIp, removeExternalIp } from "./external-ips.ts";
import { ensureFloatingIp, floatingIpsAmong, removeFloatingIps } from "./floating-ips.ts";
import {
  ensureLayer2,
  ensureLayer3,
  layer2Progress,
  layer3Progress,
  removeLayer2,
  removeLayer3,
  routerAmong,
} from "./layers.ts";
import { isPortOf, parseDescription } from "./names.ts";
import type { NeutronCollection, ObjectIn } from "./objects.ts";
import { OwnedInNeutron } from "./owned.ts";
import { ensureGroups } from "./port-groups.ts";

export interface NeutronOptions extends Pick<HttpOptions, "wall" | "fetch"> {
  /** Keystone's URL, without `/v3`. */
  authUrl: string;
  /** An application credential with the roles admin and service: it sets VLAN ids and bindings. */
  credential: () => Promise<KeystoneCredential>;
  region?: string;
  /** The physical network that carries the VLANs of networks. */
  physicalNetwork: string;
  /** Id of the external network of the floating IPs. */
  externalNetwork: string;
  /**
   * The limit of one request, in milliseconds of `wall`; long, because binding a port configures a switch.
   */
  timeout?: number;
}

/** The credential's roles; in Neutron's default policy neither includes the other. */
const neededRoles = [
  ["admin", "set provider:*"],
  ["service", "set binding:profile"],
] as const;

/** OpenStack Networking v2.0 of a cloud, with the credential's rights. */
export function neutronApi(
  options: Omit<NeutronOptions, "physicalNetwork" | "externalNetwork">,
): NeutronApi {
  const { authUrl, credential, region } = options;
  const { wall, timeout = 20_000, fetch } = options;
  const http = { wall, timeout, ...(fetch && { fetch }) };
  const keystone = new Keystone({
    ...http,
    system: "the fabric",
    service: "network",
    url: authUrl.replace(/\/+$/, "").replace(/\/v3$/, ""),
    credential,
    ...(region !== undefined && { region }),
  });
  return new NeutronApi(keystone, http);
}

/** A fabric by OpenStack Networking v2.0. `api` shares a session with other calls. */
export function neutronFabric(options: NeutronOptions, api = neutronApi(options)): Fabric {
  const { physicalNetwork, externalNetwork } = options;
  const of = (network: OwnedNetwork) => new OwnedInNeutron(api, network);
  return {
    ensureLayer2: (network, vlan) => ensureLayer2(of(network), vlan, physicalNetwork),
    ensureLayer3: (network, plan) => ensureLayer3(api, of(network), plan, externalNetwork),
    ensureAttachments: (network, links) => ensurePorts(api, of(network), links),
    ensureGroups: (network) => ensureGroups(api, of(network)),
    ensureFloatingIp: (network, plan) => ensureFloatingIp(api, of(network), plan, externalNetwork),
    ensureExternalIp: (owner, plan) => ensureExternalIp(api, owner, plan, externalNetwork),
    observeExternalIp: (owner, plan) => observeExternalIp(api, owner, plan),
    lacks: async () => {
      const found = await api.list("networks", { id: externalNetwork });
      const roles = await api.roles();
      return [
        ...(found.length > 0 ? [] : [`network ${externalNetwork}`]),
        ...neededRoles.flatMap(([role, does]) =>
          roles.includes(role)
            ? []
            : [`role ${role}, which alone may ${does} by Neutron's default policy`],
        ),
      ];
    },
    observe: (network) => observe(of(network)),
    attached: async (macs) => {
      const found = await Promise.all(macs.map((mac) => api.list("ports", { mac_address: mac })));
      return found.flat().map(({ mac_address: mac }) => mac);
    },
    observeAll: () => observeAll(api),
    removeFloatingIps: (network) => removeFloatingIps(api, of(network)),
    removeExternalIp: (owner) => removeExternalIp(api, owner),
    removeAttachments: (network, only) => removeAttachments(api, of(network), only),
    removeLayer3: (network) => removeLayer3(api, of(network)),
    removeLayer2: (network) => removeLayer2(api, of(network)),
  };
}

async function observe(ours: OwnedInNeutron): Promise<FabricObservation> {
  const networks = await ours.networks();
  const segments = ours.owned.within ? await ours.segments() : networks;
  const subnets = await ours.subnets();
  const routers = await ours.routers();
  const floatingIps = await ours.floatingIps();
  const ports = (
    await Promise.all(segments.map(({ id }) => ours.portsOn({ network_id: id })))
  ).flat();
  const vlan = networks[0]?.["provider:segmentation_id"];
  const prefix = subnets[0]?.cidr;
  // The fabric removes its own ports with their objects.
  const users = ports.filter(
    ({ device_owner: by, name }) =>
      !by.startsWith("network:") && (!ours.owned.within || isPortOf(ours.owned, name)),
  );
  return {
    layer2: layer2Progress(networks[0]),
    ...(typeof vlan === "number" && { vlan }),
    layer3: layer3Progress(subnets[0], routerAmong(routers, ports), ports),
    ...(prefix !== undefined && { prefix }),
    attachments: attachmentsAmong(ours, ports),
    floatingIps: floatingIpsAmong(ours, floatingIps),
    remaining: [
      ...floatingIps.map(({ id, floating_ip_address: name }) => object("floating_ip", id, name)),
      ...users.map(({ id, name }) => object("port", id, name)),
      ...routers.map(({ id, name }) => object("router", id, name)),
      ...subnets.map(({ id, name }) => object("subnet", id, name)),
      ...networks.map(({ id, name }) => object("network", id, name)),
    ],
  };
}

/** The collections whose objects have owners; rules belong to their groups. */
const kinds = {
  floatingips: "floating_ip",
  ports: "port",
  routers: "router",
  subnets: "subnet",
  networks: "network",
  security_groups: "security_group",
} as const satisfies Partial<Record<NeutronCollection, FabricObject["kind"]>>;

async function observeAll(api: NeutronApi): Promise<OwnedFabricObject[]> {
  const found: OwnedFabricObject[] = [];
  // A description is written with its object, and tags after it, so every object of ours has its description.
  for (const collection of Object.keys(kinds) as (keyof typeof kinds)[]) {
    for (const object of await api.list(collection)) {
      const ours = parseDescription(object.description);
      const number = numberOf(object);
      if (ours)
        found.push({
          kind: kinds[collection],
          id: object.id,
          ...ours,
          ...(number !== undefined && { number }),
        });
    }
  }
  return found;
}

function numberOf(object: ObjectIn<NeutronCollection>): string | undefined {
  if ("cidr" in object) return object.cidr;
  if ("floating_ip_address" in object) return object.floating_ip_address;
  const vlan = "provider:segmentation_id" in object && object["provider:segmentation_id"];
  return typeof vlan === "number" ? String(vlan) : undefined;
}

const object = (kind: FabricObject["kind"], id: string, name: string): FabricObject => ({
  kind,
  id,
  name,
});
