import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ask } from "../api/client.ts";
import type { Event } from "../generated/answers.ts";
import { useSignedIn } from "../session/session.ts";
import { watch } from "./watch.ts";

/** Reads the shown data again when it changes, by events: for tenants of their own objects, for the provider of all. */
export function Live() {
  // One tab follows events for all tabs, and its request waits long; so each tab checks by itself that the API is
  // reachable.
  useQuery({
    queryKey: [ping],
    queryFn: async ({ signal }) => (await ask(ping, { signal })).status,
    refetchInterval: beat,
    retry: false,
  });
  return <Following />;
}

/** A cheap request that everybody may send. */
const ping = "/api/fulfillment/v1/capabilities";
const beat = 10_000;

/** The same for a tenant's objects, when the provider views them. */
export function LiveOf({ tenant }: { tenant: string }) {
  const { isStaff } = useSignedIn();
  return isStaff && tenant !== ofAll ? <Following tenant={tenant} /> : null;
}

/** The tenant of the provider's objects for everybody. Each watch receives their events too. */
const ofAll = "shared";

/** Follows the events of the session's own tenant by default. */
function Following({ tenant }: { tenant?: string }) {
  const { isStaff, tenant: own, user } = useSignedIn();
  const queries = useQueryClient();
  useEffect(() => {
    const end = new AbortController();
    const changed = (event: Event) => readAgain(queries, event);
    const path = isStaff ? "/api/private/v1/events/watch" : "/api/events/v1/events";
    const of = tenant === undefined ? {} : { tenant };
    void watch({ path, query: of, reader: [own, user] }, changed, end.signal);
    return () => end.abort();
  }, [isStaff, own, tenant, user, queries]);
  return null;
}

/**
 * Reads the kind of an event again, and its operations: `slipway.cluster.ready.v1` concerns clusters, and the operation
 * on one.
 */
function readAgain(queries: QueryClient, { type }: Event): void {
  const [, kind = ""] = type.split(".");
  void queries.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      typeof path === "string" && (path.includes(`/${kind}`) || path.includes("/operations/")),
  });
}
