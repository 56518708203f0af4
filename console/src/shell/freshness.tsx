import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Unreachable } from "../api/client.ts";
import { State } from "../ui/state.tsx";
import { isSimulated, presentTime } from "../ui/time.tsx";

/** When what is shown was read; offline says so, and since when. */
export function Freshness() {
  const queries = useQueryClient();
  const [seen, setSeen] = useState<{ at: number; isOffline: boolean }>();
  useEffect(() => {
    const look = () => {
      const all = queries.getQueryCache().findAll({ type: "active" });
      const times = all.map(({ state }) => state.dataUpdatedAt).filter((time) => time > 0);
      const isOffline = all.some(
        ({ state }) =>
          state.fetchFailureReason instanceof Unreachable || state.error instanceof Unreachable,
      );
      const at = times.length > 0 ? Math.min(...times) : 0;
      setSeen((before) =>
        before?.at === at && before.isOffline === isOffline ? before : { at, isOffline },
      );
    };
    const timer = setInterval(look, 1000);
    return () => clearInterval(timer);
  }, [queries]);
  if (!seen?.at) return null;
  const time = new Date(seen.at).toLocaleTimeString("en-GB");
  return (
    <p role="status">
      {seen.isOffline ? (
        <State state="offline" tone="failed" />
      ) : (
        <span className="quiet">read</span>
      )}{" "}
      <span className="quiet">{seen.isOffline ? `as of ${time}` : time}</span>
      {isSimulated() && (
        <span className="quiet">
          {" "}
          · simulated time {new Date(presentTime()).toISOString().slice(0, 16)}
        </span>
      )}
    </p>
  );
}
