import { expect } from "vitest";
import { atRest, orderOf } from "./networks.ts";
import type { Answer, Site, Wire } from "./site.ts";

/** External IPs and their attachments through the API of a simulated site. */

/** Gives the site a pool of outside addresses. */
export async function withOutside(site: Site): Promise<void> {
  const spec = {
    ip_family: "IP_FAMILY_IPV4",
    cidrs: ["203.0.113.80/28"],
    site: "site-1",
    rest_minutes: 0,
  };
  const body = { metadata: { name: "outside" }, spec };
  const { status, body: answer } = await site.admin("POST", "external_ip_pools", body);
  expect(status, JSON.stringify(answer)).toBe(200);
}

export const externalIp = (site: Site, name: string): Promise<string> =>
  orderOf(site, "external_ips", name, { pool: "outside" });

const attachments = "external_ip_attachments";

/** Asks for an attachment of this name. */
export const attachTo = (
  site: Site,
  name: string,
  external_ip: string,
  { cluster = "c1", endpoint = "API" }: { cluster?: string; endpoint?: "API" | "INGRESS" } = {},
): Promise<Answer> =>
  site.api("POST", attachments, {
    metadata: { name },
    spec: {
      external_ip,
      cluster,
      target_endpoint: `EXTERNAL_IP_ATTACHMENT_ENDPOINT_${endpoint}`,
    },
  });

/** Attaches, and answers the attachment once it is READY. */
export async function attached(...asked: Parameters<typeof attachTo>): Promise<Wire> {
  const { status, body } = await attachTo(...asked);
  expect(status, JSON.stringify(body)).toBe(200);
  const found = await atRest(asked[0], attachments, body.id);
  expect(found.status.state, found.status.message).toBe("EXTERNAL_IP_ATTACHMENT_STATE_READY");
  return found;
}

export async function detached(site: Site, id: string): Promise<void> {
  expect((await site.api("DELETE", `${attachments}/${id}`)).status).toBe(200);
  expect(await atRest(site, attachments, id)).toBeUndefined();
}
