import { useState } from "react";
import { useList } from "../api/read.ts";
import type { NetworkClass } from "../generated/answers.ts";
import { Field, Text } from "../ui/field.tsx";
import { Loaded, Page } from "../ui/page.tsx";
import { emptyNetwork, networkCommandOf, networkOf } from "./network-draft.ts";
import { Ordering } from "./ordering.tsx";

/** Creates a tenant's network, which is divided into subnets. */
export function NewNetwork() {
  const classes = useList<NetworkClass>("network_classes", { limit: 200 });
  return (
    <Page title="New network">
      <Loaded read={classes} waiting="Reading the classes of networks …">
        {({ items }) =>
          items.length === 0 ? <p>No network is offered yet.</p> : <Form classes={items} />
        }
      </Loaded>
    </Page>
  );
}

function Form({ classes }: { classes: NetworkClass[] }) {
  const [draft, setDraft] = useState(emptyNetwork);
  const change = (changes: Partial<typeof draft>) =>
    setDraft((before) => ({ ...before, ...changes }));
  const usual = classes.find(({ is_default }) => is_default);
  const chosen = classes.find(({ id }) => id === draft.networkClass) ?? usual;
  return (
    <Ordering plural="virtual_networks" order={networkOf(draft)} command={networkCommandOf(draft)}>
      <Text isRequired label="Name" value={draft.name} change={(name) => change({ name })} />
      <Field label="Class" hint={chosen?.description}>
        {(id) => (
          <select
            id={id}
            value={draft.networkClass}
            onChange={({ target }) => change({ networkClass: target.value })}
          >
            <option value="">
              {usual ? `${titleOf(usual)}, the default` : "the default for its purpose"}
            </option>
            {classes
              .filter((each) => each !== usual)
              .map((each) => (
                <option key={each.id} value={each.id}>
                  {titleOf(each)}
                </option>
              ))}
          </select>
        )}
      </Field>
      <Text
        label="IPv4 prefix"
        placeholder="10.20.0.0/16"
        value={draft.ipv4}
        change={(ipv4) => change({ ipv4 })}
      />
      {chosen?.capabilities?.supports_ipv6 !== false && (
        <Text
          label="IPv6 prefix (optional)"
          placeholder="fd00:20::/48"
          value={draft.ipv6}
          change={(ipv6) => change({ ipv6 })}
        />
      )}
    </Ordering>
  );
}

const titleOf = ({ id = "", title, metadata }: NetworkClass): string =>
  title ?? (metadata.name || id);
