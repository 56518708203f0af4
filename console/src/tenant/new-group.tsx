import { useState } from "react";
import { useSearchParams } from "react-router";
import type { PrivateVirtualNetwork } from "../generated/answers.ts";
import { Field, Text } from "../ui/field.tsx";
import {
  firstRule,
  type GroupDraft,
  groupCommandOf,
  groupOf,
  type RuleDraft,
} from "./group-draft.ts";
import { InNetwork, NetworkChoice } from "./in-network.tsx";
import { Ordering } from "./ordering.tsx";

/** Creates a security group: the rules of what may reach its members, and what they may reach. */
export const NewGroup = () => (
  <InNetwork title="New security group">{(networks) => <Form networks={networks} />}</InNetwork>
);

function Form({ networks }: { networks: PrivateVirtualNetwork[] }) {
  const [search] = useSearchParams();
  const [draft, setDraft] = useState<GroupDraft>(() => ({
    name: "",
    network: search.get("network") ?? networks[0]?.id ?? "",
    rules: [{ ...firstRule, number: 1 }],
  }));
  const change = (changes: Partial<GroupDraft>) =>
    setDraft((before) => ({ ...before, ...changes }));
  const { rules } = draft;
  const next = Math.max(0, ...rules.map(({ number }) => number)) + 1;
  return (
    <Ordering plural="security_groups" order={groupOf(draft)} command={groupCommandOf(draft)}>
      <NetworkChoice
        networks={networks}
        value={draft.network}
        change={(network) => change({ network })}
      />
      <Text isRequired label="Name" value={draft.name} change={(name) => change({ name })} />
      {rules.length === 0 && <p className="quiet">Without a rule no traffic passes.</p>}
      {rules.map((rule, n) => (
        <Rule
          key={rule.number}
          title={`Rule ${n + 1}`}
          rule={rule}
          change={(changes) =>
            change({ rules: rules.map((each) => (each === rule ? { ...each, ...changes } : each)) })
          }
          remove={() => change({ rules: rules.filter((each) => each !== rule) })}
        />
      ))}
      <div className="row">
        <button
          type="button"
          onClick={() => change({ rules: [...rules, { ...firstRule, number: next }] })}
        >
          Add a rule
        </button>
      </div>
    </Ordering>
  );
}

const ways = { ingress: "in, to its members", egress: "out, from its members" } as const;

const protocols = {
  PROTOCOL_TCP: "TCP",
  PROTOCOL_UDP: "UDP",
  PROTOCOL_ICMP: "ICMP",
  PROTOCOL_ALL: "all",
} as const satisfies Record<RuleDraft["protocol"], string>;

interface RuleProps {
  title: string;
  rule: RuleDraft;
  change(changes: Partial<RuleDraft>): void;
  remove(): void;
}

function Rule({ title, rule: { way, protocol, ports, prefix }, change, remove }: RuleProps) {
  const hasPorts = protocol === "PROTOCOL_TCP" || protocol === "PROTOCOL_UDP";
  return (
    <fieldset className="stack">
      <legend>{title}</legend>
      <Choice label="Way" of={ways} value={way} change={(next) => change({ way: next })} />
      <Choice
        label="Protocol"
        of={protocols}
        value={protocol}
        change={(next) => change({ protocol: next, ports: "" })}
      />
      {hasPorts && (
        <Text
          label="Ports"
          hint="443, or 8000-8010; all by default."
          value={ports}
          change={(next) => change({ ports: next })}
        />
      )}
      <Text
        label="Other end"
        hint="A prefix, such as 0.0.0.0/0 for any IPv4 address or ::/0 for any IPv6 address."
        value={prefix}
        change={(next) => change({ prefix: next })}
      />
      <div className="row">
        <button type="button" onClick={remove}>
          Remove {title.toLowerCase()}
        </button>
      </div>
    </fieldset>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  /** The label of each value. */
  of: Record<Value, string>;
  value: Value;
  change(value: Value): void;
}

function Choice<Value extends string>({ label, of, value, change }: ChoiceProps<Value>) {
  return (
    <Field label={label}>
      {(id) => (
        // The options are exactly the values.
        <select id={id} value={value} onChange={({ target }) => change(target.value as Value)}>
          {Object.entries<string>(of).map(([each, words]) => (
            <option key={each} value={each}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
