import { type DevProcess, operationIn } from "../support/dev-process.ts";

/** What there is of networks in the world in which screens are looked at. Ids. */
export interface Networks {
  network: string;
  subnet: string;
  group: string;
  gateway: string;
  attachment: string;
  /** The fabric has refused its router. */
  failedNetwork: string;
}

export const noNetworks: Networks = {
  ...{ network: "", subnet: "", group: "", gateway: "", attachment: "", failedNetwork: "" },
};

/** Makes it; `cluster` is one that is READY. */
export async function fillNetworks(
  { api, admin, sim, succeeded, ended }: DevProcess,
  cluster: string,
): Promise<Networks> {
  const asked = async (plural: string, name: string, spec: object) => {
    const { status, body, headers } = await api("POST", plural, { metadata: { name }, spec });
    if (status !== 200) throw new Error(`${plural}: ${JSON.stringify(body)}`);
    return { id: String(body.id), operation: operationIn(headers) };
  };
  const made = async (plural: string, name: string, spec: object) => {
    const { id, operation } = await asked(plural, name, spec);
    await succeeded(operation);
    return id;
  };
  const network = await made("virtual_networks", "seen", { ipv4_cidr: "10.20.0.0/16" });
  const within = { virtual_network: "seen" };
  const subnet = await made("subnets", "seen", { ...within, ipv4_cidr: "10.20.1.0/24" });
  const web = { protocol: "PROTOCOL_TCP", port_from: 443, port_to: 444, ipv4_cidr: "0.0.0.0/0" };
  const group = await made("security_groups", "seen", {
    ...{ ...within, ingress: [web], egress: [{ protocol: "PROTOCOL_ALL", ipv6_cidr: "::/0" }] },
  });
  await admin("POST", "external_ip_pools", {
    metadata: { name: "seen" },
    spec: { ip_family: "IP_FAMILY_IPV4", cidrs: ["203.0.113.64/28"], site: { name: "site-1" } },
  });
  for (const name of ["seen-out", "seen-in"]) await asked("external_ips", name, { pool: "seen" });
  const gateway = await made("nat_gateways", "seen", { ...within, external_ip: "seen-out" });
  const attachment = await made("external_ip_attachments", "seen", {
    ...{
      external_ip: "seen-in",
      cluster,
      target_endpoint: "EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS",
    },
  });
  const fault = { target: "fabric", operation: "POST /v2.0/routers", fault: "error", status: 400 };
  await sim("POST", "faults", fault);
  const failed = await asked("virtual_networks", "seen-failed", { ipv4_cidr: "10.30.0.0/16" });
  await ended(failed.operation);
  await sim("DELETE", "faults");
  return { network, subnet, group, gateway, attachment, failedNetwork: failed.id };
}
