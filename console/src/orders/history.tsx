import { useInfiniteQuery } from "@tanstack/react-query";
import { get, type Page } from "../api/client.ts";
import type { HistoryEntry } from "../generated/answers.ts";
import { areaOf, useSignedIn } from "../session/session.ts";
import { Fault, Part } from "../ui/page.tsx";
import { Ago } from "../ui/time.tsx";
import styles from "./history.module.css";
import { type Told, told } from "./history-words.ts";

/** The history of an object: its events with what each changed, oldest first. */
export function History({ plural, id }: { plural: string; id: string }) {
  const area = areaOf(useSignedIn());
  const path = `${area}/${plural}/${id}/history`;
  const read = useInfiniteQuery({
    queryKey: [path],
    queryFn: ({ pageParam, signal }) =>
      get<Page<HistoryEntry>>(
        path,
        { limit: 20, ...(pageParam !== "" && { page_token: pageParam }) },
        signal,
      ),
    initialPageParam: "",
    getNextPageParam: ({ next_page_token }) => next_page_token,
    refetchInterval: 15_000,
  });
  const entries = read.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Part title="History">
      {read.error && <Fault error={read.error} />}
      <ol className={styles.entries}>
        {told(entries).map((each) => (
          <li key={each.entry.id}>
            <Entry {...each} />
          </li>
        ))}
      </ol>
      {read.hasNextPage && (
        <button type="button" onClick={() => void read.fetchNextPage()}>
          Show later events
        </button>
      )}
    </Part>
  );
}

function Entry({ entry, words = "Smaller changes", smaller }: Told) {
  const { actor, changes = [] } = entry.data;
  const line = (
    <>
      <span className={styles.time}>
        <Ago time={entry.time} />
      </span>
      {words}
      {actor && <span className="quiet"> by {actor.user}</span>}
    </>
  );
  if (changes.length === 0 && smaller.length === 0) return <p className={styles.entry}>{line}</p>;
  return (
    <details>
      <summary>{line}</summary>
      {changes.length > 0 && <ChangesOf entry={entry} />}
      {smaller.map((each) => (
        <div key={each.id}>
          <span className="quiet">
            Later, <Ago time={each.time} />
          </span>
          <ChangesOf entry={each} />
        </div>
      ))}
    </details>
  );
}

const ChangesOf = ({ entry: { data } }: { entry: HistoryEntry }) => (
  <table className={styles.changes}>
    <thead>
      <tr>
        <th scope="col">Member</th>
        <th scope="col">Before</th>
        <th scope="col">After</th>
      </tr>
    </thead>
    <tbody>
      {data.changes?.map(({ path, before, after }) => (
        <tr key={path}>
          <th scope="row">{path}</th>
          <td className="mono">{textOf(before)}</td>
          <td className="mono">{textOf(after)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const textOf = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value, null, 1);
