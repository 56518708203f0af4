import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useReached } from "../live/reach.ts";
import { isSimulated, presentTime } from "../ui/time.tsx";
import styles from "./freshness.module.css";

/** When the oldest of the shown data was read, as a time of day; undefined before anything was. */
function useReadTime(): string | undefined {
  const queries = useQueryClient();
  const [at, setAt] = useState(0);
  useEffect(() => {
    const check = () => {
      const all = queries.getQueryCache().findAll({ type: "active" });
      const times = all.map(({ state }) => state.dataUpdatedAt).filter((time) => time > 0);
      setAt(times.length > 0 ? Math.min(...times) : 0);
    };
    check();
    const timer = setInterval(check, 1000);
    return () => clearInterval(timer);
  }, [queries]);
  return at === 0 ? undefined : new Date(at).toLocaleTimeString("en-GB");
}

/** The age of the shown data. */
export function Freshness() {
  const time = useReadTime();
  const isReached = useReached();
  if (time === undefined || !isReached) return null;
  return (
    <div className={styles.freshness}>
      <p>Live · read {time}</p>
      {isSimulated() && (
        <p title={new Date(presentTime()).toISOString()}>
          Simulated time {new Date(presentTime()).toISOString().slice(0, 16).replace("T", " ")}
        </p>
      )}
    </div>
  );
}

/** Says that the API is unreachable, and how old the page is. Reads again once it is reachable, since events were missed. */
export function Offline() {
  const queries = useQueryClient();
  const isReached = useReached();
  const time = useReadTime();
  const wasReached = useRef(isReached);
  useEffect(() => {
    if (isReached && !wasReached.current) void queries.invalidateQueries();
    wasReached.current = isReached;
  }, [isReached, queries]);
  if (isReached) return null;
  return (
    <p role="alert" className={styles.offline}>
      <strong>Offline.</strong> The API is unreachable.
      {time !== undefined && ` This page is as of ${time}.`} The console tries again by itself.
    </p>
  );
}
