import * as z from "zod";
import { numberOf, prefixesOf, startOf } from "../../ipv4.ts";
import { baseUrlSchema, urlSchema } from "../../kernel/input/url.ts";
import { isWithin, lengthOf, reservedFault } from "../../prefix.ts";

/** The network boot of machines at a site: the images that they load, and their networks. */

const url = baseUrlSchema(/^https?$/, "must be a URL, such as http://10.0.0.2:8080");
const file = urlSchema(/^https?$/, "must be a URL, such as http://10.0.0.2/images/vmlinuz");
const ipv4 = z.ipv4({ error: "must be an IPv4 address", abort: true });
const prefix = z.cidrv4({ error: "must be an IPv4 prefix, such as 10.8.0.0/22", abort: true });
/** The longest prefix with room for a gateway and a host, besides the network and broadcast addresses. */
const longest = 30;
/** The network address and the broadcast address of a prefix. */
const endsOf = (cidr: string): number[] => [
  startOf(cidr),
  startOf(cidr) + 2 ** (32 - lengthOf(cidr)) - 1,
];
const asn = z.int().min(1).max(4_294_967_294);

export const machinesSchema = z
  .strictObject({
    url: url.describe(
      "URL of Slipway's site controller, before `/site/v1`. Hosts and DPUs use it from their boot networks, tenants' servers from theirs.",
    ),
    loader: file.describe("URL of iPXE, for UEFI's HTTP boot.").optional(),
    installer: z
      .strictObject({
        kernel: file.describe("URL of its kernel."),
        initrd: file.describe("URL of its initial RAM disk."),
      })
      .optional()
      .describe("The installer of tenants' images on disks."),
    bfb: file.optional().describe("URL of the image that DPUs install."),
    admin_network: z
      .strictObject({
        cidr: prefix.describe("Its prefix."),
        gateway: ipv4.describe("Its gateway."),
      })
      .optional()
      .describe("The network of free hosts."),
    discovery_boot: z
      .enum(["network", "virtual_drive"])
      .optional()
      .describe(
        "How hosts without DPUs boot the discovery image: from the `network` of free hosts or, by default, from a `virtual_drive`. Hosts with DPUs boot from the network; hosts of Ironic and Metal3 boot by their service.",
      ),
    management_network: z
      .strictObject({ cidr: prefix.describe("Its prefix.") })
      .optional()
      .describe("The network of controllers and DPUs."),
    loopbacks: z
      .strictObject({
        first: ipv4.describe("The first of them."),
        last: ipv4.describe("The last of them, included."),
      })
      .optional()
      .describe("Addresses of DPUs as leaves of the fabric."),
    asns: z
      .strictObject({
        first: asn.describe("The first of them."),
        last: asn.describe("The last of them, included."),
      })
      .optional()
      .describe("AS numbers of DPUs as leaves of the fabric."),
  })
  .superRefine((spec, context) => {
    const { discovery_boot, loader, loopbacks, asns } = spec;
    const { admin_network: admin, management_network: management } = spec;
    const refuse = (path: string[], message: string) =>
      context.addIssue({ code: "custom", path, message });
    const isByNetwork = discovery_boot === "network";
    if (isByNetwork && !admin)
      refuse(["admin_network"], "must be given for hosts to boot from the network");
    if (isByNetwork && !loader)
      refuse(["loader"], "must be given for hosts to boot from the network");
    if (admin && !isWithin(admin.cidr, `${admin.gateway}/32`))
      refuse(["admin_network", "gateway"], `must be in ${admin.cidr}`);
    if (admin && lengthOf(admin.cidr) > longest)
      refuse(["admin_network", "cidr"], `must be /${longest} or shorter, for a gateway and a host`);
    else if (admin && endsOf(admin.cidr).includes(numberOf(admin.gateway)))
      refuse(
        ["admin_network", "gateway"],
        `must not be the first or last address of ${admin.cidr}`,
      );
    if (loopbacks && numberOf(loopbacks.last) < numberOf(loopbacks.first))
      refuse(["loopbacks", "last"], "must not be below first");
    const neverOne =
      loopbacks &&
      prefixesOf(numberOf(loopbacks.first), numberOf(loopbacks.last))
        .map(reservedFault)
        .find((fault) => fault !== undefined);
    if (neverOne !== undefined) refuse(["loopbacks"], neverOne);
    for (const [member, cidr] of [
      ["admin_network", admin?.cidr],
      ["management_network", management?.cidr],
    ] as const) {
      const never = cidr && reservedFault(cidr);
      if (never) refuse([member, "cidr"], never);
    }
    if (asns && asns.last < asns.first) refuse(["asns", "last"], "must not be below first");
  });
