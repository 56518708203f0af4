import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Mark } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import { begin, issuers } from "./login.ts";
import styles from "./sign-in.module.css";

/** The page for people who are not signed in. */
export function SignIn({ why }: { why: string | undefined }) {
  const known = useQuery({ queryKey: ["issuers"], queryFn: issuers });
  const [fault, setFault] = useState(why);
  const go = (issuer: string) => {
    begin(issuer).catch((error: unknown) => setFault(String(error)));
  };
  return (
    <main className={`card ${styles.page}`}>
      <h1>
        <Mark /> Slipway
      </h1>
      <p>Clusters, networks and servers, from order to delivery.</p>
      {fault !== undefined && <Notice state="failed">Not signed in: {fault}</Notice>}
      {known.error && <Notice state="failed">The API is unreachable: {known.error.message}</Notice>}
      {known.data?.length === 0 && (
        <Notice state="failed">
          This Slipway trusts no issuer, so signing in with a browser is not possible.
        </Notice>
      )}
      {known.data?.map((issuer) => (
        <button key={issuer} type="button" className="primary" onClick={() => go(issuer)}>
          Sign in{known.data.length > 1 && ` at ${new URL(issuer).host}`}
        </button>
      ))}
    </main>
  );
}
