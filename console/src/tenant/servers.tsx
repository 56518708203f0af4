import { Link } from "react-router";
import { useList } from "../api/read.ts";
import type { PrivateBaremetalInstance } from "../generated/answers.ts";
import { named, state, why } from "../orders/columns.tsx";
import { soon } from "../orders/kinds.ts";
import { Empty } from "../ui/empty.tsx";
import { isSome, Listed } from "../ui/listed.tsx";
import { Page } from "../ui/page.tsx";
import { Ago } from "../ui/time.tsx";

/** A tenant's whole servers. */
export function Servers() {
  const servers = useList<PrivateBaremetalInstance>("baremetal_instances", { limit: 200 }, soon);
  return (
    <Page title="Servers" beside={isSome(servers) && newServer}>
      <Listed
        label="Servers"
        read={servers}
        empty={
          <Empty action={newServer} command="slipway server create NAME --catalog-item OFFER">
            You have no server yet.
          </Empty>
        }
        columns={[
          named("Server", "baremetal_instances"),
          state,
          { name: "Type", cell: ({ status }) => status.instance_type },
          { name: "Address", cell: (server) => <code>{addressOf(server)}</code> },
          { name: "From outside", cell: ({ status }) => <code>{status.external_ip_address}</code> },
          why,
          { name: "Ordered", cell: ({ metadata }) => <Ago time={metadata.creation_timestamp} /> },
        ]}
      />
    </Page>
  );
}

const newServer = (
  <Link className="button primary" to="/servers/new">
    New server
  </Link>
);

/** Its address in the subnet of its default route. */
const addressOf = ({ status }: PrivateBaremetalInstance): string =>
  status.network_attachment_statuses.find(({ primary }) => primary)?.ip_address ?? "";
