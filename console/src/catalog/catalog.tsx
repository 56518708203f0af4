import { Link } from "react-router";
import { useList } from "../api/read.ts";
import type {
  BareMetalInstanceType,
  BaremetalInstanceCatalogItem,
  ClusterCatalogItem,
  ClusterTemplate,
  ClusterVersion,
  HostType,
} from "../generated/answers.ts";
import { useSignedIn } from "../session/session.ts";
import { Listed } from "../ui/listed.tsx";
import { Page, Part } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import type { Column } from "../ui/table.tsx";

/** The catalog: offers and templates of clusters and servers, and host types and releases. */
export function Catalog() {
  const { isStaff } = useSignedIn();
  const offers = useList<ClusterCatalogItem>("cluster_catalog_items", { limit: 200 });
  const templates = useList<ClusterTemplate>("cluster_templates", { limit: 200 });
  const versions = useList<ClusterVersion>("cluster_versions", { limit: 200 });
  const types = useList<HostType>("host_types", { limit: 200 });
  const servers = useList<BaremetalInstanceCatalogItem>("baremetal_instance_catalog_items", {
    limit: 200,
  });
  const serverTypes = useList<BareMetalInstanceType>("bare_metal_instance_types", { limit: 200 });
  /** Only tenants can order. */
  const orderAt = <Row extends { id?: string }>(page: (id: string) => string): Column<Row>[] =>
    isStaff ? [] : [{ name: "Order", cell: ({ id = "" }) => <Link to={page(id)}>Order</Link> }];
  return (
    <Page title="Catalog">
      <Part title="Offers of clusters">
        <Listed
          label="Offers of clusters"
          read={offers}
          empty="There are no offers of clusters: order from a template."
          columns={[
            { name: "Offer", cell: ({ id, metadata, title }) => title ?? metadata.name ?? id },
            { name: "Of template", cell: ({ template }) => template.name },
            { name: "What it is", isLong: true, cell: ({ description }) => description },
            ...orderAt<ClusterCatalogItem>((id) => `/new?catalog_item=${id}`),
          ]}
        />
      </Part>
      <Part title="Templates of clusters">
        <Listed
          label="Templates of clusters"
          read={templates}
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
            ...orderAt<ClusterTemplate>((id) => `/new?template=${id}`),
          ]}
        />
      </Part>
      <Part title="Releases of OpenShift">
        <Listed
          label="Releases of OpenShift"
          read={versions}
          empty="There are no releases."
          columns={[
            { name: "Release", cell: ({ spec }) => spec.version },
            {
              name: "State",
              isState: true,
              cell: ({ spec }) => spec.state && <State state={spec.state} />,
            },
            { name: "Default", cell: ({ spec }) => (spec.is_default ? "yes" : "") },
          ]}
        />
      </Part>
      <Part title="Offers of servers">
        <Listed
          label="Offers of servers"
          read={servers}
          empty="No servers are offered whole."
          columns={[
            { name: "Offer", cell: ({ id, metadata, title }) => title ?? metadata.name ?? id },
            { name: "Of template", cell: ({ template }) => template.name },
            { name: "What it is", isLong: true, cell: ({ description }) => description },
            ...orderAt<BaremetalInstanceCatalogItem>((id) => `/servers/new?catalog_item=${id}`),
          ]}
        />
      </Part>
      <Part title="Types of bare-metal servers">
        <Listed
          label="Types of bare-metal servers"
          read={serverTypes}
          empty="There are none."
          columns={[
            { name: "Type", cell: ({ id, metadata }) => metadata.name || id },
            {
              name: "Hardware",
              cell: ({ spec: { hardware } }) =>
                [
                  `${hardware.cpu.cores} cores`,
                  `${hardware.memory.total_gb} GB`,
                  ...(hardware.disks ?? []).map(({ capacity_gb, type }) =>
                    [`${capacity_gb} GB`, type].filter(Boolean).join(" "),
                  ),
                  ...(hardware.accelerators ?? []).map(({ model }) => model),
                ].join(", "),
            },
            { name: "What it is", isLong: true, cell: ({ spec }) => spec.description },
          ]}
        />
      </Part>
      <Part title="Types of hosts in clusters">
        <Listed
          label="Types of hosts in clusters"
          read={types}
          empty="There are none."
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
      </Part>
    </Page>
  );
}
