import { useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "../api/client.ts";
import type { Hub } from "../generated/answers.ts";
import { useSignedIn } from "../session/session.ts";
import { Fault } from "../ui/page.tsx";

/** Cordons a hub (no new orders), or reverses that. */
export function Cordon({ hub: { id = "", spec } }: { hub: Hub }) {
  const { mayChange } = useSignedIn();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (cordoned: boolean) =>
      send<Hub>("PATCH", `/api/private/v1/hubs/${id}`, { spec: { cordoned } }),
    onSuccess: () => queries.invalidateQueries(),
  });
  if (!mayChange) return null;
  return (
    <>
      <button
        type="button"
        disabled={change.isPending}
        onClick={() => change.mutate(!spec.cordoned)}
      >
        {spec.cordoned ? "Uncordon" : "Cordon"}
      </button>
      {change.error && <Fault error={change.error} />}
    </>
  );
}
