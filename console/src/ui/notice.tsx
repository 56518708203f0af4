import type { ReactNode } from "react";
import styles from "./notice.module.css";
import type { Tone } from "./state.tsx";

/** An important message. */
export function Notice({ state, children }: { state: Tone; children: ReactNode }) {
  const isBad = state === "failed" || state === "stuck";
  return (
    <div className={`${styles.notice} ${styles[state]}`} role={isBad ? "alert" : "status"}>
      {children}
    </div>
  );
}
