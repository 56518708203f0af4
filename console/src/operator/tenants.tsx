import { useList } from "../api/read.ts";
import type { Quota, Tenant } from "../generated/answers.ts";
import { Loaded, Page } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";
import { Bar } from "./bar.tsx";

/** Tenants, each with what it may have and what it has. */
export function Tenants() {
  const tenants = useList<Tenant>("tenants", { limit: 1000 });
  const quotas = useList<Quota>("quotas", { limit: 1000 });
  const quotaOf = new Map(
    quotas.data?.items
      .filter(({ metadata }) => !metadata.project)
      .map((quota) => [quota.metadata.tenant, quota]),
  );
  return (
    <Page title="Tenants">
      <Loaded read={tenants} waiting="Reading the tenants …">
        {({ items }) => (
          <Table
            label="Tenants"
            rows={items}
            idOf={({ id = "" }) => id}
            empty={
              <p>
                There is no tenant yet: <code>slipway tenant create NAME</code>
              </p>
            }
            columns={[
              { name: "Tenant", cell: ({ id, metadata }) => metadata.name || id },
              {
                name: "State",
                cell: ({ status }) => <State state={status.state} />,
              },
              { name: "Domains", cell: ({ spec }) => spec.domains?.join(", ") },
              {
                name: "Control planes",
                cell: ({ id = "" }) => <Used quota={quotaOf.get(id)} of="control_planes" />,
              },
              {
                name: "Networks",
                cell: ({ id = "" }) => <Used quota={quotaOf.get(id)} of="virtual_networks" />,
              },
              {
                name: "Outside addresses",
                cell: ({ id = "" }) => <Used quota={quotaOf.get(id)} of="external_ips" />,
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}

type Dimension = "control_planes" | "virtual_networks" | "external_ips";

function Used({ quota, of }: { quota: Quota | undefined; of: Dimension }) {
  const limit = quota?.spec.limits[of];
  const used = quota?.status.usage?.[of] ?? 0;
  if (!quota) return <span className="quiet">no quota</span>;
  if (limit === undefined) return <span>{used}, no limit</span>;
  return <Bar total={limit} used={used} />;
}
