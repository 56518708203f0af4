import type { ReactNode } from "react";
import { useEffect } from "react";
import { type Page as ListPage, Refusal } from "../api/client.ts";
import { Notice } from "./notice.tsx";
import styles from "./page.module.css";
import { noteTitle } from "./title.ts";

/** A page with its title, its actions and its content. */
export function Page({
  title,
  name = title,
  beside,
  children,
}: {
  title: string;
  /** Its name in the browser's tab and in the header, if the title says more. */
  name?: string;
  beside?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    noteTitle(name);
  }, [name]);
  return (
    <>
      <header className={styles.head}>
        <h1>{title}</h1>
        {beside && <div className={styles.beside}>{beside}</div>}
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

/** Names with their values; those without a value are omitted. */
export function Facts({ facts }: { facts: Record<string, ReactNode> }) {
  // As in React, a false condition shows nothing.
  const isSaid = (value: ReactNode) => value !== undefined && value !== false && value !== "";
  const known = Object.entries(facts).filter(([, value]) => isSaid(value));
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

/**
 * The data that was read, or the error. Before the first read, `waiting` says what is loading. A list that was read in
 * part says so, unless it has pages.
 */
export function Loaded<T>({
  read,
  waiting,
  hasPages,
  children,
}: {
  read: Read<T>;
  waiting: string;
  hasPages?: true;
  children(data: T): ReactNode;
}) {
  const { data, error } = read;
  const cut = hasPages ? undefined : cutOf(data);
  return (
    <>
      {error && <Fault error={error} />}
      {data === undefined ? !error && <p className="quiet">{waiting}</p> : children(data)}
      {cut && <p className="quiet">{cut}</p>}
    </>
  );
}

/** The missing part of a list, in words; undefined for complete lists and other data. */
function cutOf(data: unknown): string | undefined {
  if (typeof data !== "object" || data === null || !("items" in data)) return undefined;
  const { items, total, next_page_token } = data as Partial<ListPage<unknown>>;
  const shown = items?.length ?? 0;
  if (total !== undefined && total > shown)
    return `The first ${shown} of ${total}. The rest can be found by name, or with the command line.`;
  return total === undefined && next_page_token ? `The first ${shown}; there are more.` : undefined;
}

/** `2 nat gateways`, for the API's name of a kind. */
function wordsFor(kind: string, count: number): string {
  const words = kind.replaceAll("_", " ");
  return `${count} ${words}${count === 1 ? "" : words.endsWith("s") ? "es" : "s"}`;
}

/** An error with its own message, and what support needs to find it. */
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
          {wordsFor(kind, count)}: {objects.map(({ name, id }) => name || id).join(", ")}
        </p>
      ))}
      {problem?.request_id !== undefined && <p className="quiet">request {problem.request_id}</p>}
    </Notice>
  );
}
