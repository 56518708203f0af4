import { useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "../api/client.ts";
import { useObject } from "../api/read.ts";
import type { Operation } from "../saga/shape.ts";
import { areaOf, useSignedIn } from "../session/session.ts";
import { Fault } from "../ui/page.tsx";
import { Delete } from "./delete.tsx";
import { Do } from "./do.tsx";
import type { Ordered, OrderedKind } from "./ordered.ts";
import { waysOf } from "./ways.ts";

/** The actions on an order. None is shown as done before the API confirms it. */
export function Actions({ kind, object }: { kind: OrderedKind; object: Ordered }) {
  const session = useSignedIn();
  const area = areaOf(session);
  const { id = "", status } = object;
  const path = `${area}/${kind.plural}/${id}`;
  const { doing, error } = useDoing();
  if (!session.mayChange) return null;
  const { operation, failure } = status;
  return (
    <>
      {operation === undefined && failure && <Do name="Try again" {...doing(`${path}/retry`)} />}
      {operation !== undefined && <OfOperation id={operation} doing={doing} />}
      {waysOf(kind, object).map(({ name, question, ...way }) => (
        <Do key={name} {...{ name, question }} {...doing(`${path}${way.path ?? ""}`, way.body)} />
      ))}
      {!kind.isOfStaff && object.metadata.deletion_timestamp === undefined && (
        <Delete
          one={kind.one}
          name={object.metadata.name || id}
          path={path}
          goes={goes[kind.kind] ?? "It is deleted, and everything that it holds is released."}
          back={`/orders?kind=${kind.plural}`}
        />
      )}
      {error && <Fault error={error} />}
    </>
  );
}

/** What a button sends: a change of the object at a path, or an action there. */
type Doing = (path: string, body?: object) => { isPending: boolean; act(): void };

function useDoing(): { doing: Doing; error: Error | null } {
  const queries = useQueryClient();
  const { isPending, mutate, error } = useMutation({
    mutationFn: ({ path, body }: { path: string; body: object | undefined }) =>
      body ? send<unknown>("PATCH", path, body) : send<unknown>("POST", path, {}),
    onSuccess: () => queries.invalidateQueries(),
  });
  return { doing: (path, body) => ({ isPending, act: () => mutate({ path, body }) }), error };
}

function OfOperation({ id, doing }: { id: string; doing: Doing }) {
  const area = areaOf(useSignedIn());
  const { data } = useObject<Operation>("operations", id);
  const path = `${area}/operations/${id}`;
  if (data?.status.state === "OPERATION_STATE_STUCK")
    return <Do name="Resume" {...doing(`${path}/resume`)} />;
  const mayCancel = data && data.spec.change !== "DELETE" && !data.status.cancel_requested;
  return mayCancel ? <Do name="Cancel" {...doing(`${path}/cancel`)} /> : null;
}

/** What is lost when an object is deleted. */
const goes: Record<string, string> = {
  cluster:
    "Its control plane, its nodes with all that is on their disks, its volumes, its addresses and its names go. It cannot be restored.",
  baremetal_instance:
    "Its power is cut, and all that is on its disks is erased. It cannot be restored.",
  virtual_network: "It goes with its number; it has to be empty first.",
  subnet: "It is deleted with its addresses; it must be empty.",
};
