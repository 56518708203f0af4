import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { type Page as ListPage, send } from "../api/client.ts";
import { pace, useList, useRead } from "../api/read.ts";
import type { Delivery, Webhook } from "../generated/answers.ts";
import { Delete } from "../orders/delete.tsx";
import { Do } from "../orders/do.tsx";
import { Empty } from "../ui/empty.tsx";
import { isSome } from "../ui/listed.tsx";
import { Notice } from "../ui/notice.tsx";
import { Fault, Loaded, Page, Part } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";
import { Ago } from "../ui/time.tsx";
import { saveSecret } from "./webhook-secret.ts";
import styles from "./webhooks.module.css";

/** Webhooks, their deliveries, and the replay. */
export function Webhooks() {
  const read = useList<Webhook>("webhooks", { limit: 20 });
  return (
    <Page title="Webhooks" beside={isSome(read) && newWebhook}>
      <Loaded read={read} waiting="Reading your webhooks …">
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              action={newWebhook}
              command="slipway webhook create NAME --set spec.url=https://…"
            >
              You have no webhook yet.
            </Empty>
          ) : (
            items.map((hook) => <One key={hook.id} hook={hook} />)
          )
        }
      </Loaded>
    </Page>
  );
}

const newWebhook = (
  <Link className="button primary" to="/webhooks/new">
    New webhook
  </Link>
);

function One({ hook }: { hook: Webhook }) {
  const { id = "", metadata, spec, status } = hook;
  const path = `/api/fulfillment/v1/webhooks/${id}`;
  const { mutate, isPending, error } = useSending<unknown>(path);
  const read = useRead<ListPage<Delivery>>(`${path}/deliveries`, {
    again: () => pace.list,
  });
  return (
    <Part title={metadata.name || id}>
      <div className={`card ${styles.hook}`}>
        <p className="row">
          <State state={status.state} /> <code>{spec.url}</code>
          <span className="quiet">{spec.event_types.join(", ") || "all events"}</span>
        </p>
        <Changes hook={hook} path={path} />
      </div>
      {error && <Fault error={error} />}
      <Loaded read={read} waiting="Reading what was delivered …">
        {({ items }) => (
          <Table
            label={`Deliveries of ${metadata.name || id}`}
            rows={items}
            idOf={({ number }) => String(number)}
            empty="Nothing was delivered yet."
            columns={[
              { name: "Event", cell: ({ event_type }) => event_type },
              {
                name: "State",
                isState: true,
                cell: ({ state }) => (
                  <State
                    state={state}
                    tone={
                      state.endsWith("DELIVERED")
                        ? "ready"
                        : state.endsWith("FAILED")
                          ? "failed"
                          : "waiting"
                    }
                  />
                ),
              },
              { name: "Tries", isNumber: true, cell: ({ tries }) => tries },
              { name: "Last", cell: ({ last_time }) => <Ago time={last_time} /> },
              {
                name: "Answer",
                isLong: true,
                cell: ({ http_status, message }) => message ?? http_status,
              },
              {
                name: "Replay",
                cell: ({ position }) =>
                  position !== undefined && (
                    <button
                      type="button"
                      disabled={isPending}
                      onClick={() => mutate({ method: "POST", to: "/replay", body: { position } })}
                    >
                      Again from here
                    </button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Part>
  );
}

/** The owner's actions on a webhook. */
function Changes({ hook: { id = "", metadata, spec }, path }: { hook: Webhook; path: string }) {
  const name = metadata.name || id;
  const test = useSending<Delivery>(path);
  const change = useSending<Webhook>(path);
  const rotation = useSending<Webhook>(path, saveSecret);
  const error = test.error ?? change.error ?? rotation.error;
  return (
    <div className="stack">
      <div className="row">
        <Do
          name="Send a test"
          isPending={test.isPending}
          act={() => test.mutate({ method: "POST", to: "/test" })}
        />
        <Do
          name={spec.enabled ? "Disable" : "Enable"}
          isPending={change.isPending}
          act={() => change.mutate({ method: "PATCH", body: { spec: { enabled: !spec.enabled } } })}
        />
        <Do
          name="New secret"
          question={`Make a new secret for ${name}? It will be downloaded; the one before signs as well for another day.`}
          isPending={rotation.isPending}
          act={() => rotation.mutate({ method: "POST", to: "/rotate_secret" })}
        />
        <Delete
          one="webhook"
          name={name}
          path={path}
          goes="No event is sent there any more, and what was delivered is forgotten."
          back="/webhooks"
        />
      </div>
      {test.data && <OfTest delivery={test.data} />}
      {error && <Fault error={error} />}
    </div>
  );
}

function OfTest({ delivery: { state, message, http_status } }: { delivery: Delivery }) {
  const isDelivered = state === "DELIVERY_STATE_DELIVERED";
  return (
    <Notice state={isDelivered ? "ready" : "failed"}>
      {isDelivered ? "The test was delivered" : "The test was not delivered"}:{" "}
      {message ?? `it answered ${http_status}`}
    </Notice>
  );
}

interface Sent {
  method: "PATCH" | "POST";
  /** The path below the webhook's. */
  to?: string;
  body?: object;
}

/** Sends a request to a webhook, passes on the answer, and reads the shown data again. */
function useSending<Answer>(path: string, answered?: (answer: Answer) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ method, to = "", body = {} }: Sent) =>
      send<Answer>(method, `${path}${to}`, body),
    onSuccess(answer) {
      answered?.(answer);
      return queries.invalidateQueries();
    },
  });
}
