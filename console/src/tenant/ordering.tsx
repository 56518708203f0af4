import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue } from "react";
import { useNavigate } from "react-router";
import { send } from "../api/client.ts";
import type { Ordered } from "../orders/ordered.ts";
import { CommandBlock } from "../ui/copy.tsx";
import { Notice } from "../ui/notice.tsx";
import { Fault } from "../ui/page.tsx";
import styles from "./ordering.module.css";

interface OrderingProps<Made> {
  /** The name of the kind in paths. */
  plural: string;
  order: { metadata: { name: string } };
  /** The equivalent command. */
  command: string;
  /** The API's result for a valid order, in words. */
  verdictOf?(judged: Made): string | undefined;
  /** The label of the button. */
  does?: string;
  /** Called with the created object before its page opens. */
  made?(object: Made): void;
  /** The page to open after the creation; by default the object's own. */
  pageOf?(made: Made): string;
  /** The fields of the order. */
  children: ReactNode;
}

/** An order form: validated by the API during typing, with the equivalent command. */
export function Ordering<Made extends { id?: string } = Ordered>({
  plural,
  order,
  command,
  verdictOf,
  does = "Order",
  made,
  pageOf = ({ id }) => `/orders/${plural}/${id}`,
  children,
}: OrderingProps<Made>) {
  const path = `/api/fulfillment/v1/${plural}`;
  const isNamed = order.metadata.name !== "";
  const navigate = useNavigate();
  const queries = useQueryClient();
  const judged = useDeferredValue(JSON.stringify(order));
  const ordering = useMutation({
    mutationFn: () => send<Made>("POST", path, order),
    async onSuccess(object) {
      made?.(object);
      await queries.invalidateQueries();
      await navigate(pageOf(object));
    },
  });
  const verdict = useQuery({
    queryKey: ["dry run", plural, judged],
    queryFn: () =>
      send<Made>("POST", path, JSON.parse(judged), { dry_run: true }).then(
        (found) => verdictOf?.(found) ?? "It can be ordered.",
      ),
    enabled: isNamed && ordering.isIdle,
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
      <div className={`card ${styles.fields}`}>
        {children}
        {ordering.error && <Fault error={ordering.error} />}
        <div className="row">
          <button
            type="submit"
            className="primary"
            disabled={!isNamed || verdict.isError || ordering.isPending}
          >
            {does}
          </button>
        </div>
      </div>
      <aside className={styles.verdict}>
        <div aria-live="polite">
          {verdict.data !== undefined && <Notice state="ready">{verdict.data}</Notice>}
          {verdict.error && <Fault error={verdict.error} />}
          {!isNamed && <p className="quiet">Enter a name to check this order.</p>}
        </div>
        <section className={`card ${styles.terminal}`}>
          <h2>The same from a terminal</h2>
          <CommandBlock text={command} />
        </section>
      </aside>
    </form>
  );
}
