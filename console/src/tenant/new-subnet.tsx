import { useState } from "react";
import { useSearchParams } from "react-router";
import type { PrivateSubnet, PrivateVirtualNetwork } from "../generated/answers.ts";
import { Text } from "../ui/field.tsx";
import { InNetwork, NetworkChoice } from "./in-network.tsx";
import { type SubnetDraft, subnetCommandOf, subnetOf } from "./network-draft.ts";
import { Ordering } from "./ordering.tsx";

/** Creates a subnet, for servers and clusters. */
export const NewSubnet = () => (
  <InNetwork title="New subnet">{(networks) => <Form networks={networks} />}</InNetwork>
);

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
      <NetworkChoice
        networks={networks}
        value={draft.network}
        change={(network) => change({ network, ipv4: "", ipv6: "" })}
      />
      <Text isRequired label="Name" value={draft.name} change={(name) => change({ name })} />
      {ipv4 !== undefined && (
        <Text
          label="IPv4 prefix (optional)"
          hint={`A part of ${ipv4}.`}
          value={draft.ipv4}
          change={(next) => change({ ipv4: next })}
        />
      )}
      {ipv6 !== undefined && (
        <Text
          label="IPv6 prefix (optional)"
          hint={`A part of ${ipv6}.`}
          value={draft.ipv6}
          change={(next) => change({ ipv6: next })}
        />
      )}
    </Ordering>
  );
}
