import { Link } from "react-router";
import type {
  PrivateExternalIpAttachment,
  PrivateNatGateway,
  PrivateSecurityGroup,
  PrivateSubnet,
  PrivateVirtualNetwork,
  Reference,
} from "../generated/answers.ts";
import { Facts, Part } from "../ui/page.tsx";
import { Table } from "../ui/table.tsx";

/** Networks with what is in them, and their connections to and from outside. */

export function OfNetwork({
  network: { spec, status },
}: {
  network: PrivateVirtualNetwork | PrivateSubnet;
}) {
  return (
    <Part title="Details">
      <Facts
        facts={{
          IPv4: spec.ipv4_cidr,
          IPv6: spec.ipv6_cidr,
          Network: "virtual_network" in spec ? spec.virtual_network.name : undefined,
          Class: "network_class" in spec ? spec.network_class?.name : undefined,
          VLAN: "vlan" in status ? status.vlan : undefined,
          VNI: "vni" in status ? status.vni : undefined,
        }}
      />
    </Part>
  );
}

type Rule = PrivateSecurityGroup["spec"]["ingress"][number];

/** The rules of a security group, ingress before egress. */
export function OfGroup({ group: { spec, status } }: { group: PrivateSecurityGroup }) {
  const rules = [
    ...spec.ingress.map((rule) => ({ way: "in", rule })),
    ...spec.egress.map((rule) => ({ way: "out", rule })),
  ].map((each, n) => ({ ...each, n }));
  const applied = status.applied_version ?? 0;
  const isBehind = status.wanted_version !== undefined && applied < status.wanted_version;
  return (
    <>
      <Part title="Details">
        <Facts
          facts={{
            Network: <To plural="virtual_networks" {...spec.virtual_network} />,
            Rules: isBehind
              ? `version ${applied} applied; ${status.wanted_version} desired`
              : status.wanted_version && `version ${applied} applies`,
          }}
        />
      </Part>
      <Part title="Permitted traffic">
        <Table
          label="Rules"
          rows={rules}
          idOf={({ n }) => String(n)}
          empty="Nothing passes."
          columns={[
            { name: "Way", cell: ({ way }) => way },
            { name: "Protocol", cell: ({ rule }) => protocolOf(rule) },
            { name: "Ports", cell: ({ rule }) => portsOf(rule) },
            {
              name: "Other end",
              cell: ({ rule }) => rule.ipv4_cidr ?? rule.ipv6_cidr ?? rule.security_group?.name,
            },
          ]}
        />
      </Part>
    </>
  );
}

const protocolOf = ({ protocol }: Rule): string => protocol.replace("PROTOCOL_", "");

const portsOf = ({ port_from: from, port_to: to }: Rule): string => {
  if (from === undefined) return "all";
  return to === undefined || to === from ? String(from) : `${from}–${to}`;
};

export const OfGateway = ({ gateway: { spec, status } }: { gateway: PrivateNatGateway }) => (
  <Part title="Details">
    <Facts
      facts={{
        "Leads out of": <To plural="virtual_networks" {...spec.virtual_network} />,
        Address: status.external_ip_address,
        "External IP": spec.external_ip.name,
      }}
    />
  </Part>
);

export function OfAttachment({
  attachment: { spec, status },
}: {
  attachment: PrivateExternalIpAttachment;
}) {
  const { cluster, baremetal_instance: server, target_endpoint: endpoint } = spec;
  return (
    <Part title="Details">
      <Facts
        facts={{
          Address: status.external_ip_address,
          "External IP": spec.external_ip.name,
          Cluster: cluster && <To plural="clusters" {...cluster} />,
          Endpoint: endpoint?.replace("EXTERNAL_IP_ATTACHMENT_ENDPOINT_", "").toLowerCase(),
          Server: server && <To plural="baremetal_instances" {...server} />,
        }}
      />
    </Part>
  );
}

/** A link to the object of a reference. */
const To = ({ plural, id, name }: { plural: string } & Reference) => (
  <Link to={`/orders/${plural}/${id}`}>{name || id}</Link>
);
