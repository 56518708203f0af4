import { type ReactNode, useId } from "react";
import styles from "./field.module.css";

/** A control with its label, and what there is to say of it. */
export function Field({
  label,
  hint,
  children,
}: {
  label: string;
  hint?: string | undefined;
  /** The control, which gets this id. */
  children(id: string): ReactNode;
}) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {hint !== undefined && <span className="quiet">{hint}</span>}
    </div>
  );
}
