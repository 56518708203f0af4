import type { ReactNode } from "react";
import { useEffect } from "react";
import { Refusal } from "../api/client.ts";
import { Notice } from "./notice.tsx";
import styles from "./page.module.css";

/** A page: its title, what one can do there, and what it shows. */
export function Page({
  title,
  beside,
  children,
}: {
  title: string;
  beside?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Slipway`;
  }, [title]);
  return (
    <>
      <header className={styles.head}>
        <h1>{title}</h1>
        {beside !== undefined && <div className={styles.beside}>{beside}</div>}
      </header>
      {children}
    </>
  );
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Names with their values; nothing of those that have none. */
export function Facts({ facts }: { facts: Record<string, ReactNode> }) {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined && value !== "");
  return (
    <dl className={styles.facts}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Read<T> {
  data: T | undefined;
  error: Error | null;
}

/** What was read, or why it was not. While nothing was read yet, `waiting` says what is awaited. */
export function Loaded<T>({
  read,
  waiting,
  children,
}: {
  read: Read<T>;
  waiting: string;
  children(data: T): ReactNode;
}) {
  const { data, error } = read;
  return (
    <>
      {error && <Fault error={error} />}
      {data === undefined ? !error && <p className="quiet">{waiting}</p> : children(data)}
    </>
  );
}

/** An error in the words of whoever refused, with what support needs to find it. */
export function Fault({ error }: { error: Error }) {
  const problem = error instanceof Refusal ? error.problem : undefined;
  const errors = problem?.errors ?? [];
  return (
    <Notice state="failed">
      <p>{error.message}</p>
      {errors.length > 0 && (
        <ul>
          {errors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {problem?.in_use?.map(({ kind, count, objects }) => (
        <p key={kind}>
          {count} {kind}: {objects.map(({ name, id }) => name || id).join(", ")}
        </p>
      ))}
      {problem?.request_id !== undefined && <p className="quiet">request {problem.request_id}</p>}
    </Notice>
  );
}
