import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ask } from "../api/client.ts";
import type { Event } from "../generated/answers.ts";
import { useSignedIn } from "../session/session.ts";
import { watch } from "./watch.ts";

/** Has what is shown read again as soon as it changes. The provider's watch is of one tenant each, so it has none. */
export function Live() {
  const { isStaff, tenant, user } = useSignedIn();
  const queries = useQueryClient();
  useEffect(() => {
    if (isStaff) return;
    const end = new AbortController();
    const changed = (event: Event) => readAgain(queries, event);
    void watch("/api/events/v1/events", { tenant, user }, changed, end.signal);
    return () => end.abort();
  }, [isStaff, tenant, user, queries]);
  // A watch says at once when the API is away; without one it is asked whether it is there.
  useQuery({
    queryKey: [ping],
    queryFn: async ({ signal }) => (await ask(ping, { signal })).status,
    enabled: isStaff,
    refetchInterval: beat,
    retry: false,
  });
  return null;
}

/** What everybody may ask, and what costs nothing to answer. */
const ping = "/api/fulfillment/v1/capabilities";
const beat = 10_000;

/** What an event is of: `slipway.cluster.ready.v1` is of clusters, and of the operation that works on one. */
function readAgain(queries: QueryClient, { type }: Event): void {
  const [, kind = ""] = type.split(".");
  void queries.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      typeof path === "string" && (path.includes(`/${kind}`) || path.includes("/operations/")),
  });
}
