import { Link } from "react-router";
import { useList } from "../api/read.ts";
import type { Dpu, Host } from "../generated/answers.ts";
import { Listed } from "../ui/listed.tsx";
import { Facts, Part } from "../ui/page.tsx";
import { inWords, State } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";
import { Ago } from "../ui/time.tsx";
import { named, state, why } from "./columns.tsx";
import { Health } from "./health.tsx";
import { pageOf, soon } from "./kinds.ts";
import { NameOf } from "./names.tsx";

/** A host: its hardware, its owner, its cables, its DPUs and its drives. */
export function OfHost({ host: { id = "", spec, status } }: { host: Host }) {
  const { server, agent, maintenance } = status;
  return (
    <>
      <Part title="What it is">
        <Facts
          facts={{
            "Host type": spec.host_type,
            Hub: <Link to={`/hubs#${spec.hub}`}>{spec.hub}</Link>,
            Controller: spec.bmc.address,
            // The host's record does not follow the power of a server that a tenant has ordered.
            Power: server?.power && status.owner?.kind !== "baremetal_instance" && (
              <>
                {server.power}, as of <Ago time={server.power_time} />
              </>
            ),
            Server: server && inWords(server.condition.replace("SERVER_CONDITION_", "")),
            Agent: agent && `${agent.name}: ${inWords(agent.state)}`,
            Health: status.health && <Health health={status.health} />,
            Held: status.owner && <Holder owner={status.owner} />,
            Maintenance: maintenance && (
              <>
                since <Ago time={maintenance.since} />, by {maintenance.by}
              </>
            ),
            Quarantine: server?.quarantine?.reason,
            Rack: spec.rack ?? status.inventory?.rack,
            "Serial number": spec.serial,
          }}
        />
      </Part>
      {status.firmware && status.firmware.length > 0 && (
        <Part title="Firmware">
          <Table
            label="Firmware"
            rows={status.firmware}
            idOf={({ component }) => component}
            empty=""
            columns={[
              { name: "Of", cell: ({ component }) => component },
              { name: "Version", cell: ({ version }) => version },
              {
                name: "Wanted",
                cell: ({ wanted, stale }) =>
                  wanted && (stale ? <State state={wanted} tone="waiting" /> : wanted),
              },
              { name: "Since", cell: ({ since }) => <Ago time={since} /> },
            ]}
          />
          {status.firmware_update && (
            <p>
              It is to be updated before the next order: asked for by {status.firmware_update.by}{" "}
              <Ago time={status.firmware_update.since} />.
            </p>
          )}
        </Part>
      )}
      {server?.differences && server.differences.length > 0 && (
        <Part title="Unlike its type">
          <Table
            label="Differences"
            rows={server.differences}
            idOf={({ field }) => field}
            empty=""
            columns={[
              { name: "What", cell: ({ field }) => field },
              { name: "Expected", cell: ({ expected }) => expected },
              { name: "Seen", cell: ({ seen }) => seen },
            ]}
          />
        </Part>
      )}
      <Part title="NICs">
        <Table
          label="NICs"
          rows={spec.nics}
          idOf={({ mac }) => mac}
          empty="It has none."
          columns={[
            { name: "NIC", cell: ({ name }) => name },
            { name: "MAC", cell: ({ mac }) => <code>{mac}</code> },
            { name: "Switch", cell: (nic) => nic.switch },
            { name: "Port", cell: ({ port }) => port },
            {
              name: "Behind",
              cell: ({ name }) => {
                const behind = status.dpu_ports?.find(({ nic }) => nic === name);
                return (
                  behind && (
                    <>
                      <NameOf plural="dpus" id={behind.dpu} /> {behind.port}
                    </>
                  )
                );
              },
            },
          ]}
        />
      </Part>
      {(spec.dpus ?? 0) > 0 && <Dpus host={id} />}
      {server?.drives && (
        <Part title="Drives">
          <Table
            label="Drives"
            rows={server.drives}
            idOf={({ name }) => name}
            empty="It has none."
            columns={[
              { name: "Drive", cell: ({ name }) => name },
              { name: "Serial", cell: ({ serial = "" }) => <code>{serial}</code> },
              { name: "Erasure", cell: ({ method }) => method },
              { name: "State", cell: (drive) => drive.state },
              { name: "Says", isLong: true, cell: ({ message }) => message },
            ]}
          />
        </Part>
      )}
    </>
  );
}

/** The owner of a host, as a link. */
export function Holder({ owner }: { owner: NonNullable<Host["status"]["owner"]> }) {
  const page = pageOf(owner);
  const words = `${owner.tenant} / ${owner.name ?? owner.id}`;
  return page ? <Link to={page}>{words}</Link> : words;
}

/** The DPUs of a host. */
function Dpus({ host }: { host: string }) {
  const filter = `this.spec.host == ${JSON.stringify(host)}`;
  const dpus = useList<Dpu>("dpus", { filter, limit: 50 }, soon);
  return (
    <Part title="DPUs">
      <Listed
        label="DPUs"
        read={dpus}
        empty="None of its DPUs is registered yet."
        columns={[
          named("DPU", "dpus"),
          state,
          { name: "Serial", cell: ({ spec }) => <code>{spec.serial}</code> },
          { name: "Configuration", cell: (dpu) => <Version dpu={dpu} /> },
          why,
        ]}
      />
    </Part>
  );
}

/** The desired version, and the applied one. */
function Version({ dpu: { status } }: { dpu: Dpu }) {
  const { wanted_version: wanted, applied_version: applied } = status;
  if (wanted === undefined) return null;
  return wanted === applied ? (
    <State state={`version ${wanted}`} tone="ready" />
  ) : (
    <State state={`version ${applied ?? 0} of ${wanted}`} tone="waiting" />
  );
}

export function OfDpu({ dpu }: { dpu: Dpu }) {
  const { spec, status } = dpu;
  return (
    <>
      <Part title="What it is">
        <Facts
          facts={{
            Host: <NameOf plural="hosts" id={spec.host.id} />,
            Serial: spec.serial,
            Controller: spec.bmc.address,
            Address: status.address,
            Configuration: <Version dpu={dpu} />,
            "AS number": status.leaf?.asn,
            Loopback: status.leaf?.loopback,
            Since: status.since && <Ago time={status.since} />,
          }}
        />
      </Part>
      <Part title="Ports">
        <Table
          label="Ports"
          rows={spec.ports}
          idOf={({ name }) => name}
          empty="It has none."
          columns={[
            { name: "Port", cell: ({ name }) => name },
            { name: "MAC of the host behind it", cell: ({ host_mac }) => <code>{host_mac}</code> },
          ]}
        />
      </Part>
    </>
  );
}
