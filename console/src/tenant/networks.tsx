import { Link } from "react-router";
import { useList } from "../api/read.ts";
import type {
  ExternalIp,
  PrivateSecurityGroup,
  PrivateSubnet,
  PrivateVirtualNetwork,
} from "../generated/answers.ts";
import { named, state, why } from "../orders/columns.tsx";
import { soon } from "../orders/kinds.ts";
import { Empty } from "../ui/empty.tsx";
import { isSome, Listed } from "../ui/listed.tsx";
import { Page, Part } from "../ui/page.tsx";

/** A tenant's networks and what is in them. */

const prefixes = {
  name: "Prefixes",
  cell: ({ spec }: PrivateVirtualNetwork | PrivateSubnet) =>
    [spec.ipv4_cidr, spec.ipv6_cidr].filter(Boolean).join(", "),
};

const newNetwork = (
  <Link className="button primary" to="/networks/new">
    New network
  </Link>
);

export function Networks() {
  const networks = useList<PrivateVirtualNetwork>("virtual_networks", { limit: 200 }, soon);
  const subnets = useList<PrivateSubnet>("subnets", { limit: 500 }, soon);
  const groups = useList<PrivateSecurityGroup>("security_groups", { limit: 500 }, soon);
  const addresses = useList<ExternalIp>("external_ips", { limit: 500 });
  return (
    <Page
      title="Networks"
      beside={
        isSome(networks) && (
          <>
            <Link className="button" to="/networks/new-group">
              New security group
            </Link>
            <Link className="button" to="/networks/new-subnet">
              New subnet
            </Link>
            {newNetwork}
          </>
        )
      }
    >
      <Listed
        label="Networks"
        read={networks}
        empty={
          <Empty action={newNetwork} command="slipway virtual-network create NAME">
            You have no network yet.
          </Empty>
        }
        columns={[named("Network", "virtual_networks"), state, prefixes, why]}
      />
      <Part title="Subnets">
        <Listed
          label="Subnets"
          read={subnets}
          empty="You have no subnet yet."
          columns={[
            named("Subnet", "subnets"),
            { name: "Of", cell: ({ spec }) => spec.virtual_network.name },
            state,
            prefixes,
            { name: "Free", isNumber: true, cell: ({ status }) => status.addresses?.free },
            why,
          ]}
        />
      </Part>
      <Part title="Security groups">
        <Listed
          label="Security groups"
          read={groups}
          empty="You have no security group of your own."
          columns={[
            named("Group", "security_groups"),
            { name: "Of", cell: ({ spec }) => spec.virtual_network.name },
            state,
            { name: "Rules in", isNumber: true, cell: ({ spec }) => spec.ingress?.length ?? 0 },
            { name: "Rules out", isNumber: true, cell: ({ spec }) => spec.egress?.length ?? 0 },
          ]}
        />
      </Part>
      <Part title="External IPs">
        <Listed
          label="External IPs"
          read={addresses}
          empty="You have no external IP."
          columns={[
            { name: "Name", cell: ({ metadata }) => metadata.name },
            { name: "Address", cell: ({ status }) => <code>{status.address}</code> },
            { name: "Attached", cell: ({ status }) => (status.attached ? "yes" : "") },
          ]}
        />
      </Part>
    </Page>
  );
}
