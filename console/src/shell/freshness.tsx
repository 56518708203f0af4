import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useReached } from "../live/reach.ts";
import { State } from "../ui/state.tsx";
import { isSimulated, presentTime } from "../ui/time.tsx";

/** The age of the shown data; offline, since when the API is unreachable. */
export function Freshness() {
  const queries = useQueryClient();
  const isReached = useReached();
  const [at, setAt] = useState(0);
  useEffect(() => {
    const look = () => {
      const all = queries.getQueryCache().findAll({ type: "active" });
      const times = all.map(({ state }) => state.dataUpdatedAt).filter((time) => time > 0);
      setAt(times.length > 0 ? Math.min(...times) : 0);
    };
    const timer = setInterval(look, 1000);
    return () => clearInterval(timer);
  }, [queries]);
  // Reads again once the API is reachable, since events were missed.
  const wasReached = useRef(isReached);
  useEffect(() => {
    if (isReached && !wasReached.current) void queries.invalidateQueries();
    wasReached.current = isReached;
  }, [isReached, queries]);
  if (at === 0) return null;
  const time = new Date(at).toLocaleTimeString("en-GB");
  return (
    <p role="status">
      {isReached ? <span className="quiet">read</span> : <State state="offline" tone="failed" />}{" "}
      <span className="quiet">{isReached ? time : `as of ${time}`}</span>
      {isSimulated() && (
        <span className="quiet">
          {" "}
          · simulated time {new Date(presentTime()).toISOString().slice(0, 16)}
        </span>
      )}
    </p>
  );
}
