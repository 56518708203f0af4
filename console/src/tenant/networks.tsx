import { Link } from "react-router";
import { pace, useList } from "../api/read.ts";
import type {
  ExternalIp,
  PrivateSecurityGroup,
  PrivateSubnet,
  PrivateVirtualNetwork,
} from "../generated/answers.ts";
import { isUnderWay, type Ordered } from "../orders/kinds.ts";
import { Loaded, Page, Part } from "../ui/page.tsx";
import { State, toneOfWork } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";

/** A tenant's networks with what is in them. */

const soon = (page: { items: Ordered[] } | undefined) =>
  page?.items.some(isUnderWay) ? pace.list : pace.rest;

const stateOf = ({ status }: Ordered) => (
  <State state={status.state} tone={toneOfWork(status.state, status)} />
);
const whyOf = ({ status: { stalled, waiting, message } }: Ordered) =>
  stalled?.message ?? waiting?.[0]?.message ?? message;

export function Networks() {
  const networks = useList<PrivateVirtualNetwork>("virtual_networks", { limit: 200 }, soon);
  const subnets = useList<PrivateSubnet>("subnets", { limit: 500 }, soon);
  const groups = useList<PrivateSecurityGroup>("security_groups", { limit: 500 }, soon);
  const addresses = useList<ExternalIp>("external_ips", { limit: 500 });
  return (
    <Page title="Networks">
      <Loaded read={networks} waiting="Reading your networks …">
        {({ items }) => (
          <Table
            label="Networks"
            rows={items}
            idOf={({ id = "" }) => id}
            empty={
              <p>
                You have no network: <code>slipway virtual-network create NAME</code>
              </p>
            }
            columns={[
              {
                name: "Network",
                cell: ({ id, metadata }) => (
                  <Link to={`/orders/virtual_networks/${id}`}>{metadata.name}</Link>
                ),
              },
              { name: "State", cell: (row) => stateOf(row) },
              {
                name: "Prefixes",
                cell: ({ spec }) => [spec.ipv4_cidr, spec.ipv6_cidr].filter(Boolean).join(", "),
              },
              { name: "Why", isLong: true, cell: (row) => whyOf(row) },
            ]}
          />
        )}
      </Loaded>
      <Part title="Subnets">
        <Loaded read={subnets} waiting="Reading your subnets …">
          {({ items }) => (
            <Table
              label="Subnets"
              rows={items}
              idOf={({ id = "" }) => id}
              empty="There are none."
              columns={[
                {
                  name: "Subnet",
                  cell: ({ id, metadata }) => (
                    <Link to={`/orders/subnets/${id}`}>{metadata.name}</Link>
                  ),
                },
                { name: "Of", cell: ({ spec }) => spec.virtual_network.name },
                { name: "State", cell: (row) => stateOf(row) },
                {
                  name: "Prefixes",
                  cell: ({ spec }) => [spec.ipv4_cidr, spec.ipv6_cidr].filter(Boolean).join(", "),
                },
                {
                  name: "Free",
                  isNumber: true,
                  cell: ({ status }) => status.addresses?.free,
                },
                { name: "Why", isLong: true, cell: (row) => whyOf(row) },
              ]}
            />
          )}
        </Loaded>
      </Part>
      <Part title="Security groups">
        <Loaded read={groups} waiting="Reading your security groups …">
          {({ items }) => (
            <Table
              label="Security groups"
              rows={items}
              idOf={({ id = "" }) => id}
              empty="There are none."
              columns={[
                {
                  name: "Group",
                  cell: ({ id, metadata }) => (
                    <Link to={`/orders/security_groups/${id}`}>{metadata.name}</Link>
                  ),
                },
                { name: "Of", cell: ({ spec }) => spec.virtual_network.name },
                { name: "State", cell: (row) => stateOf(row) },
                { name: "Rules in", isNumber: true, cell: ({ spec }) => spec.ingress?.length ?? 0 },
                { name: "Rules out", isNumber: true, cell: ({ spec }) => spec.egress?.length ?? 0 },
              ]}
            />
          )}
        </Loaded>
      </Part>
      <Part title="External IPs">
        <Loaded read={addresses} waiting="Reading your external IPs …">
          {({ items }) => (
            <Table
              label="External IPs"
              rows={items}
              idOf={({ id = "" }) => id}
              empty="There are none."
              columns={[
                { name: "Name", cell: ({ metadata }) => metadata.name },
                { name: "Address", cell: ({ status }) => <code>{status.address}</code> },
                { name: "Attached", cell: ({ status }) => (status.attached ? "yes" : "") },
              ]}
            />
          )}
        </Loaded>
      </Part>
    </Page>
  );
}
