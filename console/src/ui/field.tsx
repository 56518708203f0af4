import { type ReactNode, useId } from "react";
import styles from "./field.module.css";

/** A control with its label and its messages. */
export function Field({
  label,
  hint,
  children,
}: {
  label: string;
  hint?: ReactNode;
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

interface TextProps {
  label: string;
  hint?: string;
  value: string;
  placeholder?: string | undefined;
  /** The visible lines of a text with several lines. */
  lines?: number;
  isRequired?: true;
  /** The type of a text with one line; `text` by default. */
  kind?: "text" | "datetime-local";
  change(value: string): void;
}

export function Text({
  label,
  hint,
  value,
  placeholder,
  lines,
  isRequired,
  kind = "text",
  change,
}: TextProps) {
  const common = { value, placeholder, required: isRequired, autoComplete: "off" };
  return (
    <Field label={label} hint={hint}>
      {(id) =>
        lines === undefined ? (
          <input id={id} type={kind} {...common} onChange={({ target }) => change(target.value)} />
        ) : (
          <textarea
            id={id}
            rows={lines}
            {...common}
            onChange={({ target }) => change(target.value)}
          />
        )
      }
    </Field>
  );
}
