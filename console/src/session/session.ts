import { useSyncExternalStore } from "react";

/** The session. Tokens are only in this tab's memory: a reload signs in again at the issuer. */

export interface Session {
  token: string;
  /** When the token expires, in milliseconds since the epoch. */
  until: number;
  user: string;
  /** Empty for the provider's people. */
  tenant: string;
  /** Whether the person belongs to the provider, who can see all tenants. */
  isStaff: boolean;
  /** Whether the person may change what is shown. */
  mayChange: boolean;
}

let session: Session | undefined;
const listeners = new Set<() => void>();

function set(next: Session | undefined): void {
  session = next;
  for (const listener of listeners) listener();
}

export const accessToken = (): string | undefined => session?.token;

/** The issuer's part of a session. */
interface AtIssuer {
  /** Renews the token, and calls `signedIn` with the new one; absent where the session ends with its token. */
  renew?: () => Promise<void>;
  /** Ends the session at the issuer. */
  leave: () => void;
}

let atIssuer: AtIssuer | undefined;
let renewing: Promise<boolean> | undefined;

export function signedIn(next: Session, issuer: AtIssuer): void {
  atIssuer = issuer;
  set(next);
}

/** Clears a session that has ended. */
export function signedOut(): void {
  atIssuer = undefined;
  set(undefined);
}

/** Ends the session here and at the issuer. */
export function signOut(): void {
  const { leave } = atIssuer ?? {};
  signedOut();
  leave?.();
}

/** Renews the token, once for all requests that were refused with the old one; returns whether there is a new one. */
export function renewed(): Promise<boolean> {
  renewing ??= tried().finally(() => {
    renewing = undefined;
  });
  return renewing;
}

async function tried(): Promise<boolean> {
  if (!atIssuer?.renew) return false;
  return atIssuer.renew().then(
    () => true,
    () => false,
  );
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The session; undefined while not signed in. */
export const useSession = (): Session | undefined => useSyncExternalStore(subscribe, () => session);

/** The session, on pages for signed-in people only. */
export function useSignedIn(): Session {
  const found = useSession();
  if (!found) throw new Error("not signed in");
  return found;
}

/** The API area (public or private) for a session. */
export const areaOf = ({ isStaff }: Session): string =>
  isStaff ? "/api/private/v1" : "/api/fulfillment/v1";
