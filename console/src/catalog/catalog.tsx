import { Link } from "react-router";
import { useList } from "../api/read.ts";
import type {
  ClusterCatalogItem,
  ClusterTemplate,
  ClusterVersion,
  HostType,
} from "../generated/answers.ts";
import { useSignedIn } from "../session/session.ts";
import { Loaded, Page, Part } from "../ui/page.tsx";
import { type Column, Table } from "../ui/table.tsx";

/** What can be ordered: offers, templates, releases, types of servers. */
export function Catalog() {
  const { isStaff } = useSignedIn();
  const offers = useList<ClusterCatalogItem>("cluster_catalog_items", { limit: 200 });
  const templates = useList<ClusterTemplate>("cluster_templates", { limit: 200 });
  const versions = useList<ClusterVersion>("cluster_versions", { limit: 200 });
  const types = useList<HostType>("host_types", { limit: 200 });
  /** Only tenants order. */
  const orderBy = <Row extends { id?: string }>(query: (id: string) => string): Column<Row>[] =>
    isStaff
      ? []
      : [{ name: "Order", cell: ({ id = "" }) => <Link to={`/new?${query(id)}`}>Order</Link> }];
  return (
    <Page title="Catalog">
      <Part title="Offers">
        <Loaded read={offers} waiting="Reading the offers …">
          {({ items }) => (
            <Table
              label="Offers"
              rows={items}
              idOf={({ id = "" }) => id}
              empty="There are no offers: order from a template."
              columns={[
                { name: "Offer", cell: ({ id, metadata, title }) => title ?? metadata.name ?? id },
                { name: "Of template", cell: ({ template }) => template.name },
                { name: "What it is", isLong: true, cell: ({ description }) => description },
                ...orderBy<ClusterCatalogItem>((id) => `catalog_item=${id}`),
              ]}
            />
          )}
        </Loaded>
      </Part>
      <Part title="Templates">
        <Loaded read={templates} waiting="Reading the templates …">
          {({ items }) => (
            <Table
              label="Templates"
              rows={items}
              idOf={({ id = "" }) => id}
              empty="There are no templates."
              columns={[
                { name: "Template", cell: ({ id, title }) => title ?? id },
                {
                  name: "Node sets",
                  cell: ({ node_sets }) =>
                    Object.entries(node_sets)
                      .map(([name, { size, host_type }]) => `${name}: ${size} × ${host_type.name}`)
                      .join(", "),
                },
                { name: "What it is", isLong: true, cell: ({ description }) => description },
                ...orderBy<ClusterTemplate>((id) => `template=${id}`),
              ]}
            />
          )}
        </Loaded>
      </Part>
      <Part title="Releases">
        <Loaded read={versions} waiting="Reading the releases …">
          {({ items }) => (
            <Table
              label="Releases"
              rows={items}
              idOf={({ id = "" }) => id}
              empty="There are no releases."
              columns={[
                { name: "Release", cell: ({ spec }) => spec.version },
                {
                  name: "State",
                  cell: ({ spec }) => spec.state?.replace("CLUSTER_VERSION_STATE_", ""),
                },
                { name: "Default", cell: ({ spec }) => (spec.is_default ? "yes" : "") },
              ]}
            />
          )}
        </Loaded>
      </Part>
      <Part title="Types of servers">
        <Loaded read={types} waiting="Reading the types …">
          {({ items }) => (
            <Table
              label="Types of servers"
              rows={items}
              idOf={({ id = "" }) => id}
              empty="There are no types of servers."
              columns={[
                { name: "Type", cell: ({ id, title }) => title ?? id },
                {
                  name: "Hardware",
                  cell: ({ hardware }) =>
                    [
                      hardware?.cpus && `${hardware.cpus} CPUs`,
                      hardware?.memory_gib && `${hardware.memory_gib} GiB`,
                      ...(hardware?.gpus ?? []).map(({ count, model }) => `${count} × ${model}`),
                    ]
                      .filter(Boolean)
                      .join(", "),
                },
                { name: "What it is", isLong: true, cell: ({ description }) => description },
              ]}
            />
          )}
        </Loaded>
      </Part>
    </Page>
  );
}
