import type { Answer, Site } from "../../test/support/site.ts";

/** A request about the cluster of this id. */
type Ask = (site: Site, id: string) => Promise<Answer>;

const get =
  (path: string): Ask =>
  ({ api }) =>
    api("GET", path);
const filtered = (filter: string): Ask => get(`clusters?filter=${encodeURIComponent(filter)}`);
const metadata = { labels: { tier: "gold" } };
const tried = { metadata: { name: "tried" }, spec: { template: { id: "ocp_4_17_small" } } };

/** Requests that start no operation, by name; the tenant has one cluster. */
export const requests: Record<string, Ask> = {
  "get a cluster": ({ api }, id) => api("GET", `clusters/${id}`),
  "list clusters": get("clusters"),
  "change a label of a cluster": ({ api }, id) => api("PATCH", `clusters/${id}`, { metadata }),
  "list clusters, filter by a name": filtered("this.metadata.name == 'c0'"),
  "list clusters, filter by a label": filtered("this.metadata.labels['tier'] == 'gold'"),
  "list operations": get("operations"),
  "get a host type": get("host_types/fc430"),
  "get the capacity": ({ admin }) => admin("GET", "capacity"),
  "who has a VLAN id": ({ admin }) => admin("GET", "owners?kind=vlan&value=100"),
  "get the status": ({ admin }) => admin("GET", "status"),
  "try an order (dry run)": ({ api }) => api("POST", "clusters?dry_run=true", tried),
  "a page of a site's VLAN ids": ({ admin }) =>
    admin("GET", "sites/site-1/numbers?pool=vlans&limit=100"),
};
