import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { send } from "../api/client.ts";
import { useList } from "../api/read.ts";
import type { ClusterCatalogItem, ClusterTemplate, PrivateCluster } from "../generated/answers.ts";
import { Field } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { Fault, Loaded, Page } from "../ui/page.tsx";
import { commandOf, type Draft, emptyDraft, orderOf } from "./draft.ts";
import styles from "./new-cluster.module.css";
import { Parameter } from "./parameter.tsx";

/** A form from the template's own parameters, judged by the API as one types, with the command that does the same. */
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

const path = "/api/fulfillment/v1/clusters";

function Form({ template, offer, choices }: FormProps) {
  const [, setSearch] = useSearchParams();
  const [draft, setDraft] = useState<Draft>(() => emptyDraft(template, offer));
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const navigate = useNavigate();
  const queries = useQueryClient();
  const order = orderOf(draft);
  const judged = useDeferredValue(JSON.stringify(order));
  const ordering = useMutation({
    mutationFn: () => send<PrivateCluster>("POST", path, order),
    async onSuccess({ id }) {
      await queries.invalidateQueries();
      await navigate(`/orders/clusters/${id}`);
    },
  });
  const verdict = useQuery({
    queryKey: ["dry run", judged],
    queryFn: () =>
      send<PrivateCluster>("POST", path, JSON.parse(judged), { dry_run: true }).then(
        ({ status }) => status.placement?.reason ?? "It can be ordered.",
      ),
    enabled: draft.name !== "" && ordering.isIdle,
    retry: false,
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        ordering.mutate();
      }}
    >
      <div className={styles.fields}>
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
        <Field label="Name">
          {(id) => (
            <input
              id={id}
              required
              value={draft.name}
              onChange={({ target }) => change({ name: target.value })}
              autoComplete="off"
            />
          )}
        </Field>
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
        {template.parameters.map((parameter) => (
          <Parameter
            key={parameter.name}
            parameter={parameter}
            value={draft.parameters[parameter.name]}
            change={(value) =>
              change({ parameters: { ...draft.parameters, [parameter.name]: value } })
            }
          />
        ))}
        <Field label="SSH public key, to log in to the nodes">
          {(id) => (
            <textarea
              id={id}
              rows={2}
              value={draft.sshPublicKey}
              onChange={({ target }) => change({ sshPublicKey: target.value })}
            />
          )}
        </Field>
      </div>
      <aside className={styles.verdict} aria-live="polite">
        {verdict.data !== undefined && <Notice state="ready">{verdict.data}</Notice>}
        {verdict.error && <Fault error={verdict.error} />}
        {draft.name === "" && <p className="quiet">Name it, to learn where it would go.</p>}
        <h2>The same from a terminal</h2>
        <pre className={styles.command}>{commandOf(draft)}</pre>
        {ordering.error && <Fault error={ordering.error} />}
        <button
          type="submit"
          className="primary"
          disabled={draft.name === "" || verdict.isError || ordering.isPending}
        >
          Order
        </button>
      </aside>
    </form>
  );
}
