import { useInfiniteQuery } from "@tanstack/react-query";
import { get, type Page } from "../api/client.ts";
import type { HistoryEntry } from "../generated/answers.ts";
import { areaOf, useSignedIn } from "../session/session.ts";
import { Fault, Part } from "../ui/page.tsx";
import { Ago } from "../ui/time.tsx";
import styles from "./history.module.css";

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
        {entries.map((entry) => (
          <li key={entry.id}>
            <Entry entry={entry} />
          </li>
        ))}
      </ol>
      {read.hasNextPage && (
        <button type="button" onClick={() => void read.fetchNextPage()}>
          Later
        </button>
      )}
    </Part>
  );
}

function Entry({ entry: { type, time, data } }: { entry: HistoryEntry }) {
  const { actor, changes = [] } = data;
  const what = type.replace(/^slipway\.\w+\.|\.v\d+$/g, "").replaceAll("_", " ");
  return (
    <details>
      <summary>
        <Ago time={time} /> · {what}
        {actor && <span className="quiet"> · by {actor.user}</span>}
        {changes.length > 0 && (
          <span className="quiet"> · {changes.map(({ path }) => path).join(", ")}</span>
        )}
      </summary>
      <table className={styles.changes}>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, before, after }) => (
            <tr key={path}>
              <th scope="row">{path}</th>
              <td className="mono">{textOf(before)}</td>
              <td className="mono">{textOf(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const textOf = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value, null, 1);
