import { useEffect, useState } from "react";
import styles from "./copy.module.css";

/** A value that people take with them, with a button that copies it. */
function Copy({ text, label = text }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <button
      type="button"
      className={styles.copy}
      aria-label={`Copy ${label}`}
      title="Copy"
      onClick={() => void copy()}
    >
      {isCopied ? <span role="status">copied</span> : <Sheets />}
    </button>
  );
}

const Sheets = () => (
  <svg viewBox="0 0 12 12" aria-hidden="true">
    <rect x="3.5" y="3.5" width="7" height="7" rx="1.5" />
    <path d="M8.5 1.5h-6a1 1 0 0 0-1 1v6" />
  </svg>
);

/** A value in the type of what is typed, with its copy button. */
export const Copied = ({ text }: { text: string }) => (
  <>
    <code>{text}</code>
    <Copy text={text} />
  </>
);

/** A command with its copy button. */
export const CommandLine = ({ line }: { line: string }) => (
  <span className={styles.command}>
    <code>{line}</code>
    <Copy text={line} label="the command" />
  </span>
);

/** A command of several lines, with its copy button. */
export const CommandBlock = ({ text }: { text: string }) => (
  <div className={styles.block}>
    <pre className="command">{text}</pre>
    <Copy text={text} label="the command" />
  </div>
);

/** A link to another site, as its address, with its copy button. */
export const Outside = ({ url }: { url: string }) => (
  <>
    <a href={url} target="_blank" rel="noreferrer">
      {url}
    </a>
    <Copy text={url} />
  </>
);
