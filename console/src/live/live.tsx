import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ask } from "../api/client.ts";
import type { Event } from "../generated/answers.ts";
import { useSignedIn } from "../session/session.ts";
import { watch } from "./watch.ts";

/** Has what is shown read again as soon as it changes: for tenants what is theirs, for the provider what is of all. */
export function Live() {
  // One tab of all follows, and its request may wait for long: each asks whether the API is there.
  useQuery({
    queryKey: [ping],
    queryFn: async ({ signal }) => (await ask(ping, { signal })).status,
    refetchInterval: beat,
    retry: false,
  });
  return <Following />;
}

/** What everybody may ask, and what costs nothing to answer. */
const ping = "/api/fulfillment/v1/capabilities";
const beat = 10_000;

/** The same for what is a tenant's, where the provider looks at it. */
export function LiveOf({ tenant }: { tenant: string }) {
  const { isStaff } = useSignedIn();
  return isStaff && tenant !== ofAll ? <Following tenant={tenant} /> : null;
}

/** The tenant of what the provider has for all of them. Each watch tells of that too. */
const ofAll = "shared";

/** Follows the events of the session's own tenant, unless it is told another. */
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

/** What an event is of: `slipway.cluster.ready.v1` is of clusters, and of the operation that works on one. */
function readAgain(queries: QueryClient, { type }: Event): void {
  const [, kind = ""] = type.split(".");
  void queries.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      typeof path === "string" && (path.includes(`/${kind}`) || path.includes("/operations/")),
  });
}
