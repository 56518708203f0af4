import { isDeepStrictEqual } from "node:util";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import { attachmentUseOf } from "../../../core/resources/external-ip-attachment/model.ts";
import { withoutSite } from "./at-site.ts";
import type { Check } from "./check.ts";
import type { SiteBooks } from "./site.ts";

/**
 * What external IPs, clusters, servers, DPUs and the fabric say of attachments at rest is what the attachments say themselves: one
 * that was made has its address, its endpoint and a floating IP or a DPU, any other has nothing. Those that came with a cluster or a
 * server, with their external IPs, are just those that these say they have; what failed and gave back has none.
 */
export const attached: Check<SiteBooks> = {
  of: [],
  wrong({ table, world }) {
    const attachments = table.objects("external_ip_attachment");
    const clusters = table.objects("cluster");
    const kept = clusters.filter(({ metadata }) => !metadata.deletion_timestamp);
    const servers = table.objects("baremetal_instance");
    const made = attachments.filter(({ made: is }) => is);
    const lines = (words: string[][]) => words.map((each) => each.join(" ")).toSorted();
    const wanted = {
      // With a cluster that is held an external IP may have come that leads nowhere yet.
      ips: lines(
        attachments
          .filter(({ made: is, automatic }) => is || automatic)
          .map(({ id, spec }) => [spec.external_ip.id, id]),
      ),
      endpoints: lines(
        made.map((each) => [
          each.spec.cluster?.id ?? each.spec.baremetal_instance?.id ?? "",
          ...[attachmentUseOf(each) ?? "server", each.id, each.address, "leads"],
        ]),
      ),
      fabric: lines(made.filter(({ site }) => site).map(({ id, address }) => [address, id])),
      ends: lines(
        made
          .filter(({ site }) => !site)
          .map(({ id, address, carrier = "" }) => [carrier, address, id]),
      ),
      automatic: lines([
        ...clusters.flatMap(({ id, automatic_ips: ips }) =>
          ips
            ? [ips.api, ips.ingress].map((ip) => [id, ip.attachment, ip.external_ip, ip.address])
            : [],
        ),
        ...servers.flatMap(({ id, automatic_ip: ip }) =>
          ip ? [[id, ip.attachment, ip.external_ip, ip.address]] : [],
        ),
      ]),
      servers: lines(
        servers
          .filter((each) => each.spec.auto_external_ip_attachment && isKept(each))
          .map(({ id }) => [id]),
      ),
      clusters: lines(
        kept
          .filter((each) => each.spec.auto_external_ip_attachment && !hasFailed(each))
          .map(({ id }) => [id]),
      ),
    };
    const found = {
      ips: lines(
        table
          .objects("external_ip")
          .flatMap(({ id, attached_to: user }) =>
            user?.kind === "external_ip_attachment" ? [[id, user.id]] : [],
          ),
      ),
      endpoints: lines(
        [
          ...clusters.flatMap(({ id, site }) =>
            Object.entries(site?.external_ips ?? {}).map(([use, at]) => ({ id, use, at })),
          ),
          ...servers.flatMap(({ id, external_ip: at }) => (at ? [{ id, use: "server", at }] : [])),
        ].map(({ id, use, at }) => [
          ...[id, use, at.attachment, at.address, at.leads ? "leads" : "waits"],
        ]),
      ),
      fabric: lines(
        world
          .ledger()
          .filter(
            ({ kind, owner }) => kind === "address" && owner?.kind === "external_ip_attachment",
          )
          .map(({ id, owner }) => [withoutSite(id), owner?.id ?? ""]),
      ),
      ends: lines(
        table
          .objects("dpu")
          .flatMap(({ id, stands = [] }) =>
            stands.flatMap(({ external: at }) => (at ? [[id, at.address, at.attachment]] : [])),
          ),
      ),
      automatic: lines(
        attachments
          .filter(({ automatic }) => automatic)
          .map(({ id, spec, address }) => [
            spec.cluster?.id ?? spec.baremetal_instance?.id ?? "",
            id,
            spec.external_ip.id,
            address,
          ]),
      ),
      servers: lines(
        servers.filter((each) => each.automatic_ip && isKept(each)).map(({ id }) => [id]),
      ),
      clusters: lines(
        kept
          .filter((each) => each.automatic_ips && !(hasFailed(each) && !gaveBack(each)))
          .map(({ id }) => [id]),
      ),
    };
    return (["ips", "endpoints", "fabric", "ends", "automatic", "servers", "clusters"] as const)
      .filter((name) => !isDeepStrictEqual(found[name], wanted[name]))
      .map((name) => `${name}: ${found[name].join(", ")} instead of ${wanted[name].join(", ")}`);
  },
};

/** One that is deleted, or that failed and gave back, has none. */
const isKept = ({ metadata, failure, published }: BaremetalInstance): boolean =>
  !metadata.deletion_timestamp && (published || !failure?.given_back);
const hasFailed = ({ failure, published }: Cluster): boolean => !!failure && !published;
const gaveBack = ({ failure }: Cluster): boolean => failure?.given_back === true;
