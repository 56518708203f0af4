import { hostId } from "../../sim/host.ts";
import type { KubeObject } from "../../sim/kubernetes/cluster.ts";
import type { Spec, Status } from "../../sim/metal3/kind.ts";
import { metal } from "./managed-hosts.ts";
import { newServer } from "./servers.ts";
import type { Site } from "./site.ts";

/** Hosts of a site whose servers Metal3 manages, on the hub hub-a. */

const namespace = "servers";

/**
 * Puts a server that is off into the world, has Metal3 manage it, and registers it as a host. Answers the
 * host's id.
 */
export async function addServerByMetal3(
  site: Site,
  number: number,
  used: Record<string, unknown> = {},
  { hasCredentials = true } = {},
): Promise<string> {
  const { server, bmc, ...host } = {
    ...newServer(`server-${number}`, number),
    host_type: metal,
  };
  site.world.addHost({ ...host, bmc, server });
  const { username, password } = site.world.bmcs.credential;
  const encoded = (text: string) => Buffer.from(text).toString("base64");
  const { cluster } = site.world.hub("hub-a");
  if (!cluster.get("Namespace", undefined, namespace))
    cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const metadata = { namespace, name: host.name };
  cluster.create({
    ...{ apiVersion: "v1", kind: "Secret", metadata },
    data: { username: encoded(username), password: encoded(password) },
  });
  cluster.create({
    ...{ apiVersion: "metal3.io/v1alpha1", kind: "BareMetalHost", metadata },
    spec: {
      online: false,
      bootMACAddress: host.nics[0]?.mac ?? "",
      bmc: { address: bmc.address, credentialsName: host.name },
      ...used,
    },
  });
  const { name, ...spec } = host;
  const address = `metal3:${namespace}/${name}`;
  const body = {
    metadata: { name },
    spec: { ...spec, bmc: { address, ...(hasCredentials && { username, password }) } },
  };
  const { status, body: made } = await site.admin("POST", "hosts", body);
  if (status !== 200) throw new Error(`the host was refused: ${JSON.stringify(made)}`);
  return made.id;
}

type BareMetalHost = KubeObject & { spec: Spec; status?: Status };

/** The BareMetalHost of the server of this number. */
export function bareMetalHostOf(site: Site, number: number): BareMetalHost {
  const { name } = newServer(`server-${number}`, number);
  const object = site.world.hub("hub-a").cluster.get("BareMetalHost", namespace, name);
  if (!object) throw new Error(`there is no BareMetalHost ${name} of ${hostId(name)}`);
  // The operator alone writes it.
  return object as BareMetalHost;
}

/** Changes the BareMetalHost of a server as a person does. */
export function changeBareMetalHost(
  site: Site,
  number: number,
  changes: object,
  annotations?: Record<string, string>,
): void {
  const { metadata, spec, ...object } = bareMetalHostOf(site, number);
  site.world.hub("hub-a").cluster.update({
    ...object,
    metadata: { ...metadata, ...(annotations && { annotations }) },
    spec: Object.assign({}, spec, changes),
  });
}
