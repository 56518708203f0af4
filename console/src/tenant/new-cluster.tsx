import { useState } from "react";
import { useSearchParams } from "react-router";
import { useList } from "../api/read.ts";
import type { ClusterCatalogItem, ClusterTemplate, PrivateCluster } from "../generated/answers.ts";
import { Field, Text } from "../ui/field.tsx";
import { Loaded, Page } from "../ui/page.tsx";
import { commandOf, type Draft, emptyDraft, orderOf } from "./draft.ts";
import { Ordering } from "./ordering.tsx";
import { Parameters } from "./parameter.tsx";

/**
 * Orders a cluster: a form of the template's parameters, validated by the API during typing, with the equivalent
 * command.
 */
export function NewCluster() {
  const [search] = useSearchParams();
  const templates = useList<ClusterTemplate>("cluster_templates", { limit: 200 });
  const offers = useList<ClusterCatalogItem>("cluster_catalog_items", { limit: 200 });
  return (
    <Page title="New cluster">
      <Loaded read={templates} waiting="Reading the templates …">
        {(all) => {
          const offer = offers.data?.items.find(({ id }) => id === search.get("catalog_item"));
          const wanted = offer?.template.id ?? search.get("template");
          const template = all.items.find(({ id }) => id === wanted) ?? all.items[0];
          if (!template) return <p>There is no template to order from yet.</p>;
          return (
            <Form
              key={`${offer?.id} ${template.id}`}
              {...{ template, offer }}
              choices={all.items}
            />
          );
        }}
      </Loaded>
    </Page>
  );
}

interface FormProps {
  template: ClusterTemplate;
  offer: ClusterCatalogItem | undefined;
  choices: ClusterTemplate[];
}

function Form({ template, offer, choices }: FormProps) {
  const [, setSearch] = useSearchParams();
  const [draft, setDraft] = useState<Draft>(() => emptyDraft(template, offer));
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  return (
    <Ordering
      plural="clusters"
      order={orderOf(draft)}
      command={commandOf(draft)}
      verdictOf={(judged) => (judged as PrivateCluster).status.placement?.reason}
    >
      <Field label={offer ? "Offer" : "Template"} hint={template.description}>
        {(id) =>
          offer ? (
            <input id={id} value={offer.title ?? offer.metadata.name} disabled />
          ) : (
            <select
              id={id}
              value={template.id}
              onChange={({ target }) => setSearch({ template: target.value })}
            >
              {choices.map((choice) => (
                <option key={choice.id} value={choice.id}>
                  {choice.title ?? choice.id}
                </option>
              ))}
            </select>
          )
        }
      </Field>
      <Text isRequired label="Name" value={draft.name} change={(name) => change({ name })} />
      {Object.entries(template.node_sets).map(([name, { host_type, size }]) => (
        <Field key={name} label={`Nodes in ${name} (${host_type.name})`}>
          {(id) => (
            <input
              id={id}
              type="number"
              min={0}
              value={draft.sizes[name] ?? size}
              onChange={({ target }) =>
                change({ sizes: { ...draft.sizes, [name]: Number(target.value) } })
              }
            />
          )}
        </Field>
      ))}
      <Parameters
        of={template.parameters}
        values={draft.parameters}
        change={(parameters) => change({ parameters })}
      />
      <Text
        label="SSH public key, to log in to the nodes"
        lines={2}
        value={draft.sshPublicKey}
        change={(sshPublicKey) => change({ sshPublicKey })}
      />
    </Ordering>
  );
}
