import type { ReactNode } from "react";
import styles from "./empty.module.css";

interface EmptyProps {
  /** One sentence. */
  children: ReactNode;
  /** The button that leads to the first one. */
  action?: ReactNode;
  /** The command that makes the first one. */
  command?: string;
}

/** What stands where there is nothing yet: what is missing, and what to do. */
export const Empty = ({ children, action, command }: EmptyProps) => (
  <div className={action || command ? styles.empty : styles.none}>
    <p>{children}</p>
    {action}
    {command !== undefined && (
      <p className="quiet">
        {action ? "From a terminal: " : ""}
        <code>{command}</code>
      </p>
    )}
  </div>
);
