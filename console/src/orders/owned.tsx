import { Link } from "react-router";
import type {
  Dpu,
  Host,
  PrivateBaremetalInstance,
  PrivateCluster,
  PrivateExternalIpAttachment,
  PrivateNatGateway,
  PrivateSecurityGroup,
  PrivateSubnet,
  PrivateVirtualNetwork,
} from "../generated/answers.ts";
import { Copied, Outside } from "../ui/copy.tsx";
import { Facts, Part } from "../ui/page.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { OfDpu, OfHost } from "./host.tsx";
import { NameOf } from "./names.tsx";
import { OfAttachment, OfGateway, OfGroup, OfNetwork } from "./networks.tsx";
import type { Ordered, OrderedKind } from "./ordered.ts";
import { OfServer } from "./server.tsx";

/** An object and what it holds: its hub, hosts, numbers and names. */
export function Owned({ kind, object }: { kind: OrderedKind; object: Ordered }) {
  // The kind determines the object's type.
  switch (kind.kind) {
    case "cluster":
      return <OfCluster cluster={object as PrivateCluster} />;
    case "baremetal_instance":
      return <OfServer server={object as PrivateBaremetalInstance} />;
    case "host":
      return <OfHost host={object as Host} />;
    case "dpu":
      return <OfDpu dpu={object as Dpu} />;
    case "virtual_network":
    case "subnet":
      return <OfNetwork network={object as PrivateVirtualNetwork | PrivateSubnet} />;
    case "security_group":
      return <OfGroup group={object as PrivateSecurityGroup} />;
    case "nat_gateway":
      return <OfGateway gateway={object as PrivateNatGateway} />;
    case "external_ip_attachment":
      return <OfAttachment attachment={object as PrivateExternalIpAttachment} />;
    default:
      return null;
  }
}

function OfCluster({ cluster: { spec, status } }: { cluster: PrivateCluster }) {
  const { network, addresses, placement, hosts } = status;
  const nodeSets = Object.entries(spec.node_sets);
  return (
    <>
      <Part title="Details">
        <Facts
          facts={{
            Version: status.version ?? spec.version.name,
            "API URL": status.api_url && <Copied text={status.api_url} />,
            Console: status.console_url && <Outside url={status.console_url} />,
            Hub: status.hub && <Link to={`/hubs#${status.hub}`}>{status.hub}</Link>,
            Placement: placement?.reason,
            Network: network && <Copied text={network.prefix} />,
            VLAN: network?.vlan,
            "API address": addresses && <Address of={addresses.api} />,
            "Ingress address": addresses && <Address of={addresses.ingress} />,
            "DNS names": status.dns_names?.map((name) => (
              <div key={name}>
                <Copied text={name} />
              </div>
            )),
            Storage: storageWords[status.storage?.state ?? ""],
          }}
        />
      </Part>
      <Part title="Nodes">
        <Table
          label="Node sets"
          rows={nodeSets}
          idOf={([name]) => name}
          empty="It has no node sets."
          columns={[
            { name: "Node set", cell: ([name]) => name },
            { name: "Host type", cell: ([, set]) => set.host_type.name },
            { name: "Desired", isNumber: true, cell: ([, set]) => set.size },
            {
              name: "Ready",
              isNumber: true,
              cell: ([name]) => status.node_sets[name]?.ready ?? 0,
            },
            ...(hosts ? [hostsIn(hosts)] : []),
          ]}
        />
      </Part>
    </>
  );
}

const storageWords: Record<string, string> = { done: "ready" };

/** An address outside, with the one inside that it leads to. */
const Address = ({
  of: { external, internal },
}: {
  of: { external: string; internal: string };
}) => (
  <>
    <Copied text={external} /> <span className="quiet">to {internal}</span>
  </>
);

type NodeSet = [name: string, set: PrivateCluster["spec"]["node_sets"][string]];

/** The hosts of a node set; only the provider can see them. */
const hostsIn = (hosts: Record<string, string[]>): Column<NodeSet> => ({
  name: "Hosts",
  isLong: true,
  cell: ([name]) =>
    (hosts[name] ?? []).map((host) => (
      <span key={host}>
        <NameOf plural="hosts" id={host} />{" "}
      </span>
    )),
});
