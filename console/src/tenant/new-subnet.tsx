import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useList } from "../api/read.ts";
import type { PrivateSubnet, PrivateVirtualNetwork } from "../generated/answers.ts";
import { Field, Text } from "../ui/field.tsx";
import { Loaded, Page } from "../ui/page.tsx";
import { type SubnetDraft, subnetCommandOf, subnetOf } from "./network-draft.ts";
import { Ordering } from "./ordering.tsx";

/** A part of a network, which servers and clusters stand in. */
export function NewSubnet() {
  const networks = useList<PrivateVirtualNetwork>("virtual_networks", { limit: 200 });
  return (
    <Page title="New subnet">
      <Loaded read={networks} waiting="Reading your networks …">
        {({ items }) =>
          items.length === 0 ? (
            <p>
              You have no network yet: <Link to="/networks/new">New network</Link>
            </p>
          ) : (
            <Form networks={items} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Form({ networks }: { networks: PrivateVirtualNetwork[] }) {
  const [search] = useSearchParams();
  const [draft, setDraft] = useState<SubnetDraft>(() => ({
    ...{ name: "", ipv4: "", ipv6: "" },
    network: search.get("network") ?? networks[0]?.id ?? "",
  }));
  const change = (changes: Partial<SubnetDraft>) =>
    setDraft((before) => ({ ...before, ...changes }));
  const { ipv4_cidr: ipv4, ipv6_cidr: ipv6 } =
    networks.find(({ id }) => id === draft.network)?.spec ?? {};
  return (
    <Ordering<PrivateSubnet>
      plural="subnets"
      order={subnetOf(draft)}
      command={subnetCommandOf(draft)}
      verdictOf={({ spec }) =>
        `It can be ordered, with ${[spec.ipv4_cidr, spec.ipv6_cidr].filter(Boolean).join(" and ")}.`
      }
    >
      <Field label="Network">
        {(id) => (
          <select
            id={id}
            value={draft.network}
            onChange={({ target }) => change({ network: target.value, ipv4: "", ipv6: "" })}
          >
            {networks.map(({ id: each = "", metadata }) => (
              <option key={each} value={each}>
                {metadata.name || each}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Text isRequired label="Name" value={draft.name} change={(name) => change({ name })} />
      {ipv4 !== undefined && (
        <Text
          label="IPv4 prefix, if a certain one"
          hint={`A part of ${ipv4}.`}
          value={draft.ipv4}
          change={(next) => change({ ipv4: next })}
        />
      )}
      {ipv6 !== undefined && (
        <Text
          label="IPv6 prefix, if a certain one"
          hint={`A part of ${ipv6}.`}
          value={draft.ipv6}
          change={(next) => change({ ipv6: next })}
        />
      )}
    </Ordering>
  );
}
