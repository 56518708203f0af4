import { Link } from "react-router";
import type { PrivateBaremetalInstance } from "../generated/answers.ts";
import { CommandLine, Copied } from "../ui/copy.tsx";
import { Facts, Part } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";
import { Ago } from "../ui/time.tsx";
import { NameOf } from "./names.tsx";

/** A server: its hardware, its place in the tenant's networks, and its own reports. */
export function OfServer({
  server: { id = "", spec, status },
}: {
  server: PrivateBaremetalInstance;
}) {
  const wrong = status.conditions.filter(({ message }) => message && message !== status.message);
  return (
    <>
      <Part title="Details">
        <Facts
          facts={{
            Offer: spec.catalog_item.name,
            Type: status.instance_type,
            Image: spec.image.source_ref,
            Runs: spec.run_strategy.endsWith("ALWAYS") ? "always" : "not running: it should be off",
            Power: status.power && (
              <>
                {status.power}, as of <Ago time={status.power_time} />
              </>
            ),
            "External IP": status.external_ip_address && (
              <Copied text={status.external_ip_address} />
            ),
            "Log in": logIn(status),
            Region: spec.placement?.region,
            "Host type": status.host_type,
            Host: status.host && <NameOf plural="hosts" id={status.host} />,
            Hub: status.hub && <Link to={`/hubs#${status.hub}`}>{status.hub}</Link>,
            "MAC addresses": status.hardware?.nics.map(({ mac }) => mac).join(", "),
          }}
        />
      </Part>
      <Part title="Networks">
        <Attachments spec={spec} status={status} />
      </Part>
      {wrong.length > 0 && (
        <Part title="Its own reports">
          <Table
            label={`Conditions of ${id}`}
            rows={wrong}
            idOf={({ type }) => type}
            empty=""
            columns={[
              {
                name: "What",
                cell: ({ type }) =>
                  type
                    .replace("BARE_METAL_INSTANCE_CONDITION_TYPE_", "")
                    .toLowerCase()
                    .replaceAll("_", " "),
              },
              {
                name: "So",
                cell: ({ status: is }) => (is === "CONDITION_STATUS_TRUE" ? "yes" : "no"),
              },
              { name: "Why", isLong: true, cell: ({ message }) => message },
            ]}
          />
        </Part>
      )}
    </>
  );
}

/** The command that logs in, and from where it works. */
function logIn(status: PrivateBaremetalInstance["status"]) {
  const outside = status.external_ip_address;
  const inside = status.network_attachment_statuses.find(({ ip_address }) => ip_address);
  const address = outside ?? inside?.ip_address;
  if (!address || !status.state.endsWith("_RUNNING")) return undefined;
  return (
    <>
      <CommandLine line={`ssh USER@${address}`} />
      <div className="quiet">
        USER is the user of the image, such as core or ubuntu.
        {outside === undefined && " Reachable from its networks only: it has no external IP."}
      </div>
    </>
  );
}

function Attachments({ spec, status }: Pick<PrivateBaremetalInstance, "spec" | "status">) {
  const addressIn = (subnet: string, name: string | undefined) =>
    status.network_attachment_statuses.find(
      ({ subnet_ref, interface: port }) =>
        subnet_ref === subnet && (name === undefined || port === name),
    );
  return (
    <Table
      label="Networks of the server"
      rows={spec.network_attachments}
      idOf={({ subnet, interface: name = "" }) => `${subnet.id} ${name}`}
      empty="It is in none of your networks."
      columns={[
        {
          name: "Subnet",
          cell: ({ subnet }) => <Link to={`/orders/subnets/${subnet.id}`}>{subnet.name}</Link>,
        },
        {
          name: "Address",
          cell: ({ subnet, interface: name }) => (
            <code>{addressIn(subnet.id, name)?.ip_address}</code>
          ),
        },
        {
          name: "Port",
          cell: ({ subnet, interface: name }) => addressIn(subnet.id, name)?.interface ?? name,
        },
        {
          name: "Security groups",
          cell: ({ security_groups }) =>
            security_groups.map(({ id, name }) => (
              <span key={id}>
                <Link to={`/orders/security_groups/${id}`}>{name}</Link>{" "}
              </span>
            )),
        },
        {
          name: "Default route",
          cell: ({ primary }) => primary && <State state="here" tone="ready" />,
        },
      ]}
    />
  );
}
