import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useList } from "../api/read.ts";
import type {
  BaremetalInstanceCatalogItem,
  BaremetalInstanceTemplate,
  PrivateSecurityGroup,
  PrivateSubnet,
} from "../generated/answers.ts";
import { Field, Text } from "../ui/field.tsx";
import { Loaded, Page } from "../ui/page.tsx";
import { Ordering } from "./ordering.tsx";
import { Parameters } from "./parameter.tsx";
import { emptyServer, serverCommandOf, serverOf } from "./server-draft.ts";

/** Orders a server from an offer, in a subnet of the tenant. */
export function NewServer() {
  const [search] = useSearchParams();
  const offers = useList<BaremetalInstanceCatalogItem>("baremetal_instance_catalog_items", {
    limit: 200,
  });
  return (
    <Page title="New server">
      <Loaded read={offers} waiting="Reading the offers …">
        {({ items }) => {
          const offer = items.find(({ id }) => id === search.get("catalog_item")) ?? items[0];
          if (!offer) return <p>No server is offered yet.</p>;
          return <Form key={offer.id} offer={offer} choices={items} />;
        }}
      </Loaded>
    </Page>
  );
}

interface FormProps {
  offer: BaremetalInstanceCatalogItem;
  choices: BaremetalInstanceCatalogItem[];
}

function Form({ offer, choices }: FormProps) {
  const [, setSearch] = useSearchParams();
  const [draft, setDraft] = useState(() => emptyServer(offer.id ?? ""));
  const change = (changes: Partial<typeof draft>) =>
    setDraft((before) => ({ ...before, ...changes }));
  const templates = useList<BaremetalInstanceTemplate>("baremetal_instance_templates", {
    limit: 200,
  });
  const template = templates.data?.items.find(({ id }) => id === offer.template.id);
  return (
    <Ordering plural="baremetal_instances" order={serverOf(draft)} command={serverCommandOf(draft)}>
      <Field label="Offer" hint={offer.description ?? template?.description}>
        {(id) => (
          <select
            id={id}
            value={offer.id}
            onChange={({ target }) => setSearch({ catalog_item: target.value })}
          >
            {choices.map((choice) => (
              <option key={choice.id} value={choice.id}>
                {choice.title ?? choice.metadata.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Text isRequired label="Name" value={draft.name} change={(name) => change({ name })} />
      <Where
        subnet={draft.subnet}
        groups={draft.groups}
        change={(subnet, groups) => change({ subnet, groups })}
      />
      <Parameters
        of={template?.parameters ?? []}
        values={draft.parameters}
        change={(parameters) => change({ parameters })}
      />
      <Text
        label="Another image (optional)"
        value={draft.image}
        placeholder={template?.spec_defaults.image?.source_ref}
        change={(image) => change({ image })}
      />
      <Text
        label="SSH public key, to log in"
        lines={2}
        value={draft.sshPublicKey}
        change={(sshPublicKey) => change({ sshPublicKey })}
      />
      <Text
        label="User data, for its first start"
        hint="cloud-init or Ignition; it is kept as a secret."
        lines={3}
        value={draft.userData}
        change={(userData) => change({ userData })}
      />
      <Field label="Leave it off after its creation">
        {(id) => (
          <input
            id={id}
            type="checkbox"
            checked={draft.isOff}
            onChange={({ target }) => change({ isOff: target.checked })}
          />
        )}
      </Field>
    </Ordering>
  );
}

interface WhereProps {
  subnet: string;
  groups: string[];
  change(subnet: string, groups: string[]): void;
}

/** The server's subnet, and the security groups of its network. */
function Where({ subnet, groups, change }: WhereProps) {
  const subnets = useList<PrivateSubnet>("subnets", { limit: 500 });
  const all = useList<PrivateSecurityGroup>("security_groups", { limit: 500 });
  const network = subnets.data?.items.find(({ id }) => id === subnet)?.spec.virtual_network.id;
  const fitting = all.data?.items.filter(({ spec }) => spec.virtual_network.id === network) ?? [];
  const hint =
    subnets.data?.items.length === 0 ? (
      <>
        You have no subnet yet: <Link to="/networks/new-subnet">New subnet</Link>
      </>
    ) : undefined;
  return (
    <>
      <Field label="Subnet" hint={hint}>
        {(id) => (
          <select id={id} value={subnet} onChange={({ target }) => change(target.value, [])}>
            <option value="">none chosen</option>
            {subnets.data?.items.map(({ id: each = "", metadata, spec }) => (
              <option key={each} value={each}>
                {metadata.name}, {spec.virtual_network.name} (
                {[spec.ipv4_cidr, spec.ipv6_cidr].filter(Boolean).join(", ")})
              </option>
            ))}
          </select>
        )}
      </Field>
      {fitting.length > 0 && (
        <Field label="Security groups">
          {(id) => (
            <select
              id={id}
              multiple
              value={groups}
              onChange={({ target }) =>
                change(
                  subnet,
                  [...target.selectedOptions].map(({ value }) => value),
                )
              }
            >
              {fitting.map(({ id: each, metadata }) => (
                <option key={each} value={each}>
                  {metadata.name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </>
  );
}
