import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { send } from "../api/client.ts";
import { useObject } from "../api/read.ts";
import type { Operation } from "../saga/shape.ts";
import { areaOf, useSignedIn } from "../session/session.ts";
import { Fault } from "../ui/page.tsx";
import styles from "./actions.module.css";
import { Do } from "./do.tsx";
import type { Ordered, OrderedKind } from "./ordered.ts";
import { waysOf } from "./ways.ts";

/** What a person can do with an order now. Nothing is shown as done before the API says so. */
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
      {!kind.isOfStaff && <Delete kind={kind} object={object} path={path} />}
      {error && <Fault error={error} />}
    </>
  );
}

/** What a button does: a change of what is at a path, or something to do there. */
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

/** Asks for the name, after saying what goes. */
function Delete({ kind, object, path }: { kind: OrderedKind; object: Ordered; path: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const title = useId();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const name = object.metadata.name || object.id || "";
  const removal = useMutation({
    mutationFn: () => send<unknown>("DELETE", path),
    async onSuccess() {
      dialog.current?.close();
      await queries.invalidateQueries();
      await navigate(`/orders?kind=${kind.plural}`);
    },
  });
  if (object.metadata.deletion_timestamp !== undefined) return null;
  return (
    <>
      <button type="button" className="danger" onClick={() => dialog.current?.showModal()}>
        Delete …
      </button>
      <dialog ref={dialog} aria-labelledby={title} onClose={() => setTyped("")}>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (typed === name) removal.mutate();
          }}
        >
          <h2 id={title}>
            Delete the {kind.one} {name}?
          </h2>
          <p>{goes[kind.kind] ?? "It is taken away, and what it holds is given back."}</p>
          <label className={styles.field}>
            Its name, to be sure
            <input
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              autoComplete="off"
            />
          </label>
          {removal.error && <Fault error={removal.error} />}
          <div className="row">
            <button type="submit" className="danger" disabled={typed !== name || removal.isPending}>
              Delete
            </button>
            <button type="button" onClick={() => dialog.current?.close()}>
              Keep it
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}

/** What is lost with an object. */
const goes: Record<string, string> = {
  cluster:
    "Its control plane, its nodes with all that is on their disks, its volumes, its addresses and its names go. Nothing of it can be had back.",
  baremetal_instance:
    "Its power is cut, and all that is on its disks is erased. Nothing of it can be had back.",
  virtual_network: "It goes with its number; it has to be empty first.",
  subnet: "It goes with its addresses; nothing may stand in it.",
};
