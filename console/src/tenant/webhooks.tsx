import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Page as ListPage, send } from "../api/client.ts";
import { pace, useList, useRead } from "../api/read.ts";
import type { Delivery, Webhook } from "../generated/answers.ts";
import { Fault, Loaded, Page, Part } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";
import { Ago } from "../ui/time.tsx";

/** Webhooks, with what was delivered, and its replay. */
export function Webhooks() {
  const read = useList<Webhook>("webhooks", { limit: 20 });
  return (
    <Page title="Webhooks">
      <Loaded read={read} waiting="Reading your webhooks …">
        {({ items }) =>
          items.length === 0 ? (
            <p>
              You have none: <code>slipway webhook create NAME --set spec.url=https://…</code>
            </p>
          ) : (
            items.map((hook) => <One key={hook.id} hook={hook} />)
          )
        }
      </Loaded>
    </Page>
  );
}

function One({ hook: { id = "", metadata, spec, status } }: { hook: Webhook }) {
  const path = `/api/fulfillment/v1/webhooks/${id}`;
  const read = useRead<ListPage<Delivery>>(`${path}/deliveries`, {
    again: () => pace.list,
  });
  const queries = useQueryClient();
  const replay = useMutation({
    mutationFn: (position: string) => send<unknown>("POST", `${path}/replay`, { position }),
    onSuccess: () => queries.invalidateQueries(),
  });
  return (
    <Part title={metadata.name || id}>
      <p className="row">
        <State state={status.state} /> <code>{spec.url}</code>
        <span className="quiet">{spec.event_types.join(", ") || "all events"}</span>
      </p>
      {replay.error && <Fault error={replay.error} />}
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
                cell: ({ state }) => (
                  <State
                    state={state.replace("DELIVERY_STATE_", "")}
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
                      disabled={replay.isPending}
                      onClick={() => replay.mutate(position)}
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
