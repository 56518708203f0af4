import { isDeepStrictEqual } from "node:util";
import { useOf } from "../../../core/resources/external-ip-attachment/model.ts";
import type { Check } from "./check.ts";
import type { SiteBooks } from "./site.ts";

/**
 * What external IPs, clusters and the fabric say of attachments at rest is what the attachments say themselves: one
 * that was made has its address, its endpoint and a floating IP, any other has nothing.
 */
export const attached: Check<SiteBooks> = {
  of: [],
  wrong({ table, world }) {
    const attachments = table.objects("external_ip_attachment");
    const made = attachments.filter(({ made: is }) => is);
    const lines = (words: string[][]) => words.map((each) => each.join(" ")).toSorted();
    const wanted = {
      ips: lines(made.map(({ id, spec }) => [spec.external_ip.id, id])),
      endpoints: lines(
        made.map((each) => [each.spec.cluster.id, useOf(each), each.id, each.address, "leads"]),
      ),
      fabric: lines(made.map(({ id, address }) => [address, id])),
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
        table
          .objects("cluster")
          .flatMap(({ id, site }) =>
            Object.entries(site?.external_ips ?? {}).map(([use, at]) => [
              ...[id, use, at.attachment, at.address, at.leads ? "leads" : "waits"],
            ]),
          ),
      ),
      fabric: lines(
        world
          .ledger()
          .filter(
            ({ kind, owner }) => kind === "address" && owner?.kind === "external_ip_attachment",
          )
          .map(({ id, owner }) => [id, owner?.id ?? ""]),
      ),
    };
    return (["ips", "endpoints", "fabric"] as const)
      .filter((name) => !isDeepStrictEqual(found[name], wanted[name]))
      .map((name) => `${name}: ${found[name].join(", ")} instead of ${wanted[name].join(", ")}`);
  },
};
