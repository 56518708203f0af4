import { Link } from "react-router";
import { useList } from "../api/read.ts";
import type { Quota, Tenant } from "../generated/answers.ts";
import { Empty } from "../ui/empty.tsx";
import { Loaded, Page } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";
import { Bar } from "./bar.tsx";
import { amountsOf } from "./quota.tsx";

/** Tenants with their limits and usage. */
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
            empty={<Empty command="slipway tenant create NAME">There is no tenant yet.</Empty>}
            columns={[
              {
                name: "Tenant",
                cell: ({ id = "", metadata }) => (
                  <Link to={`/tenants/${encodeURIComponent(id)}`}>{metadata.name || id}</Link>
                ),
              },
              {
                name: "State",
                isState: true,
                cell: ({ status }) => <State state={status.state} />,
              },
              { name: "Domains", cell: ({ spec }) => spec.domains?.join(", ") },
              {
                name: "Control planes",
                cell: ({ id = "" }) => <Clusters quota={quotaOf.get(id)} />,
              },
              {
                name: "Nearest to its limit",
                cell: ({ id = "" }) => <Nearest quota={quotaOf.get(id)} />,
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}

function Clusters({ quota }: { quota: Quota | undefined }) {
  if (!quota) return <span className="quiet">no quota</span>;
  const { control_planes: limit } = quota.spec.limits;
  const used = quota.status.usage?.control_planes ?? 0;
  return limit === undefined ? `${used}, no limit` : <Bar total={limit} used={used} />;
}

/** The dimension in which the tenant is closest to its limit. */
function Nearest({ quota }: { quota: Quota | undefined }) {
  if (!quota) return null;
  const shareOf = (amount: { limit: number; used: number }) =>
    amount.limit === 0 ? 0 : amount.used / amount.limit;
  const [most] = amountsOf(quota)
    .flatMap(({ limit, ...rest }) => (limit === undefined ? [] : [{ ...rest, limit }]))
    .sort((a, b) => shareOf(b) - shareOf(a));
  if (!most || most.used === 0) return null;
  return (
    <span className="row">
      {most.name} <Bar total={most.limit} used={most.used} />
    </span>
  );
}
